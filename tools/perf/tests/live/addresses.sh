#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Data addresses without hardware: perf record -d keeps registers, reports compute the address of the access that waited.
# workloads/sharing.c says where its counters are.
. "$SRC/tools/perf/tests/live/common"
alone_with perf_map_files
if ! "$PERF" record -q -d -e cpu-clock:u -F 2000 -o try.data -- "$WORKLOADS/sharing" 1.5 >out 2>why; then
	skip_all_refused "addresses" why
fi
plan 14

place() { awk -v name="$1" '$1 == name { print $2 }' out; } # hits, misses, heap, stack: as the program says

shown() { printf '0x%016x' $(($(place "$1") - ${2:-0})); } # as a report prints it

# Few samples have a pointer that has overwritten itself: where there is none, the program runs again.
for try in 1 2 3 4; do
	"$PERF" report --stdio -i try.data -s daddr,daddr_how,segment,object,typeoff --field-separator '|' 2>err |
		awk -F '|' '/^#/ { next } { for (i = 1; i <= NF; i++) gsub(/^ +| +$/, "", $i); print }' OFS='|' >found
	! grep -Fq '|(overwritten)|' found || break
	"$PERF" record -q -d -e cpu-clock:u -F 2000 -o try.data -- "$WORKLOADS/sharing" 1.5 >out 2>err
done
# row COUNTER TEXT: the samples at this address, at least 5 % of all, have this.
row() { awk -F '|' -v at="$(shown "$1")" -v text="$2" '$2 == at { sum += $1; if (index($0, text)) right += $1 }
	END { exit !(sum >= 5 && right >= 0.99 * sum) }' found; }
check "a member of an object in an array" row hits '|computed|static|struct stats table[2]|struct stats +0x80 (hits)'
"$PERF" report --stdio -q -i try.data -s index,object --field-separator '|' 2>index.err >indexes
check "the index in the array" grep -Eq '^ *[0-9.]+% *\|2 *\|struct stats table\[2\]' indexes
check "its neighbour" row misses '|computed|static|struct stats table[2]|struct stats +0x88 (misses)'
check "an object on the heap" row heap "|computed|heap|struct stats $(printf '%#x' $(($(place heap) - 0x88)))|struct stats +0x88 (misses)"
check "an object on a thread's stack" row stack "|computed|stack|struct stats $(printf '%#x' $(($(place stack) - 0x80)))|struct stats +0x80 (hits)"
awk -F '|' '/struct stats .0x8[08] .(hits|misses)/ && $2 != "N/A" { print $2 }' found | sort -u >counters
for counter in hits misses heap stack; do shown $counter && echo; done | sort >places
check "no other address has a counter's type" cmp counters places
check "a pointer that overwrote itself is said to be so, and has no address" grep -Eq '^ *[0-9.]+%\|N/A\|\(overwritten\)\|N/A\|N/A\|struct node \+0 \(next\)' found
check "a line says how many addresses are known" grep -Eq '^note: Data addresses: [0-9.]+ % computed from registers, .*[0-9.]+ % not known: the instruction overwrote its base or index' err

"$PERF" report --stdio -q --mem-mode -i try.data -s dcacheline 2>err | awk 'NF' >found
line=$(($(place hits) / 64 * 64 - $(place hits) + 2 * 0x90 + 0x80))
check "cache lines have both neighbours" grep -qF "table+$(printf '%#x' $line)" found

"$PERF" script -i try.data -F tid,ip,daddr,daddr_how,typeoff 2>err >found
check "perf script prints them" grep -q "$(shown hits) computed" found

# A watched address is the truth: whatever touches it, the registers give this address, and the event says it with -d.
"$PERF" record -q -e cpu-clock:u -o none.data -- "$WORKLOADS/sharing" 0.5 >/dev/null 2>why
"$PERF" report --stdio -i none.data -s daddr >found 2>err
check "without -d, a line says how to get them" grep -q 'no sample has a data address or registers: perf record -d' err

rm out
"$WORKLOADS/sharing" 60 >out &
program=$!
until grep -qs stack out; do sleep 0.05; done
for option in --intr-regs -d; do
	if "$PERF" record -q -e "mem:$(place hits)/8:rw:u" -c 20 $option -o watch$option.data -p $program -- sleep 1 >/dev/null 2>why; then
		"$PERF" script -i watch$option.data -F daddr,daddr_how 2>err | sort | uniq -c >found
		how=computed
		[[ $option == -d ]] && how=event
		check "each hit of a watched address has it ($how)" eval '[[ $(wc -l <found) == 1 ]] && grep -qF "$(shown hits) $how" found'
	else
		skip_refused "a watched address" why 1
	fi
done
kill $program
wait $program 2>/dev/null
if [[ -x $STOCK_PERF ]] && "$STOCK_PERF" report --stdio -i try.data >found 2>err; then
	check "stock perf reads the file" grep -q sharing found
else
	check "stock perf reads the file" eval '[[ ! -x $STOCK_PERF ]]'
fi
