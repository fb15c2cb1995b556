#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf record --off-cpu: which work of a workqueue ended a wait. What is written to a pseudo terminal is handed to its reader by the work
# flush_to_ldisc() of the kernel.
. "$SRC/tools/perf/tests/live/common"
if ! "$PERF" record -q --off-cpu -o try.data true 2>why; then
	skip_all_refused "works" why
fi
if ! grep -q '^[0-9a-f]*[1-9a-f][0-9a-f]* t flush_to_ldisc$' /proc/kallsyms; then
	skip_all "works" "the kernel does not tell where flush_to_ldisc() is"
fi
plan 3
cat >pty.c <<'END_OF_C'
#define _XOPEN_SOURCE 600
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int writes, reads, plain[2];

/* A byte of the terminal, then one of the pipe. */
static void *reader(void *arg)
{
	char c;

	pthread_setname_np(pthread_self(), "reader");
	while (read(reads, &c, 1) == 1 && read(plain[0], &c, 1) == 1)
		;
	return NULL;
}

int main(void)
{
	pthread_t t;

	writes = posix_openpt(O_RDWR | O_NOCTTY);
	if (writes < 0 || grantpt(writes) || unlockpt(writes))
		return 1;
	reads = open(ptsname(writes), O_RDWR | O_NOCTTY);
	if (pipe(plain))
		return 1;
	pthread_create(&t, NULL, reader, NULL);
	for (int i = 0; i < 30; i++) {
		usleep(3000);
		write(writes, "\n", 1);
		usleep(3000);
		write(plain[1], "x", 1);
	}
	close(plain[1]);
	usleep(3000);
	write(writes, "\n", 1);
	pthread_join(t, NULL);
	return 0;
}
END_OF_C
${CC:-cc} -O1 -w -pthread pty.c -o pty 2>err || cat err
record_waits --off-cpu=10us -o w.data -- ./pty
"$PERF" report -i w.data --stdio -q -g none --no-children --comms reader -F period,lock,waker -t '|' 2>err | sed -E 's/ *[|] */|/g; s/^ *//; s/ *$//' >found
check "the work that ended the wait, by a thread of the kernel" grep -Eq '^[0-9]+\|/dev/pts/[0-9]+ \(file\), work flush_to_ldisc\|kworker' found
check "another thread's wake-up is no work" eval 'grep -Eq "^[0-9]+\|pipe:\[[0-9]+\] \(pipe\)\|pty " found && ! grep -q "pipe.*work" found'
tid=$("$PERF" script -i w.data --comms reader -F tid 2>/dev/null | awk '{ print $1; exit }')
"$PERF" report -i w.data --critical="$tid" --stdio --percent-limit=0 >found 2>err
check "on a path" grep -Eq 'blocked in read /dev/pts/[0-9]+: work flush_to_ldisc' found
