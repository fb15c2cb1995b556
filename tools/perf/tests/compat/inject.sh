#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What perf inject writes is read by stock perf as its input is: one report of both. With build-ids it has those that
# stock perf's inject adds.
. "$SRC/tools/perf/tests/compat/common"
if ! "$STOCK_PERF" record -q -e cpu-clock -o try.data true 2>why; then
	skip_all_refused "inject" why
fi
plan 92
load='i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; ls / >/dev/null'

# A report without what tells one file from another. Stock perf draws callers of equal weight in no
# order of its own, and columns of a pipe in other widths.
report() { # perf, file
	"$1" report --stdio -i "$2" 2>/dev/null | grep -vE '^# \(Tip|^#? *$' | in_no_order "$1"
}

in_no_order() { # perf
	if [[ $1 == "$STOCK_PERF" ]]; then
		sed -E 's/^[ |`-]+//; s/ +$//; s/\.{3,}/./g; s/ +/ /g' | grep . | sort
	else
		cat
	fi
}

lines() { # perf, file
	"$1" script -i "$2" 2>/dev/null
}

headers() { # file
	"$PERF" report --header-only -I -i "$1" | grep -vE '^# (data offset|data size|feat offset|captured|event :|missing|compressed)'
}

check() { # name, input, how to inject...
	local name=$1 in=$2
	shift 2
	rm -f out.data
	"$PERF" inject "$@" -i "$in" -o out.data || echo "not ok - $name: runs"
	for reader in "$PERF" "$STOCK_PERF"; do
		report "$reader" "$in" >before
		report "$reader" out.data >after
		same "$name: report of ${reader##*/usr/bin/}" before after
		lines "$reader" "$in" >before
		lines "$reader" out.data >after
		same "$name: samples of ${reader##*/usr/bin/}" before after
	done
	headers "$in" | grep -v 'missing features' >before
	headers out.data >after
	same "$name: header" before after
}

"$STOCK_PERF" record -q -e cpu-clock -F 2999 -g -o one.data sh -c "$load" 2>/dev/null
"$STOCK_PERF" record -q -e '{cpu-clock,task-clock}' -e page-faults -F 2999 -g -o several.data sh -c "$load" 2>/dev/null
"$STOCK_PERF" record -q -e cpu-clock -F 2999 --call-graph dwarf,4096 -z -o packed.data sh -c "$load" 2>/dev/null
"$PERF" record -q -e cpu-clock -F 2999 -g -o ours.data -- sh -c "$load" 2>/dev/null
for input in one several packed ours; do
	check "$input, as it is" $input.data
	check "$input, -b" $input.data -b
	check "$input, --buildid-all" $input.data --buildid-all
	check "$input, --mmap2-buildid-all" $input.data --mmap2-buildid-all
done
# Rows of equal weight stand in the order of the file, which -B makes that of time.
"$PERF" inject -B -i one.data -o out.data
"$STOCK_PERF" script -i one.data 2>/dev/null | sort >before
"$STOCK_PERF" script -i out.data 2>/dev/null | sort >after
same "-B: samples of stock perf" before after
[[ $("$PERF" report --stats -i out.data | awk '/MMAP2 events/ { print $3 }') -lt $("$PERF" report --stats -i one.data | awk '/MMAP2 events/ { print $3 }') ]] &&
	echo "ok - -B leaves out mappings without samples" || echo "not ok - -B leaves out mappings without samples"

# Order and number of records: nothing but what was asked for is added.
records() { "$PERF" script -D -i "$1" 2>/dev/null | grep -a PERF_RECORD_ | sed -E 's/0x[0-9a-f]+ (\[0x)/\1/' | grep -avE 'EVENT_UPDATE|COMPRESSED'; }
"$PERF" inject -i several.data -o out.data
records several.data >before
records out.data >after
same "records keep their order" before after

# Build-ids beside those of stock perf's inject -b. It adds none for what a mapping tells already.
ids() { "$PERF" buildid-list -i "$1" | grep -v ' \[' | sort -u; }
rm -f theirs.data
"$STOCK_PERF" record -q -N -B -e cpu-clock -F 2999 -g -o bare.data sh -c "$load" 2>/dev/null
"$STOCK_PERF" inject -b -i bare.data -o theirs.data 2>/dev/null
"$PERF" inject -b -i bare.data -o out.data
ids theirs.data >before
ids out.data >after
# Ours are also those of callers, as those of perf 7.3 are.
comm -12 before after >common
same "-b: the build-ids of stock perf's inject" before common
"$PERF" report --stats -i out.data | awk '/BUILD_ID events/ { print ($3 > 0) }' >records
"$STOCK_PERF" report --stats -i theirs.data 2>/dev/null | awk '/BUILD_ID events/ { print ($3 > 0) }' >stock.records
same "-b: there are BUILD_ID records" stock.records records

# Pipes: through ours, through both, from a pipe into a file.
"$STOCK_PERF" record -q -e cpu-clock -F 2999 -g -o - sh -c "$load" 2>/dev/null >pipe.data
report "$STOCK_PERF" pipe.data >before
cat pipe.data | "$PERF" inject -b >out.pipe
report "$STOCK_PERF" out.pipe >after
same "pipe to pipe, read by stock perf" before after
"$PERF" inject -b -i - -o out.data <pipe.data
lines "$STOCK_PERF" pipe.data >before
lines "$STOCK_PERF" out.data >after
same "pipe to file, read by stock perf" before after
"$PERF" inject -b -i one.data -o - | lines "$STOCK_PERF" - >after
lines "$STOCK_PERF" one.data >before
same "file to pipe, read by stock perf" before after
# Stock perf's puts samples of one time in another order, which branches of equal weight show.
cat pipe.data | "$PERF" inject | "$STOCK_PERF" inject -b 2>/dev/null | "$PERF" inject | report "$PERF" - | in_no_order "$STOCK_PERF" >after
report "$PERF" pipe.data | in_no_order "$STOCK_PERF" >before
same "through ours, stock perf's and ours" before after

# What cannot be done is said, and leaves nothing behind.
cp one.data same.data
"$PERF" inject -i same.data -o same.data 2>why && echo "not ok - the input is not overwritten" || {
	cmp -s one.data same.data && grep -q 'is also the input' why && echo "ok - the input is not overwritten" || {
		cat why
		echo "not ok - the input is not overwritten"
	}
}
head -c $(($(stat -c %s one.data) / 2)) one.data >cut.data
"$PERF" inject -i cut.data -o half.data 2>why && echo "not ok - no output of a damaged file" || {
	[[ ! -e half.data && -s why ]] && echo "ok - no output of a damaged file" || echo "not ok - no output of a damaged file"
}

# --sched-stat: each sched_stat sample of a thread gives its last switch a time and a period. (Stock perf 6.1's gives
# nothing, that of 7.3 the same as ours.)
if "$STOCK_PERF" record -q -e sched:sched_switch -e sched:sched_stat_runtime -e sched:sched_process_exit -g \
	-o sched.data sh -c 'for i in 1 2 3 4 5 6; do sleep 0.01; done' 2>why; then
	"$STOCK_PERF" script -i sched.data -G -F tid,time,period,event,trace 2>/dev/null | awk '
		{ event = $4; sub(/:$/, "", event) }
		event == "sched:sched_switch" { last[$1] = 1 }
		event == "sched:sched_process_exit" { delete last[$1] }
		event ~ /sched_stat/ {
			pid = $0; sub(/.* pid=/, "", pid); sub(/ .*/, "", pid)
			if (pid in last) print pid, $2, $3
		}' >before
	"$PERF" inject -s -i sched.data -o out.data
	"$STOCK_PERF" script -i out.data -G -F tid,time,period,event,trace 2>/dev/null | awk '{ print $1, $2, $3 }' >after
	same "--sched-stat: switches with the time and period of the statistics" before after
else
	skip_refused "--sched-stat" why
fi
