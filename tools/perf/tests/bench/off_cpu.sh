#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What it costs to record waits (perf record --off-cpu), and how much of it is for locks and owners: CPU seconds of the recorded
# program and of perf together. Limit: with owners 1.3 times that without.
. "$SRC/tools/perf/tests/bench/common"
holds=${HOLDS:-40000}
cat >convoy.c <<'END'
/*
 * convoy HOLDS owned|bare: four threads take one lock in turn, HOLDS times in all, and hold it asleep for 60 us. So there are
 * as many waits for the lock as sleeps, some 20,000 a second. The lock is as glibc's normal mutex. With "bare", its word has
 * another value when there are waiters, so perf takes it for a futex without an owner: everything else is the same.
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define THREADS 4

static struct {
	int word, count, owner;
} lock;
static int contended;
static long left;

static void take(void)
{
	int value = 0;

	if (!__atomic_compare_exchange_n(&lock.word, &value, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		while (__atomic_exchange_n(&lock.word, contended, __ATOMIC_ACQUIRE))
			syscall(SYS_futex, &lock.word, FUTEX_WAIT_PRIVATE, contended, NULL);
	lock.owner = (int)syscall(SYS_gettid);
}

static void give(void)
{
	lock.owner = 0;
	if (__atomic_exchange_n(&lock.word, 0, __ATOMIC_RELEASE) == contended)
		syscall(SYS_futex, &lock.word, FUTEX_WAKE_PRIVATE, 1);
}

static void *work(void *arg)
{
	const struct timespec hold = { 0, 60000 };
	int more = 1;

	prctl(PR_SET_TIMERSLACK, 1);
	while (more) {
		take();
		more = left-- > 0;
		if (more)
			nanosleep(&hold, NULL);
		give();
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];

	left = atol(argv[1]);
	contended = strcmp(argv[2], "owned") ? 3 : 2;
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
END
${CC:-cc} -O2 -g -pthread convoy.c -o convoy || exit 0
if ! "$PERF" record -q --off-cpu -o waits.data true >record.log 2>&1; then
	echo "off-cpu: not measured: $(tail -n 1 record.log)"
	exit 0
fi
# CPU seconds of a command and its children.
seconds() {
	/usr/bin/time -o time.log -f "%U %S" "$@" >output 2>cost.log
	tail -n 1 time.log | awk '{ print $1 + $2 }'
}
middle() { sort -n | awk '{ s[NR] = $1 } END { print (s[int((NR + 1) / 2)] + s[int(NR / 2) + 1]) / 2 }'; }
# The runs of a row take turns, so a busy machine is so to all of them.
row() { # name, perf's options
	local name=$1 i
	shift
	rm -f plain bare owned
	for ((i = 0; i < runs; i++)); do
		seconds ./convoy "$holds" owned >>plain
		seconds "$PERF" record -q "$@" -o waits.data ./convoy "$holds" bare >>bare
		seconds "$PERF" record -q "$@" -o waits.data ./convoy "$holds" owned >>owned
	done
	awk -v name="$name" -v plain="$(middle <plain)" -v bare="$(middle <bare)" -v owned="$(middle <owned)" \
		'BEGIN { printf "%-40s %8.2f s %10.2f s %10.2f s %8.2f\n", name, plain, bare - plain, owned - plain, (owned - plain) / (bare - plain) }'
}
waits=$("$PERF" record --off-cpu -o waits.data ./convoy "$holds" owned 2>&1 >/dev/null | sed -nE 's/.*off the CPU: ([0-9]+) waits, ([0-9]+) shorter.*/\1 \2/p' | awk '{ print $1 + $2 }')
echo "off-cpu: $waits waits and sleeps, of which half are for a lock; CPU seconds of the program, and what perf adds to that, without and with owners"
printf "%-40s %10s %12s %12s %8s\n" "" "program" "without" "with" "ratio"
row "perf record --off-cpu" --off-cpu
row "perf record --off-cpu -g" --off-cpu -g
row "perf record --off-cpu=1us" --off-cpu=1us
row "perf record --off-cpu=1us -g" --off-cpu=1us -g
