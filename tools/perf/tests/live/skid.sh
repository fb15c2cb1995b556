#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# How much --skid improves the answers, for a known program: chase spends its time in reading link.next, and
# samples of a timer are on the instructions after that load.
set -u
pass() { echo "ok - $1"; }
fail() { echo "not ok - $1"; }

"$PERF" record -e cpu-clock:u -F 2000 -o chase.data -- "$WORKLOADS/chase" 3 >log 2>&1 || {
	echo "ok - record # skip $(tail -1 log)"
	exit 0
}
truth='struct link +0x8 (next)'
share() { # options...: per cent of walk()'s samples that are charged to what they waited for
	"$PERF" script -i chase.data -S walk -F typeoff "$@" |
		awk -v truth="$truth" '{ sub(/^ +/, ""); sub(/ +$/, ""); n++; good += $0 == truth } END { printf "%d %.1f", n, n ? 100 * good / n : 0 }'
}
read -r samples without < <(share)
read -r _ with < <(share --skid)
echo "# of $samples samples in walk() $without % are charged to $truth without --skid, $with % with it"
((samples >= 500)) && pass "walk() has the samples" || fail "walk() has $samples samples"
awk "BEGIN { exit !($with >= 90) }" && pass "--skid charges 90 % or more to the load that waited" ||
	fail "--skid charges $with % to the load that waited"
awk "BEGIN { exit !($with > $without) }" && pass "more than without it" || fail "$without % without --skid"

"$PERF" report -i chase.data --stdio -s type >out 2>err
if grep -q -- '--skid charges' err; then
	grep -qF '(no memory access)' out && pass "report says that the samples access no memory" ||
		fail "report says that the samples access no memory"
else
	awk "BEGIN { exit !($without > 80) }" && echo "ok - report says so # skip this machine's timer hits the load" ||
		{ cat out err; fail "report names --skid"; }
fi
"$PERF" annotate -i chase.data --stdio --skid --data-type=link -n >out 2>err
awk -v all="$samples" '$2 == "0x8" && /next/ { found = $1 >= all * 0.9 } END { exit !found }' out &&
	pass "annotate --skid counts them for the member" || { cat out err; fail "annotate --skid counts them for the member"; }

# A precise hardware event has the right instruction and is not moved. (Without such events, record uses
# a timer.)
if "$PERF" record -e cycles:upp -F 2000 -o precise.data -- "$WORKLOADS/chase" 1 >log 2>&1 &&
	"$PERF" evlist -i precise.data | grep -q '^cycles'; then
	types() { "$PERF" script -i precise.data -F ip,typeoff "$@"; }
	cmp <(types) <(types --skid) && pass "precise samples stay where they are" || fail "precise samples stay where they are"
else
	echo "ok - precise samples stay where they are # skip this machine has no precise events"
fi
