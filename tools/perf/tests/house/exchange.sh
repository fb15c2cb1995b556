#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The formats of perf data convert: other people's programs read them, and their sums are ours, also of many spans.
# cases/data-exchange has what is in the files. Readers that no Debian package has are found by these variables:
#
#	OTLP_PROTO		the repository opentelemetry-proto, release 1.11.0, for protoc
#	NODE_MODULES		the folder node_modules with speedscope and @firefox-devtools/profiler-cli
. "$SRC/tools/perf/tests/tap"
plan 21
here=$SRC/tools/perf/tests/exchange
# A real recording, which does not tell the time of day. Code at several addresses of one function is one place then.
data=$SRC/tools/perf/tests/data/orders
added_up() { awk '{ value = $NF; $NF = ""; sum[$0] += value } END { for (stack in sum) printf "%s %.0f\n", stack, sum[stack] }' "$1" | sort; }
"$PERF" data convert -f --to=folded -i "$data/orders.data" --symfs "$data" -o orders.folded 2>err
added_up orders.folded >found
for format in pprof otlp; do
	"$PERF" data convert -f --to=$format -i "$data/orders.data" --symfs "$data" -o orders.$format 2>err
	"$PERF" data convert --to=folded -i orders.$format -o again 2>err
	added_up again >out
	[[ -s out ]] && cmp -s found out && pass "$format: the stacks of a real recording come back" ||
		{ diff found out | head; fail "$format: the stacks of a real recording come back"; }
done

"$here/recording" 70000
from=(--symfs "$PWD" --spans spans.json)
formats="folded pprof speedscope firefox otlp perfetto"

# Of each event: "cpu-clock 70007 70007000000".
for event in cpu-clock wall; do
	"$PERF" script -i perf.data -F event,period 2>/dev/null | awk -v e="$event:" '$2 == e { n++; sum += $1 } END { printf "%s %.0f %.0f\n", e, n, sum }'
done | tr -d : >ours
[[ $(<ours) == "cpu-clock 70007 70007000000
wall 1 30000000" ]] && pass "what perf script says" || { cat ours; fail "what perf script says"; }

for format in $formats; do
	"$PERF" data convert --to=$format "${from[@]}" -o out.$format 2>err
	python3 "$here/read" $format out.$format >read.$format || cat read.$format
	case $format in
	folded) awk -F'|' '{ sum[$2] += $7 } END { for (e in sum) print e, sum[e] }' OFMT=%.0f CONVFMT=%.0f read.$format ;;
	*) awk -F'|' '$1 !~ /^(marker|slice) / { sum[$1] += $7 } END { for (e in sum) print e, sum[e] }' OFMT=%.0f CONVFMT=%.0f read.$format ;;
	esac | sort >found
	cut -d' ' -f1,3 ours | cmp -s - found && pass "$format: the sums are ours" || { cat err found; fail "$format: the sums are ours"; }
done
# As many samples, where the format counts them.
for format in pprof firefox otlp perfetto; do
	n=$(awk -F'|' '$1 == "cpu-clock" { n += $6 } END { print n }' read.$format)
	[[ $n == 70007 ]] && pass "$format: as many samples" || { echo "$n"; fail "$format: as many samples"; }
done
[[ $(grep -o "span_id=[0-9a-f]*" read.pprof | sort -u | wc -l) == 70003 ]] && pass "pprof: each span is told apart" || fail "pprof: each span is told apart"
cmp -s read.pprof read.otlp && pass "pprof and OTLP say the same" || fail "pprof and OTLP say the same"

if go tool pprof -h 2>&1 | grep -q tagroot; then
	go tool pprof -sample_index=cpu-clock -tagroot=span_name -nodefraction=0 -top out.pprof >out 2>err
	check "go tool pprof: spans are roots" grep -q ' GET /cart$' out
	go tool pprof -sample_index=cpu-clock -raw out.pprof 2>err | awk '/^ +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+: / { sum += $2; wall += $4 } END { printf "%.0f %.0f\n", sum, wall }' >out
	check "go tool pprof: the sums are ours" grep -q '^70007000000 30000000$' out
else
	skip "go tool pprof" "no go" 2
fi

if ! protoc --version >/dev/null 2>&1; then
	skip "protoc" "no protoc (package protobuf-compiler)" 1
elif [[ ! -f ${OTLP_PROTO:-}/opentelemetry/proto/profiles/v1development/profiles.proto ]]; then
	skip "protoc: the published messages of OTLP" "OTLP_PROTO names no repository"
else
	protoc --decode=opentelemetry.proto.profiles.v1development.ProfilesData -I"$OTLP_PROTO" \
		opentelemetry/proto/profiles/v1development/profiles.proto <out.otlp >out 2>err
	check "protoc: the published messages of OTLP" test "$(grep -c 'timestamps_unix_nano' out)" = 70008 -a -z "$(grep -E '^ *[0-9]+[:{ ]' out)"
fi

schema=${NODE_MODULES:-}/speedscope/dist/release/file-format-schema.json
if [[ ! -f $schema ]]; then
	skip "speedscope: its schema" "NODE_MODULES has no speedscope"
elif ! python3 -c 'import jsonschema' 2>/dev/null; then
	skip "speedscope: its schema" "no jsonschema module for python3"
else
	python3 -c 'import json, sys, jsonschema
jsonschema.validate(json.load(open("out.speedscope")), json.load(open(sys.argv[1])))' "$schema" >out 2>err
	check "speedscope: its schema" test ! -s err
fi

profiler=${NODE_MODULES:-}/.bin/profiler-cli
if [[ ! -x $profiler ]] || ! node --version >/dev/null 2>&1; then
	skip "Firefox' profiler" "NODE_MODULES has no profiler-cli, or there is no node" 2
else
	cp out.firefox profile.json
	timeout 100 "$profiler" load "$PWD/profile.json" >out 2>err
	timeout 100 "$profiler" thread select t-0 >>out 2>>err
	timeout 100 "$profiler" thread samples >>out 2>>err
	check "Firefox' profiler: functions" grep -q 'chains!add_line - total' out
	timeout 100 "$profiler" thread markers --list --limit 5 >out 2>err
	check "Firefox' profiler: spans are markers" grep -q 'GET /cart' out
	timeout 100 "$profiler" stop >/dev/null 2>&1
fi
