#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf record --off-cpu: the waits of threads, exactly: all the time that a thread was not on a CPU.
. "$SRC/tools/perf/tests/live/common"
near() { # VALUE WANTED TOLERANCE
	awk -v v="$1" -v w="$2" -v p="$3" 'BEGIN { exit !(v >= w - p && v <= w + p) }' || { echo "# $1, wanted $2 within $3"; return 1; }
}
# Seconds of a thread in a state, of the event offcpu-time.
seconds() { # FILE COMM STATE
	"$PERF" script -i "$1" -G --comms "$2" -F event,period,state 2>/dev/null | awk -v state="$3" '/offcpu-time/ && $0 ~ state { s += $1 } END { printf "%.3f", s / 1e9 }'
}
sched() { # COMM 1|2|3|4
	awk -v comm="$1" -v which="$2" '$1 == "sched" && $2 == comm { print $(2 + which) }' out
}

if ! "$PERF" record -q --off-cpu -o try.data true 2>why; then
	skip_all_refused "off-cpu" why
fi
plan 35
record_waits --off-cpu -g -o o.data -- "$WORKLOADS/states" 2
check "it records" test $? = 0
check "the closing line counts waits" grep -q "off the CPU: [1-9][0-9]* waits, [0-9]* shorter ones added up, [0-9]* not over at the end" err
# By thread id, because the thread changes its name at the end. Waits during the process's exit are not in the workload's own sum.
# Where a CPU is free, a thread runs for some time before its first wait: its life begins with its FORK record.
for name in spin half; do
	born=$("$PERF" script -i o.data --show-task-events -F time --ns 2>/dev/null |
		sed -nE "s/^ *([0-9.]+): PERF_RECORD_FORK\([0-9]+:$(sched $name 4)\).*/\1/p")
	"$PERF" script -i o.data -G --tid "$(sched $name 4)" -F event,time,period,state --ns 2>/dev/null | sed 's/: / /' | awk '/offcpu-time/' >found
	check "$name waited for a CPU as long as the kernel says" \
		near "$(awk '/run queue/ { s += $2 } END { print s / 1e9 }' found)" "$(sched $name 2)" 0.1
	check "$name was on a CPU when it was not off" near \
		"$(awk -v born="$born" '{ s += $2; if ($1 > last) last = $1 } END { print last - born - s / 1e9 }' found)" "$(sched $name 1)" 0.1
done
for name in futex pipe tcp epoll nap unix; do
	check "$name was off the CPU all the time" near "$(seconds o.data $name .)" "$(sched spin 3)" 0.2
done
check "vfork was blocked uninterruptibly" near "$(seconds o.data vfork 'D \(')" "$(sched spin 3)" 0.3
check "perf script without fields: state and call, no bytes" eval '"$PERF" script -i o.data -G --comms nap >found && grep -qE "offcpu-time: +S \(sleep\) clock_nanosleep " found && ! grep -vqE " offcpu-(time|waker): " found'
"$PERF" script -i o.data --comms pipe -F event,ip,sym,dso 2>/dev/null >found
check "the kernel's stack at the switch" grep -q "pipe_read" found
check "the user's stack at the switch, up to the root" to_the_root
"$PERF" report -i o.data --stdio -q -g none --no-children -s comm,waker --comms request 2>/dev/null >found
check "a timer woke the one that naps" grep -q "(interrupt)" found
check "stacks of wakers" eval '"$PERF" evlist -i o.data | grep -q offcpu-waker'

# Short waits are added up: the sums do not change.
"$PERF" record --off-cpu=10s -o s.data -- "$WORKLOADS/throng" 0 1 100 0 1 >/dev/null 2>err
check "with a high threshold no wait is told alone" grep -q "off the CPU: 0 waits, [1-9][0-9]* shorter" err
check "and the sum is there" awk -v s="$("$PERF" script -i s.data -G -F event,period 2>/dev/null | awk '/offcpu-time/ { s += $1 } END { print s / 1e9 }')" 'BEGIN { print "# " s; exit !(s > 1.8 && s < 2.3) }'

# One thread wakes the other, and has an activity.
cat >pingpong.c <<'END'
#include <pthread.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <unistd.h>
#include "activity/activity.h"
static int fds[2];
static void *reader(void *arg)
{
	uint8_t trace[16] = { 0 }, span[8] = { 0 };
	char byte;
	trace[15] = span[7] = 0x22;
	prctl(PR_SET_NAME, "waits");
	activity_set(trace, span);
	while (read(fds[0], &byte, 1) == 1)
		;
	return NULL;
}
int main(void)
{
	uint8_t trace[16] = { 0 }, span[8] = { 0 };
	pthread_t t;
	trace[15] = span[7] = 0x11;
	prctl(PR_SET_NAME, "wakes");
	activity_set(trace, span);
	if (pipe(fds))
		return 1;
	pthread_create(&t, NULL, reader, NULL);
	for (int i = 0; i < 50; i++) {
		usleep(10000);
		if (write(fds[1], "x", 1) != 1)
			return 1;
	}
	close(fds[1]);
	pthread_join(t, NULL);
	return 0;
}
END
${CC:-cc} -O1 -g -pthread -I"$SRC/tools/lib" pingpong.c "$O/libactivity.a" -o pingpong 2>err || cat err
record_waits --off-cpu -g --sample-tls -o w.data -- ./pingpong
"$PERF" report -i w.data --stdio -q -g none --no-children -s comm,state,syscall,waker 2>/dev/null >found
check "who woke it" grep -Eq "waits +S \(sleep\) +read +wakes \([0-9]+\)" found
"$PERF" script -i w.data -G -F comm,event,activity,state 2>/dev/null >found
check "the activity of the one that waits" eval 'grep "^ *waits.*offcpu-time.*S (sleep)" found | grep -q "0*22:0*22"'
check "the activity of the waker" eval 'grep "^ *wakes.*offcpu-waker" found | grep -q "0*11:0*11"'
"$PERF" script -i w.data -F comm,event,ip,sym 2>/dev/null | awk '/offcpu-waker/ { on = 1; next } NF == 0 { on = 0 } on' >found
check "the stack of the waker" grep -q "pipe_write" found
check "unwound as that of the one that waits" grep -q " main$" found
"$PERF" report -i w.data --stdio -q -g none --no-children -s comm,syscall,waker_sym 2>/dev/null >found
check "the function of the waker" grep -Eq "waits +read +main" found
"$PERF" report -i w.data --stdio -q -g none --no-children -s comm,syscall,waker_activity,waker_span 2>/dev/null >found
check "the activity and the span of the waker, as keys" grep -Eq "waits +read +0{30}11:0{14}11 +0{14}11 *$" found
check "a timer has none" grep -Eq "wakes +clock_nanosleep +\(interrupt\) +\(interrupt\) *$" found

# The waker is not recorded, but has a name.
cat >fed.c <<'END'
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>
int main(void)
{
	int fds[2];
	char byte;
	if (pipe(fds))
		return 1;
	if (!fork()) {
		prctl(PR_SET_NAME, "feeds");
		for (int i = 0; i < 200; i++) {
			usleep(20000);
			if (write(fds[1], "x", 1) != 1)
				return 1;
		}
		return 0;
	}
	close(fds[1]);
	printf("%d\n", getpid());
	fflush(stdout);
	while (read(fds[0], &byte, 1) == 1)
		;
	return 0;
}
END
${CC:-cc} -O1 fed.c -o fed 2>err || cat err
mkfifo start
./fed >start &
read -r fed <start
"$PERF" record --off-cpu -p "$fed" -o fed.data >/dev/null 2>err
"$PERF" script -i fed.data -G -F comm,event 2>/dev/null | grep offcpu-waker >found
check "the name of a waker that is not recorded" eval 'grep -q "^ *feeds" found && ! grep -v "^ *feeds" found'

# Two threads wait for each other's lock until a third one ends the process: it has not ended their waits.
cat >deadlock.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static pthread_mutex_t locks[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static pthread_barrier_t both;
static int past; /* the barrier */
static void *lock_both(void *arg)
{
	long first = (long)arg;
	pthread_setname_np(pthread_self(), "stuck");
	pthread_mutex_lock(&locks[first]);
	pthread_barrier_wait(&both);
	__atomic_add_fetch(&past, 1, __ATOMIC_SEQ_CST);
	pthread_mutex_lock(&locks[!first]);
	return NULL;
}
int main(void)
{
	pthread_t t;
	pthread_barrier_init(&both, NULL, 2);
	for (long i = 0; i < 2; i++)
		pthread_create(&t, NULL, lock_both, (void *)i);
	pthread_setname_np(pthread_self(), "exits");
	while (__atomic_load_n(&past, __ATOMIC_SEQ_CST) < 2)
		usleep(1000);
	usleep(300000);
	exit(0);
}
END
${CC:-cc} -O1 -g -pthread deadlock.c -o deadlock 2>err || cat err
record_waits --off-cpu -g -o dead.data -- ./deadlock
"$PERF" report -i dead.data --stdio -q -g none --no-children -F period,tid,state,waker -t '|' --comms stuck 2>/dev/null >found
check "two threads in a deadlock: nobody has woken them" awk -F'|' '
	$3 ~ /^S/ && $1 > 150e6 && $4 ~ /^\(killed\)/ { long[$2] } $4 ~ /exits/ { bad++ } END { exit !(length(long) == 2 && !bad) }' found

if [[ ${STOCK_PERF:-} && -x $STOCK_PERF ]]; then
	"$STOCK_PERF" report -i o.data --stdio -s comm -g none --no-children >found 2>err
	check "stock perf reads it" eval 'grep -q "of event .offcpu-time" found && grep -q " pipe$\| pipe " found && ! grep -qi "out of order\|error" err'
fi
"$PERF" record --off-cpu=10000 -g -o short.data -- sleep 0.02 >out 2>err
check "no share of no stacks" eval 'grep -q "off the CPU: " err && ! grep -q " 0 stacks unwound" err'
# The kernel skips programs now and then. A wait whose end was skipped is in the sums; one whose begin was skipped is counted as
# lost: of 1,600 waits none is missing without a word.
every_wait() {
	local i
	for i in {1..8}; do
		"$PERF" record --off-cpu --off-cpu-thresh 0 -o naps.data -- "$WORKLOADS/naps" >out 2>err || return 1
		"$PERF" script -i naps.data -G --comms napper -F event,period,state,syscall 2>/dev/null | grep -cE "offcpu-time.* (S \(sleep\).*nanosleep|D \()" >found
		awk -v there="$(cat found)" -v unplaced="$(sed -n 's/.* \([0-9]*\) of them without their places.*/\1/p' err)" \
			-v lost="$(sed -n 's/.* \([0-9]*\) LOST.*/\1/p' err)" '/^waits/ { n += $2 } END {
			print "# " n " waits: " there " with their places, " unplaced + 0 " without, " lost + 0 " lost"
			exit !(n >= 1600 && there + unplaced + lost >= n) }' out || return 1
	done
}
check "each wait is there, or counted" every_wait
check "a threshold is a time" eval '! "$PERF" record --off-cpu=fast true 2>err && grep -q "fast" err'
check "--off-cpu-thresh is in milliseconds" "$PERF" record -q --off-cpu-thresh 500 -o t.data true
