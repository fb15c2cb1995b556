#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf c2c: who shares cache lines, from computed addresses. workloads/lines.c has pairs of threads that share in known ways, or do
# not, each with a type of its own.
. "$SRC/tools/perf/tests/live/common"
alone_with perf_map_files
if ! "$PERF" c2c record -q -e cpu-clock:u -F 2000 -o try.data -- "$WORKLOADS/lines" 60 >out 2>why; then
	skip_all_refused "c2c" why
fi
plan $(($(wc -l <out) + 4))

"$PERF" c2c report -i try.data --format=csv >found 2>err
# how TYPE: how its objects are shared, with members each once.
how() { awk -F, -v type="struct $1 " 'index($0, type) { gsub(/"/, "", $3); print $3 }' found | sort -u; }
declare -A words=([same]="same bytes" [members]=members [neighbours]=neighbours [other]=others [none]="")
while read -r type kind; do
	check "$type: $kind" eval '[[ $(how $type) == "${words[$kind]}" ]]'
done <out

"$PERF" c2c report -i try.data >found 2>err
check "text" grep -Eq '^ +[0-9.]+% +members +[0-9.]+% +[0-9]+ +[0-9]+ +1 +struct (queue \+0 \(head\)|queue \+0x8 \(tail\)) +1 +1 +[0-9]+ +lines' found
check "how addresses are known" grep -q '^note: Data addresses: [0-9.]* % computed from registers' err
"$PERF" c2c report -i try.data --format=json >found 2>err
check "JSON" python3 -c 'import json; d = json.load(open("found")); rows = d["pages"][0]["rows"]; assert any(r["cells"]["sharing"] == "same bytes" and r["cells"]["threads"] == 2 for r in rows)'
"$PERF" record -q -e cpu-clock:u -F 2000 -o none.data -- "$WORKLOADS/sharing" 0.5 >/dev/null 2>why
check "a recording without addresses says what to do" eval '"$PERF" c2c report -i none.data >found 2>err && grep -q "No cache line was seen" found err && grep -q "perf record -d records them" err'
