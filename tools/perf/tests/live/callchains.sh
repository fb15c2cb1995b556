#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The same program by frame pointers, by stacks and by stacks unwound while recording: the same callers, within what sampling
# leaves open. It runs for so much time on a CPU, which is as many samples on a busy machine.
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

int main(void)
{
	long sum = 0;

	while (clock() < 3 * CLOCKS_PER_SEC / 2)
		sum += one(20000) + two(20000) + deep(20000, 60);
	return sum == 42;
}
C
if ! gcc -O2 -fno-omit-frame-pointer -o framed work.c 2>/dev/null || ! gcc -O2 -fomit-frame-pointer -o work work.c; then
	echo "ok - call chains # skip there is no gcc"
	exit 0
fi
if ! "$PERF" record -q -e cpu-clock:u -o probe.data true >record.log 2>&1; then
	echo "ok - call chains # skip no recording here: $(tail -1 record.log)"
	exit 0
fi

# Eight levels of 300 bytes, which take some samples each: the lower ones are cut, but what is above them was seen whole.
cat >levels.c <<'C'
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

int main(void)
{
	long sum = 0;

	while (clock() < 3 * CLOCKS_PER_SEC / 2)
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

for f in main one two deep; do
	a=$(share fp.data $f) b=$(share dwarf.data $f) c=$(share live.data $f)
	if awk -v a="${a:-0}" -v b="${b:-0}" -v c="${c:-0}" \
		'function near(x, y) { return x - y < 5 && y - x < 5 } BEGIN { exit !(a > 5 && near(a, b) && near(a, c)) }'; then
		echo "ok - call chains: $f is on as many by frame pointers, stacks and live: $a, $b, $c %"
	else
		echo "not ok - call chains: $f is on as many by frame pointers, stacks and live: $a, $b, $c %"
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
if "$PERF" evlist -v -i live.data | grep -q 'STACK_USER\|REGS_USER\|exclude_callchain_user'; then
	echo "not ok - call chains: the file has chains and no stacks"
else
	echo "ok - call chains: the file has chains and no stacks"
fi
stock=$("$STOCK_PERF" report -i live.data --stdio --children -g none -s sym 2>/dev/null | awk '$NF == "deep" { print $1; exit }')
ours=$("$PERF" report -i live.data --stdio --children -g none -s sym 2>/dev/null | awk '$NF == "deep" { print $1; exit }')
if [[ $stock && $stock == "$ours" ]]; then
	echo "ok - call chains: stock perf shows the same: $stock"
else
	echo "not ok - call chains: stock perf shows the same: $stock, $ours"
fi

# What existed before the recording: by -p the maps come from /proc.
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
