#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Samples of a timer are charged to the access that waited, for programs whose source says which one that is:
# chase reads link.next in random order; each request of orders has its own slow access.
. "$SRC/tools/perf/tests/live/common"
. "$SRC/tools/perf/tests/orders_truth"
set -u

# A thread that loses its CPU while an access waits executes the access again later, and a sample at that moment names the access
# itself. A real-time priority keeps the CPU on a busy machine.
first=
chrt -f 10 true 2>/dev/null && first="chrt -f 10"
"$PERF" record -e cpu-clock:u -F 2000 -o chase.data -- $first "$WORKLOADS/chase" 3 >log 2>&1 ||
	skip_all_refused "record" log
plan 24
# share FILE FUNCTION FIELD [OPTION]...: number of samples of the function, and per cent of them with this field
share() {
	"$PERF" script -i "$1" -S "$2" -F typeoff "${@:4}" |
		awk -v truth="$3" '{ sub(/^ +/, ""); sub(/ +$/, ""); n++; good += $0 == truth } END { printf "%d %.1f", n, n ? 100 * good / n : 0 }'
}
least() { awk "BEGIN { exit !($1 >= $2) }"; }
next='struct link +0x8 (next)'
read -r samples charged < <(share chase.data walk "$next")
read -r _ before < <(share chase.data walk "$next" --skid=before)
read -r _ sampled < <(share chase.data walk "$next" --skid=sampled)
echo "# of $samples samples in walk() $charged % are charged to $next, $before % with --skid=before, $sampled % with --skid=sampled"
check "walk() has the samples" test "$samples" -ge 500
# Samples that name the load itself interrupted it in the middle: it was executed again.
check "98 % are charged to the load that waited" least "$charged + $sampled" 98
if least "$sampled" 50; then
	skip "few of them name it" "this machine's timer hits the load" 3
else
	check "few of them name it" least 5 "$sampled"
	check "--skid=before charges as many" least "$before + $sampled" 98
	"$PERF" report -i chase.data --stdio -s type --skid=sampled >out 2>err
	check "report says that the sampled instructions access no memory" grep -q 'without --skid=sampled' err
fi
"$PERF" report -i chase.data --stdio -s type >out 2>err
check "report does not say so by default" test "$(grep -c 'access no memory' err)" = 0
"$PERF" report -i chase.data --stdio -s type --symbols=walk >out 2>err
check "nor does it say unknown" eval 'grep -q "struct link" out && ! grep -q unknown out'
"$PERF" annotate -i chase.data --stdio --data-type=link -n >out 2>err
check "annotate counts them for the member" awk -v all="$samples" '$2 == "0x8" && /next/ { found = $1 >= all * 0.98 } END { exit !found }' out

# With a time instead of a number of requests, a busy machine would make too few of them (orders_truth).
"$PERF" record --sample-tls -e cpu-clock:u -F 2000 -o orders.data -- $first "$WORKLOADS/orders" 2500000r 2 1 >log 2>&1
# fields SPAN [OPTION]...: a line "SHARE FIELD" for each, the greatest first
fields() {
	"$PERF" report --stdio -q -t '|' -F sample,span,typeoff -i orders.data -g none "${@:2}" 2>/dev/null |
		awk -F'|' -v span="$1" '$2 ~ "^ *0*" span " *$" {
			sub(/ +$/, "", $3)
			all += n[++k] = $1
			field[k] = $3
		} END { for (i = 1; i <= k; i++) printf "%.1f %s\n", 100 * n[i] / all, field[i] }'
}
# charged FIELD FILE
charged() { awk -v field="$1" '{ share = $1; sub(/^[^ ]+ /, "") } $0 == field { found = share } END { print found + 0 }' "$2"; }
# truth REQUEST SPAN FIELD SHARE [OPTION]...
truth() {
	local share before
	fields "$2" "${@:5}" >"$1" && fields "$2" "${@:5}" --skid=sampled >"$1.sampled"
	share=$(charged "$3" "$1") before=$(charged "$3" "$1.sampled")
	echo "# $1 waits for: $(head -n 3 "$1" | paste -sd,); the sampled instructions access: $(head -n 3 "$1.sampled" | paste -sd,)"
	check "$1 waits for $3 most of all" test "$(head -n 1 "$1" | cut -d' ' -f2-)" = "$3"
	check "$1: that is $4 % of its time or more" least "$share" "$4"
	# The host of a virtual machine may interrupt an access, too.
	check "$1: and not less than samples name" least "$share + 1" "$before"
}
truth place 1 'struct level +0 (price)' 40
truth match 2 'struct order +0x8 (id_next)' 50 -S order_remove
truth cancel 3 'struct order +0 (id)' 60

two=$(first_of_two "$WORKLOADS/orders")
trades='struct account +0x50 (nr_trades)' open='struct account +0x58 (risk.open_orders)'
waits=$open hidden=$trades
[[ $two == trades ]] && waits=$trades hidden=$open
fields 4 >report && fields 4 --skid=sampled >report.sampled
echo "# report waits for: $(head -n 4 report | paste -sd,); the sampled instructions access: $(head -n 4 report.sampled | paste -sd,)"
check "the code of report is known" test -n "$two"
check "report waits for ${waits##* } of an account" least "$(charged "$waits" report)" 15
check "for cash" least "$(charged 'struct account +0x8 (cash)' report)" 15
check "for position" least "$(charged 'struct account +0x10 (position)' report)" 10
check "and hardly for ${hidden##* }, in the same line" least 10 "$(charged "$hidden" report)"

# A precise hardware event has the right instruction and is not moved. (Without such events, record uses
# a timer.)
if "$PERF" record -e cycles:upp -F 2000 -o precise.data -- "$WORKLOADS/chase" 1 >log 2>&1 &&
	"$PERF" evlist -i precise.data | grep -q '^cycles'; then
	types() { "$PERF" script -i precise.data -F ip,typeoff "$@"; }
	check "precise samples stay where they are" cmp <(types) <(types --skid)
	check "with --skid=sampled too" cmp <(types) <(types --skid=sampled)
else
	skip "precise samples stay where they are" "this machine has no precise events" 2
fi
