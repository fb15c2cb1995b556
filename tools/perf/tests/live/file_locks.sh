#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Locks of files, by flock() and fcntl(): who has them. A process holds the lock, asleep in hold(), while another one waits for it.
. "$SRC/tools/perf/tests/live/common"
if ! "$PERF" record -q --off-cpu -o try.data true 2>why; then
	skip_all_refused "locks of files" why
fi
"$PERF" list tracepoint >/dev/null 2>&1 # mounts tracefs
if [[ ! -d /sys/kernel/tracing/events/filelock && ! -d /sys/kernel/debug/tracing/events/filelock ]]; then
	plan 1
	skip "locks of files" "this kernel has no tracepoints of locks of files" 1
	exit 0
fi
cat >locks.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *how;

static void lock(int file, short type)
{
	struct flock part = { .l_type = type, .l_whence = SEEK_SET, .l_start = 10, .l_len = 5 };

	if (!strcmp(how, "flock"))
		flock(file, type == F_UNLCK ? LOCK_UN : LOCK_EX);
	else if (fcntl(file, !strcmp(how, "ofd") ? F_OFD_SETLKW : F_SETLKW, &part))
		abort();
}

/* The process @pid has slept in its call for some time. */
static void await(int pid)
{
	char path[64], call[16] = "";

	sprintf(path, "/proc/%d/syscall", pid);
	while (strcmp(call, "73") && strcmp(call, "72")) {
		FILE *f = fopen(path, "r");
		if (!f || fscanf(f, "%15s", call) != 1)
			abort();
		fclose(f);
		usleep(1000);
	}
}

__attribute__((noinline)) static void hold(int pid)
{
	await(pid);
	usleep(100000);
	__asm__ volatile("" ::: "memory");
}

static void *idle(void *arg)
{
	pause();
	return arg;
}

int main(int argc, char **argv)
{
	int file = open("the-file", O_RDWR | O_CREAT, 0600), go[2], pid;
	pthread_t thread;
	char c;

	how = argv[1];
	if (file < 0 || pipe(go))
		return 1;
	pid = fork();
	if (!pid) {
		prctl(PR_SET_NAME, "waits");
		close(file); /* a descriptor that is inherited is the same to flock() */
		file = open("the-file", O_RDWR);
		for (int i = 0; i < 3; i++) {
			if (read(go[0], &c, 1) != 1)
				return 1;
			lock(file, F_WRLCK);
			lock(file, F_UNLCK);
		}
		return 0;
	}
	prctl(PR_SET_NAME, "holds");
	if (argc > 2) /* several threads */
		pthread_create(&thread, NULL, idle, NULL);
	printf("%d\n", getpid());
	for (int i = 0; i < 3; i++) {
		lock(file, F_WRLCK);
		if (write(go[1], "x", 1) != 1)
			return 1;
		hold(pid);
		lock(file, F_UNLCK);
		usleep(50000);
	}
	wait(NULL);
	return 0;
}
END
${CC:-cc} -O1 -g -pthread locks.c -o locks 2>err || cat err
plan 10
# lock|owner of the waits of 50 ms and more
waits_of() { # FILE COMM
	"$PERF" report -i "$1" --stdio -q -g none --no-children -F period,lock,owner"${3:-}" -t '|' --comms "$2" 2>/dev/null |
		sed -E 's/ *[|] */|/g; s/^ *//; s/ *$//' | awk -F'|' '$1 >= 50e6 && $2 ~ /file lock/'
}
for how in flock fcntl ofd; do
	record_waits --off-cpu -g -o "$how.data" -- ./locks "$how"
	holder=$(head -n 1 out)
	waits_of "$how.data" waits >found
	check "$how: the file and the owner" grep -Eq "\|/.*/the-file \(file lock\)\|holds \($holder\)$" found
	check "$how: all three waits" awk -F'|' -v holder="holds ($holder)" '$3 == holder { s += $1 } END { print "# " s; exit !(s >= 3 * 100e6) }' found
	waits_of "$how.data" waits ,owner_state,owner_sym >found
	check "$how: what the owner did" grep -Eq "\|(hold|await|main|lock)( \(unlocks\))?$|\|\(running\)$" found
done
# Looks at threads see it, too. On a busy machine, there may be none while the thread waits.
seen() {
	for _ in 1 2 3 4 5; do
		"$PERF" record -q --wall -o wall.data -- ./locks flock >out 2>err
		waits_of wall.data waits >found
		grep -Eq "\|/.*/the-file \(file lock\)\|holds \($(head -n 1 out)\)$" found && return
	done
	return 1
}
check "--wall: the file and the owner" seen
