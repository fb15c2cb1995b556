# SPDX-License-Identifier: GPL-2.0-or-later
# What do many ids cost a report? A recording of a million samples, each of a trace of its own, and
# a file of half a million spans in 200 MB of JSON: median of the times, and peak memory. Once more with
# call chains, of which there are 20,000. All are made once. Reports stay within 200 MB, or this fails.
set -u
. "$SRC/tools/perf/tests/bench/common"

samples() { # NUMBER [CHAINS]
	awk -v n="$1" -v chains="${2:-0}" 'BEGIN {
		srand(1)
		print "event cpu-clock sample_type=IP|TID|TIME|PERIOD|TLS_USER" (chains ? "|CALLCHAIN" : "") " tls_user=64"
		print "comm pid=10 text=server"
		print "tls_layout pid=10 at=0 tp_offset=-64 size=64 kind=0 layout=activity symbol=activity_record object=/none/server"
		print "mmap2 pid=10 start=0x1000 len=0x100000 file=/none/server"
		for (k = 0; k < chains; k++) {
			chain[k] = " chain=user," (4096 + 16 * int(rand() * 64))
			for (d = 1; d < 12; d++)
				chain[k] = chain[k] "," (4096 + 4096 * d + 16 * int(rand() * (d > 8 ? 1 : 3)))
		}
		for (i = 1; i <= n; i++)
			printf "sample pid=10 ip=0x1000 time=%d period=%d activity=%032x:%016x%s\n", 1000 + i, i % 1000 ? 1 : 100, i, i, \
				chains ? chain[int(rand() * chains)] : ""
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

make_ids() { # FILE [CHAINS]
	[[ -s $1.data ]] && return
	samples 1000000 ${2:+"$2"} >ids.txt && "$FORGE" ids.txt ids.new && mv ids.new "$1.data"
	rm -f ids.txt
}

make_ids ids
make_ids ids-chains 20000
[[ -s spans.json ]] || spans 500000 >spans.json

too_much=0
row() { # FILE OPTIONS...
	local data=$1.data costs
	shift
	costs=$(cost %e "$PERF" report --stdio -i "$data" "$@")
	printf '%-52s %s\n' "$*" "$costs"
	awk '{ exit !($1 != "failed:" && $3 <= 200) }' <<<"$costs" || too_much=1
}

printf '%-52s %10s %10s\n' "a million samples, each of its own trace" time peak
row ids -s comm
row ids -s trace_id
row ids -s trace_id,span_id
row ids --activity-tree
row ids -s span --spans=spans.json
row ids -s label:http.route --spans=spans.json
row ids --activity-tree --spans=spans.json
printf '%-52s %10s %10s\n' "the same with call chains" time peak
row ids-chains -s comm
row ids-chains -s trace_id
row ids-chains -s trace_id,sym
row ids-chains -s trace_id,sym --no-children -g caller
row ids-chains --activity-tree -s sym
((too_much)) && echo "a report needed more than 200 MB, or failed"
exit $too_much
