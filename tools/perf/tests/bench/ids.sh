# SPDX-License-Identifier: GPL-2.0-or-later
# What do many ids cost a report? A recording of a million samples, each of a trace of its own, and
# a file of half a million spans in 200 MB of JSON: time and peak memory. Made once, kept in
# $O/bench. The bound that reports keep is 200 MB.
set -u
dir=$O/bench
mkdir -p "$dir"
cd "$dir" || exit 1
export PERF_PAGER=cat

if [[ ! -x /usr/bin/time ]]; then
	echo "ids: /usr/bin/time is missing (package time)"
	exit 1
fi

samples() {
	awk -v n="$1" 'BEGIN {
		print "event cpu-clock sample_type=IP|TID|TIME|PERIOD|TLS_USER tls_user=64"
		print "comm pid=10 text=server"
		print "tls_layout pid=10 at=0 tp_offset=-64 size=64 kind=0 layout=activity symbol=activity_record object=/none/server"
		for (i = 1; i <= n; i++)
			printf "sample pid=10 ip=0x1000 time=%d period=%d activity=%032x:%016x\n", 1000 + i, i % 1000 ? 1 : 100, i, i
	}'
}

spans() {
	awk -v n="$1" 'BEGIN {
		for (i = 1; i <= n; i++) {
			if (i % 100 == 1)
				printf "{\"resourceSpans\":[{\"resource\":{\"attributes\":[{\"key\":\"service.name\",\"value\":{\"stringValue\":\"shop\"}}]},\"scopeSpans\":[{\"scope\":{\"name\":\"http\"},\"spans\":["
			printf "%s{\"traceId\":\"%032x\",\"spanId\":\"%016x\",\"parentSpanId\":\"\",\"flags\":256,\"name\":\"GET /item/%d\",\"kind\":2,\"startTimeUnixNano\":\"%d000000000\",\"endTimeUnixNano\":\"%d000250000\",\"attributes\":[{\"key\":\"http.request.method\",\"value\":{\"stringValue\":\"GET\"}},{\"key\":\"http.route\",\"value\":{\"stringValue\":\"/item/{id}\"}},{\"key\":\"http.response.status_code\",\"value\":{\"intValue\":\"200\"}}],\"status\":{}}", \
				i % 100 == 1 ? "" : ",", i, i, i % 50, 1700000000 + i, 1700000000 + i
			if (i % 100 == 0)
				print "]}]}]}"
		}
	}'
}

if [[ ! -s ids.data ]]; then
	samples 1000000 >ids.txt && "$FORGE" ids.txt ids.new && mv ids.new ids.data
	rm -f ids.txt
fi
[[ -s spans.json ]] || spans 500000 >spans.json

cost() { # WHAT OPTIONS...
	local what=$1 s m
	shift
	/usr/bin/time -o time.log -f '%e %M' "$PERF" report --stdio -i ids.data "$@" >/dev/null 2>why || {
		printf '%-44s failed: %s\n' "$what" "$(tail -n 1 why)"
		return
	}
	read -r s m < <(tail -n 1 time.log)
	printf '%-44s %8s s %6d MB\n' "$what" "$s" $((m / 1024))
}

printf '%-44s %10s %9s\n' "a million samples, each of its own trace" time peak
cost "-s comm" -s comm
cost "-s trace_id" -s trace_id
cost "-s trace_id,span_id" -s trace_id,span_id
cost "--activity-tree" --activity-tree
cost "-s span, 500,000 spans in $(($(stat -c %s spans.json) >> 20)) MB" -s span --spans=spans.json
cost "-s label:http.route, the same" -s label:http.route --spans=spans.json
