#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf report --critical: what requests waited for, against what the program says (workloads/waiting.c, tests/critical/truth).
# `make long` (LONG=1) runs all shapes, otherwise a selection.
. "$SRC/tools/perf/tests/live/common"
if ! "$PERF" record -q --off-cpu --sample-tls -o try.data true 2>why; then
	skip_all_refused "critical" why
fi
if ! python3 -c 'import json'; then
	skip_all "critical" "python3 is not here"
fi
shapes="mutex convoy barging nested reader writer queue barrier chain child cpu tcp spins ring"
# Not store: below. peer is no shape.
[[ ! ${LONG:-} ]] || shapes=$("$WORKLOADS/waiting" | cut -f 1 | grep -vx 'store\|peer')
plan $((2 * $(wc -w <<<"$shapes") + 10))

# The program writes its log beside what it logs, and may be interrupted between the two: on a busy machine, it is tried again.
good() { # SHAPE
	for _ in 1 2 3 4 5; do
		"$SRC/tools/perf/tests/critical/run" "$1" 5 3 >found || { [[ $? == 77 ]] && return 77; cat "$1.err"; }
		awk '$1 == "right" && $2 >= 0.98 { ok++ } $1 == "owners" && ($2 == "none" || $2 >= 0.98) { ok++ } END { exit ok != 2 }' found && return
	done
	return 1
}

for shape in $shapes; do
	good "$shape"
	status=$?
	if ((status == 77)); then
		skip "$shape" "$(tail -n 1 "$shape.err")" 2
		continue
	fi
	check "$shape: 98 % of the time is at the right thread, object, owner and activity" test $status = 0
	check "$shape: the parts add up to the requests" grep -qx 'sums exact' found
done

# What is different in the slow ones? Two of 50 requests find that "report" has the lock.
checkout() {
	"$PERF" record -q -k mono --sample-tls --off-cpu=10us -g -e cpu-clock -F 2000 -o store.data -- "$WORKLOADS/waiting" store 50 spans.json >out 2>err || return
	"$PERF" report -i store.data --spans=spans.json --critical=checkout --slowest=4 >found 2>>err
}
told() { grep -Eq '^# The slowest 4 % of checkout \(2 of 50, .*\) spent ([5-9][0-9]|100) % of their time waiting for store.lock \(mutex\), the rest [0-9]+ %\. Of that time: held by report in report (9[0-9]|100) %.*, scan [0-9]+ %' found; }
sentence() {
	for _ in 1 2 3 4 5; do
		checkout && told && return
	done
	return 1
}
check "the sentence names the lock, its owner, and what it ran" sentence
check "what the owner ran" grep -Eq '[|`]-- scan$' found
check "the type that it read" grep -Eq '[|`]-- struct item ' found
check "what they lost to another span, in one number, and to which lock" grep -Eq '^# checkout lost [1-9][0-9] % of all its time to report: [1-9][0-9] % waiting for store.lock \(mutex\)' found
check "of the slow ones, nearly all" eval 'sed -n "/Lost to other spans/,/Saved/p" found | grep -Eq "^ +(9[0-9]|100)\.[0-9] % .* report$"'
check "the lengths" grep -Eq '^# checkout: 50 instances, p50 [0-9.]+ m?s, p90 [0-9.]+ m?s, p99 [0-9.]+ m?s, max [0-9.]+ m?s$' found
# What if the lock cost nothing? The request would wait for longer at the semaphore: nothing is saved, though it waited for the lock.
useless() {
	local page='--critical=0000000000000004'

	for _ in 1 2 3 4 5; do
		"$SRC/tools/perf/tests/critical/run" next 5 1 >found || continue
		"$PERF" report -i next.data --stdio $page >found 2>err || continue
		sed -n '/Saved at most/,$p' found >saved
		grep -Eq '[1-9][0-9]\.. % .*waiting for book.lock' found && ! grep -q 'book.lock' saved && return
	done
	return 1
}
check "without a lock that only hides another wait, nothing is saved" useless
without() {
	for _ in 1 2 3 4 5; do
		"$SRC/tools/perf/tests/critical/run" mutex 5 1 >found || continue
		"$PERF" report -i mutex.data --stdio --critical=0000000000000004 2>err | sed -n '/Saved at most/,$p' >saved
		# The largest saving is first.
		sed -nE 's/.* % +[0-9.]+ m?s +(waiting for book.lock|running spin).*/\1/p' saved | tr '\n' ' ' | grep -q '^waiting for book.lock running spin' && return
	done
	return 1
}
check "without what the owner runs, less is saved than without the lock" without
# Two threads that wait for each other.
cat >dead.c <<'END_OF_C'
#define _GNU_SOURCE
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static void *one(void *arg)
{
	pthread_setname_np(pthread_self(), "one");
	pthread_mutex_lock(&a);
	pthread_barrier_wait(&both);
	pthread_mutex_lock(&b);
	return NULL;
}
static void *two(void *arg)
{
	pthread_setname_np(pthread_self(), "two");
	pthread_mutex_lock(&b);
	pthread_barrier_wait(&both);
	pthread_mutex_lock(&a);
	return NULL;
}
int main(void)
{
	pthread_t t;
	pthread_barrier_init(&both, NULL, 2);
	pthread_create(&t, NULL, one, NULL);
	pthread_create(&t, NULL, two, NULL);
	sleep(2);
	_exit(0);
}
END_OF_C
${CC:-cc} -O1 -g -pthread dead.c -o dead 2>err || cat err
record_waits --off-cpu -g -o dead.data -- ./dead
tid=$("$PERF" script -i dead.data --comms one -F tid 2>/dev/null | awk '{ print $1; exit }')
"$PERF" report -i dead.data --critical="$tid" >found 2>>err
check "a deadlock is told" grep -q 'threads wait for each other' found
"$PERF" report -i dead.data --critical=checkout >out 2>found
check "without activities, the message says what is missing" grep -q 'has no activities' found
