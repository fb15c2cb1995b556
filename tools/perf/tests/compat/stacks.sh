#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Registers and stacks (record --call-graph dwarf): stock perf reads ours, we read stock perf's, and of each file
# both show the same chains.
set -u
. "$SRC/tools/perf/tests/compat/common"

cat >work.c <<'C'
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return x < y ? -1 : x > y;
}

__attribute__((noinline)) static long sort(const int *from, long depth)
{
	int values[300];

	if (depth)
		return sort(from, depth - 1) + 1;
	memcpy(values, from, sizeof(values));
	qsort(values, 300, sizeof(int), by_value);
	return values[7];
}

int main(void)
{
	int values[300];
	long sum = 0;

	for (int i = 0; i < 12000; i++) {
		for (int k = 0; k < 300; k++)
			values[k] = rand();
		sum += sort(values, i % 5);
	}
	return sum == 42;
}
C
if ! gcc -O2 -fomit-frame-pointer -g -o work work.c 2>/dev/null; then
	skip_all "stacks" "there is no gcc"
fi
plan 5

# What perf script says of each sample: thread, time, functions. perf 6.1 ends cut chains with a frame of address -1, and calls a
# PLT's stub _init or @plt.
chains() { # perf, file
	"$1" script --no-inline -i "$2" -F comm,tid,time,ip,sym 2>/dev/null |
		grep -v -e '^\s*ffffffffffffffff' | sed -E 's/[ \t]+/ /g; s/^ [0-9a-f]+ /  /; s/ (_init|[a-z_]*@plt)$/ PLT/'
}

# Of @file both print the same, but for two things that perf 6.1 gets wrong in fewer than one of 200 lines: libunwind
# drops a frame of some recursions, and ends in the dynamic linker.
same() { # name, file
	chains "$STOCK_PERF" "$2" >stock.txt
	chains "$PERF" "$2" >ours.txt
	local differ whole
	whole=$(grep -c . stock.txt)
	differ=$(diff stock.txt ours.txt | grep -c '^[<>]')
	if ((whole > 500 && differ * 200 <= whole)); then
		echo "ok - stacks: $1: $differ of $whole lines differ"
	else
		diff stock.txt ours.txt | head -20
		echo "not ok - stacks: $1: $differ of $whole lines differ"
	fi
}

for who in "$STOCK_PERF" "$PERF"; do
	name=ours
	[[ $who == "$STOCK_PERF" ]] && name=stock
	for size in 8192 1024; do
		if ! "$who" record -q -e cpu-clock:u -F 2000 --call-graph dwarf,$size -o $name.data ./work >record.log 2>&1; then
			skip_refused "stacks: $name $size" record.log
			continue
		fi
		same "recorded by $name with $size bytes" $name.data
	done
done
attributes() { # file
	"$PERF" evlist -v -i "$1" | grep -oE '(sample_type|sample_regs_user|sample_stack_user|exclude_callchain_user|mmap_data): [^,]*' |
		sed 's/ADDR|//; s/|DATA_SRC//' # which perf 6.1 adds
}
name="stacks: attributes are those of stock perf"
if [[ -s stock.data && -s ours.data ]]; then
	attributes stock.data >stock.attributes
	attributes ours.data >ours.attributes
	[[ -s stock.attributes ]] && cmp stock.attributes ours.attributes && pass "$name" || fail "$name"
else
	skip_refused "$name" record.log
fi
