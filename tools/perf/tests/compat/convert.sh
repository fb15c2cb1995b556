#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf inject --convert-callchain: the output, whose samples have call chains instead of registers and stacks, has the
# report of the input, with any number of threads, from files and pipes; stock perf reads it.
. "$SRC/tools/perf/tests/compat/common"
if ! "$STOCK_PERF" record -q -e cpu-clock --call-graph dwarf -o try.data true 2>why; then
	skip_all_refused "convert" why
fi
plan 24

cat >deep.c <<'C'
#include <math.h>
#include <stdlib.h>
volatile double sink;
static inline __attribute__((always_inline)) double work(double x)
{
	for (int i = 0; i < 40; i++)
		x = sqrt(x + i) * 1.0001;
	return x;
}
__attribute__((noinline)) double leaf(double x) { return work(x) + 1; }
__attribute__((noinline)) double deeper(int n, double x)
{
	volatile char b[64];
	b[n % 64] = n;
	return n ? deeper(n - 1, x + b[0]) + 1 : leaf(x);
}
static int compare(const void *a, const void *b)
{
	sink = leaf(*(const int *)a);
	return *(const int *)a - *(const int *)b;
}
int main(int argc, char **argv)
{
	static int a[1000];
	for (int i = 0; i < 60; i++) {
		for (int k = 0; k < 1000; k++)
			a[k] = rand();
		qsort(a, 1000, sizeof(*a), compare);
		for (int k = 0; k < 100; k++)
			sink = deeper(k % 120, k);
	}
	return 0;
}
C
cc -O2 -g -o deep deep.c -lm || exit 1

check() { # name, input, how to report...
	local name=$1 in=$2
	"$PERF" report --stdio -i "$in" >before
	"$PERF" report --stdio -i out.data >after
	same "$name: report" before after
	"$PERF" script -i "$in" >before
	"$PERF" script -i out.data >after
	same "$name: samples" before after
}

for input in one several packed threads; do
	case $input in
	one) options=(-e cpu-clock -F 4999 --call-graph dwarf ./deep) ;;
	several) options=(-e cpu-clock,page-faults -e task-clock/call-graph=no/ -F 2999 --call-graph dwarf,4096 ./deep) ;;
	packed) options=(-e cpu-clock -F 2999 --call-graph dwarf -z ./deep) ;;
	threads) options=(-e cpu-clock -F 2999 --call-graph dwarf sh -c './deep & ./deep & wait') ;;
	esac
	"$STOCK_PERF" record -q -o $input.data "${options[@]}"
	"$PERF" inject --convert-callchain -i $input.data -o out.data
	check $input $input.data
	cp out.data $input.out
	"$PERF" inject --convert-callchain --threads=1 -i $input.data -o out.data
	cmp out.data $input.out && echo "ok - $input: one thread writes the same" || echo "not ok - $input: one thread writes the same"
done
"$STOCK_PERF" record -q -e cpu-clock -F 2999 --call-graph dwarf -o - ./deep >pipe.data
"$PERF" inject --convert-callchain -i - <pipe.data >out.data
check "pipe to pipe" pipe.data
"$PERF" inject --convert-callchain -b -i - -o out.data <pipe.data
check "pipe to file" pipe.data

# The file is small, says that it has chains, and stock perf finds in it the functions of the program.
[[ $(stat -c %s one.out) -lt $(($(stat -c %s one.data) / 10)) ]] && echo "ok - the output takes less than a tenth" || echo "not ok - the output takes less than a tenth"
"$STOCK_PERF" evlist -v -i one.out 2>/dev/null | grep -v '# Tip' >events
grep -q CALLCHAIN events && ! grep -qE 'REGS_USER|STACK_USER' events && echo "ok - stock perf: samples have chains, no stacks" || {
	cat events
	echo "not ok - stock perf: samples have chains, no stacks"
}
# (Stubs of the PLT have no names to stock perf, which takes the function before them.)
names() { awk '{ sub(/@@.*/, "", $2); print $2 ~ /@plt$|^_init$/ ? "stub" : $2 }'; }
"$PERF" script -F ip,sym --no-inline -i one.out | names >before
"$STOCK_PERF" script -F ip,sym --no-inline -i one.out 2>/dev/null | names >after
same "stock perf: the same frames" before after

# Statistics: all that came are accounted for.
"$PERF" inject --convert-callchain --stats -i one.data -o out.data 2>stats
samples=$("$PERF" report --stats -i one.data | awk '/SAMPLE events/ { print $3; exit }')
grep -q "^Stacks: received $samples, to the root" stats && grep -q '^By process:' stats && grep -q '^By the module' stats && echo "ok - --stats" || {
	cat stats
	echo "not ok - --stats"
}
read -r steps hits misses < <(sed -nE 's/^Steps: ([0-9]+), rules at hand for ([0-9.]+)%, looked up for ([0-9.]+)%, by frame pointers [0-9]+$/\1 \2 \3/p' stats)
if [[ ${steps:-0} -ge $samples ]] && awk "BEGIN { exit !($hits > 50 && $misses > 0 && $hits + $misses > 99.9) }"; then
	echo "ok - --stats: how often a rule was at hand"
else
	cat stats
	echo "not ok - --stats: how often a rule was at hand"
fi
"$PERF" inject --convert-callchain --stats-format=elfutils -i one.data -o out.data 2>stats
grep -qE "^[0-9]+ deep -- max [0-9]+ frames, received $samples samples, lost [0-9]+ samples \([0-9.]+%\) \(last eh_frame, worst eh_frame\)$" stats &&
	grep -qE "^TOTAL -- received $samples samples, lost [0-9]+ samples, loaded 1 processes$" stats && echo "ok - --stats-format=elfutils" || {
	cat stats
	echo "not ok - --stats-format=elfutils"
}
"$STOCK_PERF" record -q -e cpu-clock -F 2999 --call-graph dwarf,1024 -o small.data ./deep
"$PERF" inject --convert-callchain --stats -i small.data -o out.data 2>stats
grep -qE 'cut by the copy' stats && grep -qE 'the next caller is within [0-9]+ bytes' stats && echo "ok - --stats says what copy would have sufficed" || {
	cat stats
	echo "not ok - --stats says what copy would have sufficed"
}

# Without stacks there is nothing to convert.
"$PERF" inject --convert-callchain -i one.out -o none.data 2>why && echo "not ok - refused without stacks" || {
	grep -q 'call-graph dwarf' why && [[ ! -e none.data ]] && echo "ok - refused without stacks" || echo "not ok - refused without stacks"
}
