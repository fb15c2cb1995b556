#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf record --off-cpu: the lock that a thread waits for, and who has it. workloads/locks.c tells the truth.
. "$SRC/tools/perf/tests/live/common"
if ! "$PERF" record -q --off-cpu -o try.data true 2>why; then
	skip_all_refused "locks" why
fi
plan 17

# truth FILE: waited time by lock and owner in FILE (perf script), against what the program says (out). Prints for each lock its share
# of the right time, and "all SHARE". A lock is free for some time between two owners: then it is on its way to the next one.
truth() {
	awk '
	FILENAME == "out" && $1 == "lock" { name[$2] = substr($0, length("lock " $2 " ") + 1); number[name[$2]] = $2 + 0 }
	FILENAME == "out" && $1 == "hold" { n = nr[$2]++; tid[$2, n] = $3; from[$2, n] = $4; to[$2, n] = $5; reads[$2, n] = $6 != "" }
	FILENAME == "out" && $1 == "wait" { n = waits[$2, $3]++; wait_from[$2, $3, n] = $4; wait_to[$2, $3, n] = $5 }
	FILENAME == "out" && $1 == "activity" { activity[$2] = $3 }
	FILENAME == "out" { next }
	# Time in [a, b) in which the owner has the lock, or is the next one to have it.
	function held(lock, owner, a, b,    i, start, end, sum) {
		for (i = 0; i < nr[lock]; i++) {
			if (owner == "readers" ? !reads[lock, i] : tid[lock, i] != owner)
				continue
			start = ready[lock, i]; end = to[lock, i]
			if (start < a) start = a
			if (owner == "readers" && start < last) start = last
			if (end > b) end = b
			if (end > start) { sum += end - start; last = end }
		}
		last = 0
		return sum
	}
	# Time in [a, b) in which the thread was in the call.
	function called(lock, who, a, b,    i, sum, start, end) {
		for (i = 0; i < waits[lock, who]; i++) {
			start = wait_from[lock, who, i] < a ? a : wait_from[lock, who, i]
			end = wait_to[lock, who, i] > b ? b : wait_to[lock, who, i]
			if (end > start) sum += end - start
		}
		return sum
	}
	# From when on a holder is the next one: the end of the hold before.
	function prepare(    lock, i, k) {
		for (lock in name)
			for (i = 0; i < nr[lock]; i++) {
				ready[lock, i] = 0
				for (k = 0; k < nr[lock]; k++)
					if (to[lock, k] <= from[lock, i] && to[lock, k] > ready[lock, i])
						ready[lock, i] = to[lock, k]
			}
		prepared = 1
	}
	!prepared { prepare() }
	{
		split($0, part, "|")
		who = part[1] + 0; sub(/\./, "", part[2]); b = part[2] + 0; a = b - part[3]
		lock = part[4]
		sub(/places \(futex\)/, "places (semaphore)", lock) # without debug information, the C library does not name it
		if (!(lock in number)) { others[lock] += b - a; next }
		n = number[lock]
		owner = part[5]
		all[n] += b - a
		if (owner ~ /^worker \(/) {
			gsub(/[^0-9]/, "", owner)
			good = held(n, owner + 0, a, b)
			if (part[6] !~ "0" activity[owner] "$" || part[6] !~ "^0*" activity[owner] ":") wrong += b - a
		} else if (owner == "(readers)") {
			good = held(n, "readers", a, b)
		} else {
			good = owner == "(no owner)" && !nr[n] ? b - a : 0
		}
		of_call = called(n, who, a, b)
		right[n] += good < of_call ? good : of_call
	}
	END {
		for (n = 0; n in name; n++) {
			printf "# %s: %.3f of %.1f ms\n", name[n], all[n] ? right[n] / all[n] : 0, all[n] / 1e6
			sum += right[n]; total += all[n]
			if (all[n] < 1e6) missing = missing " " n
		}
		for (lock in others) printf "# other: %s %.1f ms\n", lock, others[lock] / 1e6
		printf "all %.4f\nmissing%s\nwrong %.4f\n", sum / total, missing, wrong / total
	}' out "$1"
}
# The waits of the workers in futex(), in fields with | between them.
waits_of() { # FILE
	"$PERF" script -i "$1" -G --ns --comms worker -F tid,time,event,period,state,syscall,lock,owner,owner_activity 2>/dev/null |
		sed -nE 's/^ *([0-9]+) +([0-9.]+): +([0-9]+) +offcpu-time: +S \(sleep\) futex (.* \([a-z]+\)|0x[0-9a-f]+ .*) (worker \([0-9]+\)|\(no owner\)|\(readers\)|\(not known[^)]*\)) (.*)$/\1|\2|\3|\4|\5|\6/p'
}
record_waits -k mono --sample-tls --off-cpu -g -o l.data -- "$WORKLOADS/locks" 4
check "it records" test $? = 0
waits_of l.data >waits
truth waits >found
grep '^#' found
check "98 % of the waited time is at the right lock and owner" awk '$1 == "all" { ok = $2 >= 0.98 } END { exit !ok }' found
check "each kind of lock was waited for" grep -qx "missing" found
# Where the owner was: it holds the lock asleep in use_mutex(), which some calls of the unlock function leave by a jump.
"$PERF" script -i l.data -G --comms worker -F event,lock,owner_state,owner_sym 2>/dev/null >found.places
mutexes() { grep -E ' \(mutex\) ' found.places; }
check "where the owner was when the wait began" eval 'mutexes | grep -q " S (sleep) clock_nanosleep use_mutex$" && ! mutexes | grep " S (sleep) clock_nanosleep" | grep -v " use_mutex$"'
check "where it gave the lock up, if nobody has seen it before" eval 'mutexes | grep -Eq " \(not known\) (use_mutex|one_round|work) \(unlocks\)$"'
"$PERF" script -i l.data --comms worker -F comm,event,ip,sym 2>/dev/null | awk '/offcpu-owner/ { on = 1; next } NF == 0 { on = 0 } on' >found.stacks
check "the owner's stack is unwound" grep -Eq " (one_round|work)$" found.stacks
check "the owner's activity" awk '$1 == "wrong" { ok = $2 == 0 } END { exit !ok }' found

# Locks of other programs: without debug information, in shared memory, and pointers that a function passes on.
cat >others.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
struct table { long rows; pthread_mutex_t lock; } table = { 0, PTHREAD_MUTEX_INITIALIZER };
struct job { long nr; struct { char state; pthread_mutex_t lock; } in; };
static struct job *job;
static pthread_mutex_t *shared;
static volatile int step, tid, kept;
/* Each lock is taken while the keeper is in keep(). */
static void next_step(int n)
{
	while (kept < n)
		usleep(1000);
	step = n;
}
__attribute__((noinline)) static void take(pthread_mutex_t *lock)
{
	pthread_mutex_lock(lock);
	__asm__ volatile("" ::: "memory");
}
static void *run(void *arg)
{
	pthread_setname_np(pthread_self(), "other");
	tid = syscall(SYS_gettid);
	next_step(1);
	pthread_mutex_lock(&table.lock);
	pthread_mutex_unlock(&table.lock);
	next_step(2);
	take(&job->in.lock);
	pthread_mutex_unlock(&job->in.lock);
	next_step(3);
	pthread_mutex_lock(shared);
	pthread_mutex_unlock(shared);
	usleep(100000);
	return NULL;
}
/* Holds the lock until the other thread has slept for some time at its step. */
static void keep(int until, pthread_mutex_t *lock)
{
	char path[64], state = 0;
	kept = until;
	while (step != until)
		usleep(1000);
	sprintf(path, "/proc/self/task/%d/stat", tid);
	while (state != 'S') {
		FILE *f = fopen(path, "r");
		if (!f || fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
			abort();
		fclose(f);
		usleep(1000);
	}
	usleep(60000);
	pthread_mutex_unlock(lock);
}
int main(void)
{
	pthread_t t;
	job = calloc(1, sizeof(*job));
	pthread_mutex_init(&job->in.lock, NULL);
	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_SHARED, -1, 0);
	pthread_mutex_init(shared, NULL);
	pthread_setname_np(pthread_self(), "keeper");
	for (int i = 0; i < 3; i++) {
		step = kept = 0;
		pthread_mutex_lock(&table.lock);
		pthread_mutex_lock(&job->in.lock);
		pthread_mutex_lock(shared);
		pthread_create(&t, NULL, run, NULL);
		keep(1, &table.lock);
		keep(2, &job->in.lock);
		keep(3, shared);
		pthread_join(t, NULL);
	}
	return 0;
}
END
locks_of() { # FILE, COMM: lock|owner of the waits of 50 ms and more
	"$PERF" report -i "$1" --stdio -q -g none --no-children -F period,lock,owner -t '|' --comms "$2" 2>/dev/null | awk -F'|' '$1 > 50e6 { sub(/ +$/, "", $2); sub(/ \([0-9]+\) *$/, "", $3); print $2 "|" $3 }' | sort
}
${CC:-cc} -O1 -g -pthread others.c -o others 2>err || cat err
record_waits --off-cpu -g -o others.data -- ./others
locks_of others.data other >found
# The keeper is in keep() all the time: asleep, or on a CPU; then only the end of the wait tells.
"$PERF" report -i others.data --stdio -q -g none --no-children -F period,lock,owner_sym -t '|' --comms other 2>/dev/null | awk -F'|' '$1 > 50e6 && $2 ~ /mutex/ { sub(/ *$/, "", $3); print $3 }' | sort -u >found.syms
check "the owner was in the function that keeps the lock" eval 'grep -q "^keep" found.syms && ! grep -vEx "keep( \(unlocks\))?" found.syms'
check "a pointer that is passed on" grep -qFx "struct job.in.lock (mutex)|keeper" found
check "a lock without a name has its address" grep -Eqx "0x[0-9a-f]+ \(mutex\)\|keeper" found
${CC:-cc} -O1 -pthread others.c -o others 2>err || cat err
record_waits --off-cpu -g -o bare.data -- ./others
locks_of bare.data other >found
check "without debug information: the symbol" grep -Eqx "table\+0x8 \(mutex\)\|keeper" found
locks_of others.data keeper >found
check "the end of a thread" grep -Eqx "thread [0-9]+ \(join\)\|other" found

# C++: std::mutex and std::shared_mutex are glibc's locks. The owner keeps each one until the other thread sleeps for it.
cat >std.cc <<'END'
#include <chrono>
#include <cstdio>
#include <mutex>
#include <pthread.h>
#include <shared_mutex>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

struct cache {
	long hits;
	std::mutex lock;
} cache;
struct table {
	long size;
	std::shared_mutex lock;
} table;
static pthread_barrier_t gate;
static int waiter;

template <typename T> static void keep(T &lock)
{
	unsigned long at = 0;
	char path[64];
	int call = 0;

	snprintf(path, sizeof(path), "/proc/self/task/%d/syscall", waiter);
	while (call != SYS_futex || at - (unsigned long)&lock >= sizeof(lock)) {
		FILE *f = fopen(path, "r");
		if (!f || fscanf(f, "%d %lx", &call, &at) != 2)
			call = 0;
		if (f)
			fclose(f);
		usleep(1000);
	}
	usleep(60000);
	lock.unlock();
	pthread_barrier_wait(&gate);
}
__attribute__((noinline)) static void own()
{
	cache.lock.lock();
	pthread_barrier_wait(&gate);
	keep(cache.lock);
	for (int i = 0; i < 2; i++) {
		table.lock.lock();
		pthread_barrier_wait(&gate);
		keep(table.lock);
	}
}
__attribute__((noinline)) static void wait()
{
	waiter = (int)syscall(SYS_gettid);
	pthread_barrier_wait(&gate);
	{ std::lock_guard<std::mutex> taken(cache.lock); }
	pthread_barrier_wait(&gate);
	pthread_barrier_wait(&gate);
	{ std::unique_lock<std::shared_mutex> taken(table.lock); }
	pthread_barrier_wait(&gate);
	pthread_barrier_wait(&gate);
	{ std::shared_lock<std::shared_mutex> taken(table.lock); }
	pthread_barrier_wait(&gate);
}
int main()
{
	pthread_barrier_init(&gate, nullptr, 2);
	std::thread a([] { pthread_setname_np(pthread_self(), "owns"); own(); });
	std::thread b([] { pthread_setname_np(pthread_self(), "waits"); wait(); });
	a.join();
	b.join();
}
END
if ${CXX:-g++} -O2 -g -pthread std.cc -o std 2>err; then
	record_waits --off-cpu -g -o std.data -- ./std
	"$PERF" script -i std.data -G --comms waits -F event,period,lock,owner 2>/dev/null | awk '$1 > 50e6 && / owns \(/' | sed -E 's/.*offcpu-time: +//; s/ owns .*//' | sort | uniq -c | sed 's/^ *//' >found
	printf '1 cache.lock (mutex)\n2 table.lock (rwlock)\n' >wanted
	check "std::mutex and std::shared_mutex" diff wanted found
else
	skip "std::mutex and std::shared_mutex" "no C++ compiler" 1
fi

# Two threads wait for each other since before the recording, and a third one for the end of one of them.
cat >hangs.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
struct account { long money; pthread_mutex_t lock; } accounts[2] = { { 1, PTHREAD_MUTEX_INITIALIZER }, { 2, PTHREAD_MUTEX_INITIALIZER } };
static pthread_barrier_t both;
__attribute__((noinline)) static void transfer(int from, int to)
{
	pthread_mutex_lock(&accounts[from].lock);
	pthread_barrier_wait(&both);
	pthread_mutex_lock(&accounts[to].lock);
	__asm__ volatile("" ::: "memory");
}
static void *run(void *arg)
{
	long first = (long)arg;
	pthread_setname_np(pthread_self(), first ? "second" : "first");
	transfer(first, !first);
	return NULL;
}
int main(void)
{
	pthread_t t;
	pthread_barrier_init(&both, NULL, 2);
	for (long i = 0; i < 2; i++)
		pthread_create(&t, NULL, run, (void *)i);
	printf("%d\n", getpid());
	fflush(stdout);
	pthread_join(t, NULL);
	return 0;
}
END
${CC:-cc} -O1 -g -pthread hangs.c -o hangs 2>err || cat err
mkfifo start
./hangs >start &
read -r hangs <start
# until two threads sleep in pthread_mutex_lock(), and the one that made them in pthread_join()
waiting() { cat "/proc/$hangs"/task/*/syscall 2>/dev/null | grep -cE "^202 0x[0-9a-f]+ $1 "; }
until [[ $(waiting "0x80 0x2") == 2 && $(waiting "0x109 0x[0-9a-f]+") == 1 ]]; do sleep 0.05; done
"$PERF" record --off-cpu -g -p "$hangs" -o hangs.data -- sleep 0.1 >/dev/null 2>err
kill "$hangs"
"$PERF" report -i hangs.data --stdio -q -g none --no-children -F period,comm,lock,owner,owner_state,owner_sym -t '|' 2>/dev/null |
	sed -E 's/^ *[0-9]+ *[|]//; s/ *[|] */|/g; s/thread [0-9]+/thread/; s/(first|second) \([0-9]+\)/\1/g; s/ *$//' | grep futex | sort >found
cat >wanted <<'END'
first|struct account.lock in accounts[1] (mutex)|second|S (sleep) futex|transfer
hangs|thread (join)|second|S (sleep) futex|transfer
second|struct account.lock in accounts[0] (mutex)|first|S (sleep) futex|transfer
END
check "waits that had begun before: their locks, and what the owners do" diff wanted found
check "the closing line says that they wait for each other" grep -Eq "DEADLOCK: each waits for a lock of the next: (first|second) \([0-9]+\) -> (first|second) \([0-9]+\) -> " err
"$PERF" report -i hangs.data --stdio -g none -s comm 2>&1 >/dev/null | sed -E 's/ \([0-9]+\)//g' >found
for one in "first waits for struct account.lock in accounts[1] (mutex) that second has, which waits for struct account.lock in accounts[0] (mutex) that first has" \
	"second waits for struct account.lock in accounts[0] (mutex) that first has, which waits for struct account.lock in accounts[1] (mutex) that second has"; do
	grep -Fq "DEADLOCK: $one" found && said=yes
done
check "perf report names the locks" test "${said:-}" = yes
"$PERF" record --off-cpu -o ends.data -- true >/dev/null 2>err
check "no such line without one" eval '! grep -q DEADLOCK err'
