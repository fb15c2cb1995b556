#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Recordings of two machines (two names of this one) and the spans that the recorded program
# exports: one report by span name, the same from each of the three formats.
. "$SRC/tools/perf/tests/live/common"
if ! "$PERF" record -q --sample-tls -o try.data true 2>why; then
	skip_all_refused "spans" why
fi

record_as() { # HOST
	unshare --uts sh -c 'hostname "$0"; exec "$@"' "$1" "$PERF" record -q --sample-tls \
		-k CLOCK_MONOTONIC -F 499 -o "$1.data" -- "$WORKLOADS/orders" 1 1 7 "$1" >log 2>err
}

if ! record_as alpha || ! record_as beta; then
	skip_all_refused "spans" err
fi
plan 5

result() { # NAME, with the status of the command before
	(($? == 0)) && echo "ok - $1" || echo "not ok - $1"
}

both=(-i alpha.data -i beta.data)
keys=host,service,span,parent_span,label:http.route
for format in otlp jaeger zipkin; do
	"$PERF" report --stdio -q "${both[@]}" --spans="alpha.$format.json" -s $keys >$format 2>err || cat err
done
[[ -s otlp ]] && diff otlp jaeger && diff otlp zipkin
result "OTLP, Jaeger and Zipkin tell the same"

for host in alpha beta; do
	for kind in place match cancel report; do
		grep -qE "^ +[0-9.]+% +$host +orders +$kind +session of [a-z]+ +/orders/$kind *$" otlp ||
			echo "$host: no row of $kind"
	done
done >missing
cat missing
[[ ! -s missing ]]
result "each kind of request of each host has its row, with parent and route"

# The time of a trace on each host alone adds up to its time in the report of both.
"$PERF" report --stdio -q "${both[@]}" -t, -F period,host,trace_id -s host,trace_id | tr -d ' ' | sort >together
for host in alpha beta; do
	"$PERF" report --stdio -q -i $host.data -t, -F period,host,trace_id -s host,trace_id
done | tr -d ' ' | sort >apart
[[ -s together ]] && diff <(grep . together) <(grep . apart)
result "traces add up over the hosts as they do on each"

"$PERF" report --stdio -q "${both[@]}" --spans=alpha.otlp.json --activity-tree >tree
awk '$4 == "session" { total += $1; if ($2 != "0.00%") bad = 1 } END { exit bad || total < 50 }' tree
result "the tree puts the requests below their clients' sessions"

"$PERF" script -i alpha.data --spans=alpha.otlp.json --span='mat*' -F span >rows
[[ -s rows && $(tr -d ' ' <rows | sort -u) == match ]]
result "script shows the samples of one span"
