#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The same program by frame pointers, by stacks and by stacks unwound while recording: the same callers, within what sampling
# leaves open. It runs for so much time on a CPU, which is as many samples on a busy machine.
. "$SRC/tools/perf/tests/live/common"
set -u

cat >work.c <<'C'
#include <stdlib.h>
#include <time.h>

/* A third, a third, a sixth, a sixth of the time. */
__attribute__((noipa)) static long spin(long n)
{
	volatile long x = n;

	for (long i = 0; i < n; i++)
		x = x * 3 + i;
	return x;
}

__attribute__((noipa)) static long one(long n) { return spin(2 * n) + 1; }
__attribute__((noipa)) static long two(long n) { return spin(n) + one(n / 2) + 2; }
__attribute__((noipa)) static long deep(long n, int depth)
{
	volatile char room[200];

	room[depth] = 1;
	return depth ? deep(n, depth - 1) + room[depth] : spin(n) + 3;
}

/* Never the same twice, so that no timer keeps step with the loop. */
static long some(void) { return 5000 + rand() % 30000; }

int main(void)
{
	long sum = 0;

	while (clock() < 3 * CLOCKS_PER_SEC / 2)
		sum += one(some()) + two(some()) + deep(some(), 60);
	return sum == 42;
}
C
if ! gcc --version >/dev/null 2>&1; then
	skip_all "call chains" "there is no gcc"
fi
if ! "$PERF" record -q -e cpu-clock:u -o probe.data true >record.log 2>&1; then
	skip_all_refused "call chains" record.log
fi
plan 24
gcc -O2 -fno-omit-frame-pointer -o framed work.c || exit 1
gcc -O2 -fomit-frame-pointer -o work work.c || exit 1

# Eight levels of 300 bytes, which take some samples each: the lower ones are cut, but what is above them was seen whole.
cat >levels.c <<'C'
#include <stdlib.h>
#include <time.h>

__attribute__((noipa)) static long level(int depth)
{
	volatile char room[256];
	volatile long x = 1;

	room[0] = 1;
	for (long i = 0; i < 3000000; i++)
		x = x * 3 + i;
	return depth ? level(depth - 1) + room[0] : x;
}

int main(int argc, char **argv)
{
	time_t end = time(NULL) + (argc > 1 ? atoi(argv[1]) : 3);
	long sum = 0;

	while (time(NULL) < end)
		sum += level(7);
	return sum == 42;
}
C
gcc -O2 -fomit-frame-pointer -o levels levels.c

# Percent of samples with FUNCTION anywhere on the chain below main.
share() { # file, function
	"$PERF" report -i "$1" --stdio -q --children -g none -s sym --percent-limit 0 2>/dev/null |
		awk -v f="$2" '$NF == f { sub("%", "", $1); print $1; exit }'
}

"$PERF" record -q -e cpu-clock:u -F 1999 --call-graph fp -o fp.data ./framed
"$PERF" record -q -e cpu-clock:u -F 1999 --call-graph dwarf,20000 -o dwarf.data ./work
"$PERF" record -e cpu-clock:u -F 1999 --call-graph live,20000 -o live.data ./work 2>live.log
"$PERF" record -e cpu-clock:u -F 1999 --call-graph live,1024 --no-stitch -o cut.data ./levels 2>cut.log
"$PERF" record -e cpu-clock:u -F 1999 --call-graph live,1024 -o stitched.data ./levels 2>stitched.log

samples() { # file
	"$PERF" report --stats -i "$1" 2>/dev/null | awk '/ SAMPLE events:/ { n = $3 } END { print n + 0 }'
}

# Four standard errors of a difference of two shares, and a point for what frame pointers miss: callers of a function that
# has just begun. Percent.
fp_nr=$(samples fp.data) dwarf_nr=$(samples dwarf.data) live_nr=$(samples live.data)
near='function near(x, y, n, m,    p) {
	p = (x + y) / 200
	return (x - y) ^ 2 < (1 + 400 * sqrt((p * (1 - p) + 0.001) * (1 / n + 1 / m))) ^ 2
}'

for f in main one two deep; do
	a=$(share fp.data $f) b=$(share dwarf.data $f) c=$(share live.data $f)
	if awk -v a="${a:-0}" -v b="${b:-0}" -v c="${c:-0}" -v n="$fp_nr" -v m="$dwarf_nr" -v l="$live_nr" \
		"$near"' BEGIN { exit !(a > 5 && near(a, b, n, m) && near(a, c, n, l)) }'; then
		echo "ok - call chains: $f is on as many by frame pointers, stacks and live: $a, $b, $c %"
	else
		echo "not ok - call chains: $f is on as many by frame pointers, stacks and live: $a, $b, $c %"
	fi
done

# The whole tree: percent of samples per path from main to the sampled function (recursion once).
paths() { # file
	"$PERF" script -i "$1" --no-inline -F ip,sym 2>/dev/null | awk '
		NF { if (!done && $2 != last) path = $2 (path == "" ? "" : ";" path); last = $2; done += $2 == "main"; next }
		path != "" { n[path]++; all++; path = last = ""; done = 0 }
		END { for (p in n) print 100 * n[p] / all, p }'
}
for how in fp dwarf live; do paths $how.data >$how.paths; done
for pair in "fp dwarf" "fp live" "dwarf live"; do
	read -r one other <<<"$pair"
	one_nr=${one}_nr other_nr=${other}_nr
	if awk -v n="${!one_nr}" -v m="${!other_nr}" "$near"' NR == FNR { a[$2] = $1; next } { b[$2] = $1 } END {
			for (p in a) all[p]
			for (p in b) all[p]
			for (p in all) {
				nr += a[p] > 5
				if (!near(a[p], b[p], n, m)) { bad = 1; print p, a[p], b[p] }
			}
			exit bad || nr < 4
		}' $one.paths $other.paths; then
		echo "ok - call chains: one tree by $one and by $other"
	else
		sort -rn $one.paths | head -6
		sort -rn $other.paths | head -6
		echo "not ok - call chains: one tree by $one and by $other"
	fi
done

reached() { # log
	sed -n 's/.* \([0-9.]*\) % to the root.*/\1/p' "$1"
}
cat live.log cut.log stitched.log
if awk -v x="$(reached live.log)" 'BEGIN { exit !(x > 99) }'; then
	echo "ok - call chains: live reaches the root"
else
	echo "not ok - call chains: live reaches the root"
fi
if awk -v x="$(reached cut.log)" 'BEGIN { exit !(x != "" && x < 90) }' && grep -q 'cut by the copy' cut.log; then
	echo "ok - call chains: what the copy cuts is told"
else
	echo "not ok - call chains: what the copy cuts is told"
fi
if awk -v x="$(reached cut.log)" -v y="$(reached stitched.log)" 'BEGIN { exit !(y > x + 10) }'; then
	echo "ok - call chains: stitched stacks reach the root more often"
else
	echo "not ok - call chains: stitched stacks reach the root more often"
fi

# The file is as any recording by frame pointers.
"$PERF" evlist -v -i live.data >out 2>&1
check "call chains: the file has chains and no stacks" eval 'grep -q "CALLCHAIN" out && ! grep -q "STACK_USER\|REGS_USER\|exclude_callchain_user" out'
stock=$("$STOCK_PERF" report -i live.data --stdio --children -g none -s sym 2>/dev/null | awk '$NF == "deep" { print $1; exit }')
ours=$("$PERF" report -i live.data --stdio --children -g none -s sym 2>/dev/null | awk '$NF == "deep" { print $1; exit }')
if [[ $stock && $stock == "$ours" ]]; then
	echo "ok - call chains: stock perf shows the same: $stock"
else
	echo "not ok - call chains: stock perf shows the same: $stock, $ours"
fi

# A program that runs before the recording starts: with -p its maps come from /proc.
./work &
sleep 0.3
"$PERF" record -e cpu-clock:u -F 1999 --call-graph live,20000 -p $! -o before.data -- sleep 1 2>before.log
wait
cat before.log
if awk -v x="$(reached before.log)" 'BEGIN { exit !(x > 99) }'; then
	echo "ok - call chains: of a process that ran before, too"
else
	echo "not ok - call chains: of a process that ran before, too"
fi

# Two threads, one deep and one flat: each has copies of its own size, so both reach the root for less than one size for both.
cat >sizes.c <<'C'
#include <pthread.h>
#include <time.h>

__attribute__((noipa)) static long spin(long n)
{
	volatile long x = n;

	for (long i = 0; i < n; i++)
		x = x * 3 + i;
	return x;
}

__attribute__((noipa)) static long deep(int depth)
{
	volatile char room[800];

	room[depth] = 1;
	return depth ? deep(depth - 1) + room[depth] : spin(30000);
}

static void *flat(void *arg)
{
	time_t end = time(NULL) + 2;

	while (time(NULL) < end)
		spin(30000);
	return arg;
}

int main(void)
{
	time_t end = time(NULL) + 2;
	pthread_t thread;
	long sum = 0;

	pthread_create(&thread, NULL, flat, NULL);
	while (time(NULL) < end)
		sum += deep(30);
	pthread_join(thread, NULL);
	return sum == 42;
}
C
gcc -O2 -pthread -fomit-frame-pointer -o sizes sizes.c
"$PERF" record -v -e cpu-clock:u -F 1999 --call-graph live,65528 --no-stitch -o sizes.data ./sizes 2>sizes.log
cat sizes.log
mean=$(sed -n 's/.*copies of \([0-9]*\) bytes on average.*/\1/p' sizes.log)
# Only the kernel's refusals are a reason to skip; a program that the verifier rejects is a failure.
refused='BPF program cannot be used here: (Operation not permitted|Operation not supported|Function not implemented|No such file or directory)'
if grep -qE "$refused" sizes.log; then
	skip "call chains: the size of copies is each thread's" "$(grep -oE "$refused" sizes.log)"
elif awk -v x="$(reached sizes.log)" -v m="${mean:-0}" 'BEGIN { exit !(x > 90 && m > 1000 && m < 45000) }'; then
	echo "ok - call chains: the size of copies is each thread's: 65528 at most, $mean on average"
else
	echo "not ok - call chains: the size of copies is each thread's: $mean on average"
fi
# The same samples as without: their period, and nothing of other events.
if "$STOCK_PERF" script -i sizes.data -F comm,tid,event,period 2>/dev/null | awk '$1 != "sizes" || $3 < 400000 || $4 != "cpu-clock:u:" { exit 1 } END { exit !NR }'; then
	echo "ok - call chains: and they are samples of the event that was asked for"
else
	"$STOCK_PERF" script -i sizes.data -F comm,tid,event,period 2>&1 | sort | uniq -c | head
	echo "not ok - call chains: and they are samples of the event that was asked for"
fi
# Two events, and no program is started: one size for all.
"$PERF" record -e cpu-clock:u,task-clock:u -F 999 --call-graph live,8192 -o two.data ./levels 1 2>two.log
if awk -v x="$(reached two.log)" 'BEGIN { exit !(x > 99) }' && ! grep -q 'on average' two.log; then
	echo "ok - call chains: several events have copies of one size"
else
	cat two.log
	echo "not ok - call chains: several events have copies of one size"
fi

# On a terminal there is a line while it runs.
if ! script -qec true /dev/null >/dev/null 2>&1; then
	skip "call chains: a line on a terminal" "there is no script(1)"
elif script -qec "'$PERF' record -e cpu-clock:u -F 999 --call-graph live -o tty.data ./levels 2" /dev/null </dev/null >tty.log 2>&1 &&
	grep -q $'\r[0-9]* stacks unwound, [0-9.]* % to the root\033\[K\r' tty.log && ! grep -q $'\r[0-9]* stacks unwound' two.log; then
	echo "ok - call chains: a line on a terminal"
else
	cat -v tty.log
	echo "not ok - call chains: a line on a terminal"
fi

# Stacks that are written as they are have an event of their own; there are none as long as they are unwound in time.
"$PERF" record -q -e cpu-clock:u -F 999 --call-graph live --live-wait=stacks -o late.data ./levels 1 2>late.log
if "$PERF" evlist -v -i late.data | grep -q '^cpu-clock:u-late: .*STACK_USER' &&
	[[ $("$STOCK_PERF" script -i late.data -F event 2>/dev/null | sort -u | tr -d ' ') == "cpu-clock:u:" ]]; then
	echo "ok - call chains: late stacks would have an event of their own"
else
	cat late.log
	echo "not ok - call chains: late stacks would have an event of their own"
fi

# The vdso of the kernel that recorded is kept, so that stacks can be unwound elsewhere.
cat >clock.c <<'C'
#include <time.h>
#include <unistd.h>

__attribute__((noipa)) static long ask(long n)
{
	struct timespec now;

	while (n--) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (sizeof(long) == 4)
			getppid();
	}
	return now.tv_nsec;
}

int main(void)
{
	while (clock() < CLOCKS_PER_SEC / 4)
		ask(10000);
	return 0;
}
C
gcc -O2 -o clock clock.c
export PERF_BUILDID_DIR=$PWD/cache
"$PERF" record -q -e cpu-clock:u -F 999 --call-graph dwarf -N -o clock.data ./clock
gcc -m32 -O2 -o narrow clock.c 2>narrow.log && PERF_BUILDID_DIR=$PWD/narrow.cache "$PERF" record -q -e cpu-clock -F 999 --call-graph dwarf -o narrow.data ./narrow &
[[ ! -e cache ]] && "$PERF" record -q -e cpu-clock:u -F 999 --call-graph dwarf -o clock.data ./clock
wait $!
vdso=$(echo cache/.build-id/??/*/vdso)
id=$(readelf -n "$vdso" 2>/dev/null | awk '/Build ID/ { print $3 }')
if [[ $id && $vdso == "cache/.build-id/${id:0:2}/${id:2}/vdso" ]] && "$PERF" report -i clock.data --stdio -v -g none --no-children -s sym 2>/dev/null | grep -q ' B \[\.\] .*clock_gettime'; then
	echo "ok - call chains: the vdso is kept by its build-id, and read from there"
elif ! "$PERF" script -i clock.data -F dso 2>/dev/null | grep -q vdso; then
	skip "call chains: the vdso is kept by its build-id, and read from there" "this kernel's clock is not read in the vdso"
else
	ls -lR cache
	"$PERF" report -i clock.data --stdio -v -g none --no-children -s sym 2>&1 | head -20
	echo "not ok - call chains: the vdso is kept by its build-id, and read from there"
fi
# A 32-bit process has the kernel's 32-bit vdso. Each of its system calls goes through it. Its clock functions have frame pointers
# instead of call-frame information, except in the first instructions of a function.
export PERF_BUILDID_DIR=$PWD/narrow.cache
name="call chains: the vdso of 32-bit processes is kept by its build-id, and read from there"
vdso=$(echo narrow.cache/.build-id/??/*/vdso | tr ' ' '\n' | xargs readelf -h 2>/dev/null | grep -c ELF32)
"$PERF" script -i narrow.data -F ip,sym,dso 2>/dev/null | awk -v RS= '/ __vdso_clock_/ { seen++ } / __kernel_vsyscall \(\[vdso32\]\)/ && / ask / && / main / { calls++ }
	/ __vdso_clock_gettime[0-9]* \(\[vdso32\]\)/ && / ask / && / main / { clock++ } END { print calls + 0, clock + 0, seen + 0 }' >narrow.counts
read -r calls clock seen <narrow.counts
if [[ ! -x narrow ]]; then
	skip "$name" "there is no 32-bit C here: $(head -1 narrow.log | cut -c -80)"
elif python3 -c 'import ctypes; c = ctypes.CDLL(None, use_errno=True); c.syscall(158, 0x2002, 0); exit(ctypes.get_errno() != 22)'; then
	skip "$name" "this kernel does not map it for others (CONFIG_CHECKPOINT_RESTORE)"
elif ((vdso == 1 && calls && (seen < 10 || clock * 2 >= seen))) && "$PERF" report -i narrow.data --stdio -v -g none --children -s sym 2>/dev/null | grep -q ' B \[\.\] __kernel_vsyscall'; then
	echo "ok - $name: $calls stacks of system calls, $clock of the clock"
else
	ls -lR narrow.cache
	"$PERF" report -i narrow.data --stdio -v -g none --children -s sym 2>&1 | head -20
	echo "not ok - $name"
fi
unset PERF_BUILDID_DIR

# Go's runtime switches to a stack of its own: frame pointers lead from there to the goroutine that asked for it.
mkdir switching && cat >switching/main.go <<'GO'
package main

import (
	"runtime"
	"time"
)

//go:noinline
func collect(n int) { // some garbage, then all of it, on the runtime's stack
	for i := 0; i < n; i++ {
		_ = make([]byte, 1<<12)
	}
	runtime.GC()
}

func main() {
	for end := time.Now().Add(time.Second); time.Now().Before(end); {
		collect(100)
	}
}
GO
# Of the stacks through systemstack: all, and those that lead on to where a goroutine begins.
switched() {
	"$PERF" script -i "$1" -F ip,sym 2>/dev/null | awk '
		/^$/ { if (on) { all++; good += begun }; on = begun = 0; next }
		{ on += $2 ~ /^runtime.systemstack/; begun += $2 ~ /^runtime.goexit/ }
		END { print all + 0, good + 0 }'
}
if ! (cd switching && HOME=$PWD GO111MODULE=off GOCACHE=$PWD/go GOTOOLCHAIN=local go build -o ../goes main.go) >go.log 2>&1; then
	skip "call chains: through Go's own stack" "there is no go that builds it: $(head -1 go.log | cut -c -80)" 2
else
	GOMAXPROCS=1 "$PERF" record -q -e cpu-clock:u -F 1999 --call-graph dwarf -o alone.data ./goes &
	"$PERF" record -q -e cpu-clock:u -F 1999 --call-graph live -o goes.data ./goes
	wait $!
	# Without frame pointers the runtime's stack is where it ends, also on the program's first thread, where an old return
	# address lies above it. (In front of the change, systemstack has the goroutine as its caller.)
	read -r through wrong < <("$PERF" script -i alone.data -F ip,sym 2>/dev/null | awk -v RS= -F'\n' '
		{ for (i = 2; i <= NF; i++) if ($i ~ / runtime.systemstack/) { all++; bad += i < NF && !/ runtime.goexit/; break } }
		END { print all + 0, bad + 0 }')
	name="call chains: nothing is made up behind Go's own stack"
	if ((through == 0)); then
		skip "$name" "it was never seen there"
	elif ((wrong == 0)); then
		echo "ok - $name: $through stacks"
	else
		"$PERF" script -i alone.data -F tid,ip,sym 2>/dev/null | grep -A2 runtime.systemstack | head -20
		echo "not ok - $name: $wrong of $through"
	fi
	read -r all good < <(switched goes.data)
	if ((all == 0)); then
		skip "call chains: through Go's own stack" "it was never seen there"
	elif ((good * 2 >= all)); then
		echo "ok - call chains: through Go's own stack: $good of $all"
	else
		echo "not ok - call chains: through Go's own stack: $good of $all"
	fi
fi

# Code of a just-in-time compiler has frame pointers and names in a map, and leads to the root.
cat >jit.js <<'JS'
function inner(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) | 0; return s; }
function outer(f, n) { try { return f(n) + 1; } finally { } }
for (let end = Date.now() + 1000, f = [inner, (n) => inner(n) + 2]; Date.now() < end;)
	for (let i = 0; i < 20; i++) outer(f[i % 2], 5000);
JS
if ! node --version >/dev/null 2>&1; then
	skip "call chains: through compiled JavaScript" "there is no node"
else
	"$PERF" record -e cpu-clock:u -F 999 --call-graph live,65528 -o node.data node --perf-basic-prof jit.js 2>node.log
	compiled=$("$PERF" report -i node.data --stdio -q --children -g none -s sym --percent-limit 0 2>/dev/null | awk '/jit.js:/ { n++ } END { print n + 0 }')
	rm -f "/tmp/perf-$("$PERF" script -i node.data -F pid 2>/dev/null | awk '{ print $1; exit }').map"
	if ((compiled)) && awk -v x="$(reached node.log)" 'BEGIN { exit !(x > 80) }'; then
		echo "ok - call chains: through compiled JavaScript: $compiled functions, $(reached node.log) % to the root"
	else
		cat node.log
		echo "not ok - call chains: through compiled JavaScript: $compiled functions"
	fi
fi

# Of a program of many functions, what was compiled to unwind them is kept for the next run, when a reader ends.
for ((i = 0; i < 200; i++)); do
	echo "__attribute__((noipa)) static long f$i(long n) { volatile long x = n; for (long i = 0; i < n; i++) x = x * 3 + i; return x; }"
done >many.c
{
	echo '#include <time.h>'
	echo 'static long (*const all[])(long) = {'
	for ((i = 0; i < 200; i++)); do echo "f$i,"; done
	echo '}; int main(void) { long s = 0; while (clock() < CLOCKS_PER_SEC) for (int i = 0; i < 200; i++) s += all[i](20000 + i * 7); return s == 42; }'
} >>many.c
gcc -O2 -fomit-frame-pointer -o many many.c || exit 1
if PERF_UNWIND_CACHE=$PWD/rows "$PERF" record -q -e cpu-clock:u -F 4000 --call-graph dwarf,1024 -o many.data ./many >many.log 2>&1 &&
	PERF_UNWIND_CACHE=$PWD/rows "$PERF" report -i many.data --stdio -q >many.first 2>>many.log &&
	[[ $(find rows -type f) ]] && PERF_UNWIND_CACHE=$PWD/rows "$PERF" report -i many.data --stdio -q >many.second 2>>many.log &&
	cmp many.first many.second; then
	echo "ok - call chains: rows of many functions are kept"
else
	cat many.log
	echo "not ok - call chains: rows of many functions are kept"
fi
