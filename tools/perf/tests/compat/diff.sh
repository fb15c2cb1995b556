#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf diff --plain and stock perf's diff say the same of the same recordings, line by line. Rows with equal numbers are
# avoided: upstream has no stated order for them. Ignored are blanks at the end of lines and empty lines. Not compared:
# -b (our shares stay those of all samples), and filters by one name (upstream leaves out its column).
. "$SRC/tools/perf/tests/tap"
command -v "$STOCK_PERF" >/dev/null || skip_all "perf diff" "there is no stock perf"
plan 21

# forge NAME alpha=N beta=N ...: a recording with N samples of programs of these names.
forge() {
	local name=$1 pid=10 word i time=0
	{
		echo "event cpu-clock type=software config=0 freq=1000 sample_type=IP|TID|TIME|CPU|PERIOD"
		for word in "${@:2}"; do
			echo "comm pid=$pid text=${word%=*}"
			for ((i = 0; i < ${word#*=}; i++)); do
				echo "sample pid=$pid ip=0x1000 cpu=$((i % 2)) time=$((1000000 * ++time)) period=1000"
			done
			pid=$((pid + 1))
		done
	} | "$FORGE" /dev/stdin "$name"
}
forge old.data alpha=601 beta=302 gone=97
forge new.data alpha=903 beta=431 new=155
forge third.data alpha=101 beta=707 gone=203 new=11

lines() { grep -v '^$' "$1" | sed 's/ *$//'; }
while read -r options; do
	# shellcheck disable=SC2086
	"$STOCK_PERF" diff -s comm $options >theirs 2>err
	# shellcheck disable=SC2086
	"$PERF" diff --plain -s comm $options >ours 2>>err
	[[ -s ours ]] && diff <(lines theirs) <(lines ours) && pass "perf diff $options" || { cat err && fail "perf diff $options"; }
done <<'OPTIONS'
old.data new.data
old.data third.data
new.data old.data
-c delta old.data third.data
-c delta-abs old.data third.data
-c ratio old.data new.data
-c wdiff:1,2 old.data new.data
-p old.data new.data
-F old.data new.data
-c ratio -p -F old.data third.data
-c wdiff:3,2 -F old.data third.data
-o 0 old.data third.data
-o 1 old.data third.data
-q old.data new.data
-C alpha,beta --percentage relative old.data new.data
--time 0.1,0.7 old.data new.data
old.data new.data third.data
-o 2 old.data new.data third.data
-F -p -c ratio old.data new.data third.data
OPTIONS

# What upstream's own test does: three recordings of a loop, whose function is in the output of their comparison.
"$PERF" record -q -o 1.data "$WORKLOADS/orders" 20000r 1 >log 2>err || { skip_refused "recordings of a loop" err 2 && exit; }
for i in 2 3; do "$PERF" record -q -o $i.data "$WORKLOADS/orders" 20000r 1 >log 2>err; done
"$PERF" diff -s comm 1.data 2.data 2>err | grep -q orders
check "two recordings of a program have its row" test $? = 0
"$PERF" diff -s comm 1.data 2.data 3.data 2>err | grep -q orders
check "three recordings of a program have its row" test $? = 0
