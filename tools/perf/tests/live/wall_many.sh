#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf record --wall beside 10,000 threads: each is seen, or counted as lost.
. "$SRC/tools/perf/tests/live/common"
if [[ $(id -u) != 0 ]]; then
	skip_all "10,000 threads" "needs root"
elif ! "$PERF" record -q --wall --wall-source=bpf -a -o try.data true 2>why; then
	skip_all_refused "10,000 threads" why
fi
"$WORKLOADS/throng" 10000 0 1 0 60 >ready 2>refused &
pid=$!
for _ in $(seq 200); do
	grep -q ready ready && break
	kill -0 $pid 2>/dev/null || break
	sleep 0.1
done
if ! grep -q ready ready; then
	kill $pid 2>/dev/null
	skip_all "10,000 threads" "$(tail -1 refused)"
fi
plan 3
"$PERF" record --wall -a -o m.data -- sleep 0.5 >/dev/null 2>err
check "it records" test $? = 0
kill $pid
"$PERF" script -i m.data -G --comms throng -F tid 2>/dev/null | sort -u >tids
"$PERF" report -D -i m.data 2>/dev/null | grep -o "look at threads: .*" >found
lost=$(sed 's/.* \([0-9]*\) lost.*/\1/' found | sort -n | tail -1)
check "10,000 threads are seen, or counted: $(wc -l <tids) and ${lost:-none} lost" test $(($(wc -l <tids) + ${lost:-0})) -ge 10001
check "a look says how many there were" awk '$4 < 10001 { bad++ } END { exit !(NR > 2 && bad <= 1) }' found
