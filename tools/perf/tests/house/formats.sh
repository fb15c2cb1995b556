# SPDX-License-Identifier: GPL-2.0-or-later
# What programs read: --format=json holds to its schema and has the numbers of the text, --format=csv those
# of the JSON. Of forged recordings, so that groups, hierarchies, memory and activities are among them.
. "$SRC/tools/perf/tests/tap"
cases=$SRC/tools/perf/tests/cases
plan 114
schema=$SRC/Documentation/formats/rows.schema.json
# One process for all checks: to start Python with its schemas takes longer than most of them.
coproc FORMATS { exec python3 "$SRC/tools/perf/tests/house/formats.py" serve; }
check() {
	local IFS=$'\t' line
	echo "$*" >&"${FORMATS[1]}"
	while read -r line <&"${FORMATS[0]}"; do
		[[ $line != '= '[01] ]] || return "${line#= }"
		echo "$line"
	done
	echo "no answer"
	return 1
}

verdict() { # NAME, with the status of the command before
	(($? == 0)) && echo "ok - $1" || echo "not ok - $1"
}

if ! python3 -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null; then
	valid() { skip "$1: the JSON holds to the schema" "no jsonschema module for python3"; }
else
	valid() { # NAME, FILE
		check schema "$schema" "$2"
		verdict "$1: the JSON holds to the schema"
	}
fi

for name in rows groups callers memory branches activity label-ids spans parallelism ipc; do
	"$FORGE" <"$cases/report-$name/in.txt" >"$name.data"
done

# The same rows in all three forms.
forms() { # NAME of the recording, options...
	local name=$1 what="report -i $*"
	shift
	"$PERF" report -i "$name.data" -g none "$@" --format=json >a.json 2>err || cat err
	"$PERF" report -i "$name.data" -g none "$@" -q -t '|' >a.txt 2>/dev/null
	"$PERF" report -i "$name.data" -g none "$@" --format=csv >a.csv 2>/dev/null
	valid "$what" a.json
	check text a.json a.txt
	verdict "$what: the JSON says what the text does"
	check csv a.json a.csv
	verdict "$what: the CSV says what the JSON does"
}
forms rows
forms rows -s comm,dso,sym,cpu,time -n --show-total-period
forms rows -s symbol_size,dso_size,addr,comm_nodigit --percent-limit 5
forms groups
forms groups --no-group -s comm,sym
forms callers --children
forms memory --mem-mode
forms memory -s weight,local_weight,phys_daddr,sym -F +weight1,weight2
forms branches -b
forms activity -s activity,sym
forms label-ids -s label:http.route,comm
forms parallelism -s parallelism,latency,comm
forms rows --top 2 -s sym
"$FORGE" <"$SRC/tools/perf/tests/cases/c2c-report/in.txt" >shared.data && "$PERF" c2c report -i shared.data --format=json >a.json 2>err || cat err
valid "c2c report" a.json
"$FORGE" <"$SRC/tools/perf/tests/cases/c2c-hitm/in.txt" >hitm.data && "$PERF" c2c report -i hitm.data --format=json >a.json 2>err || cat err
valid "c2c report of HITM" a.json
"$PERF" mem report -i memory.data -s sym -F +op,cache,dtlb --format=json >a.json 2>err || cat err
valid "mem report -F +op,cache,dtlb" a.json

# Names with control characters and markup, as another user could choose them.
"$FORGE" <<'TEXT' >names.data
event cycles type=hardware config=0 sample_type=IP|TID|TIME|PERIOD|IDENTIFIER
comm pid=7 text='a,"b";c' time=1
comm pid=8 text==cmd|'x'! time=1
comm pid=9 text='\</script>' time=1
sample pid=7 time=10 ip=0x401049 period=30 misc=user
sample pid=8 time=11 ip=0x401049 period=20 misc=user
sample pid=9 time=12 ip=0x401049 period=10 misc=user
TEXT
forms names -s comm,sym
python3 -c 'import json; r = json.load(open("a.json"))["pages"][0]["rows"]; assert r[0]["cells"]["comm"] == "a,\"b\";c", r'
verdict "quotes, commas and brackets in names stay what they are"

# Levels.
levels() { # NAME, options...
	local name=$1 what="report -i $*"
	shift
	"$PERF" report -i "$name.data" -g none "$@" --format=json >a.json 2>err || cat err
	"$PERF" report -i "$name.data" -g none "$@" --format=csv >a.csv 2>/dev/null
	valid "$what" a.json
	check sums a.json
	verdict "$what: what is below adds up"
	check csv a.json a.csv
	verdict "$what: the CSV says what the JSON does"
}
levels rows --hierarchy -s comm,dso,sym
levels rows --hierarchy -s 'comm,{dso,sym}'
levels spans --activity-tree -s sym

# Call trees, as the text's lines have their names.
"$PERF" report -i callers.data --no-children -g graph,0 --format=json >calls.json
valid "call trees" calls.json
"$PERF" report -i callers.data --no-children -g folded,0,callee,function,period -q >folded.txt 2>/dev/null
python3 - calls.json folded.txt <<'PY'
import json, sys
def chains(calls, above):
    for call in calls:
        below = sum(c["period"] for c in call.get("calls", []))
        if call["period"] > below:
            yield call["period"] - below, ";".join(above + call["frames"])
        yield from chains(call.get("calls", []), above + call["frames"])
got = sorted(c for page in json.load(open(sys.argv[1]))["pages"] for row in page["rows"]
             for c in chains(row.get("calls", []), []))
lines = [line.rstrip("\n").split(" ", 1) for line in open(sys.argv[2]) if line[0].isdigit()]
expect = sorted((int(period), names) for period, names in lines)
if got != expect or not got:
    print("json:", got, "\nfolded:", expect)
    sys.exit(1)
PY
verdict "call trees have the chains that -g folded has"

# Lists and trees of tasks; the numbers are those of the text.
for list in stats tasks mmaps; do
	"$PERF" report -i callers.data --$list --format=json >a.json
	valid "report --$list" a.json
	"$PERF" report -i callers.data --$list --format=csv >a.csv
	check csv a.json a.csv
	verdict "report --$list: the CSV says what the JSON does"
done
"$PERF" report -i callers.data --stats --format=json >a.json
"$PERF" report -i callers.data --stats >a.txt
python3 - a.json a.txt <<'PY'
import json, re, sys
rows = [(r["cells"]["record"], r["cells"]["number"]) for r in json.load(open(sys.argv[1]))["pages"][0]["rows"]]
text = open(sys.argv[2]).read().split(" stats:\n")[1]
lines = [(name, int(nr)) for name, nr in re.findall(r"^ *(\S+) events: +(\d+)", text, re.M)][1:]
if rows != lines or not rows:
    sys.exit("%s, not %s" % (rows, lines))
PY
verdict "report --stats: the JSON says what the text does"

# Types, code and derivations, of recordings whose programs are shipped.
annotated() { # what the text has of it, as a python expression of `text`; options...
	local expect=$1 what="annotate ${*:2}"
	shift
	"$PERF" annotate -i types.data --symfs "$cases/../data/types" "$@" --format=json >a.json 2>err || cat err
	"$PERF" annotate -i types.data --symfs "$cases/../data/types" "$@" >a.txt 2>err || cat err
	valid "$what" a.json
	python3 - "$expect" <<'PY'
import json, re, sys
pages = json.load(open("a.json"))["pages"]
def flat(rows):
    for row in rows:
        yield row["cells"]
        yield from flat(row.get("rows", []))
got = [cells for page in pages for cells in flat(page["rows"])]
text = open("a.txt").read()
# Rows of a derivation without an address are remarks, which the text prints on a line of their own.
remarks = [cells["step"] for cells in got if "step" in cells and cells["address"] is None]
for remark in remarks:
    if not re.search("^  %s$" % re.escape(remark), text, re.M):
        sys.exit("the text does not say: %s" % remark)
got = [cells for cells in got if "step" not in cells or cells["address"] is not None]
expect = eval(sys.argv[1])
for cells in got:
    cells["%"] = "%.2f" % cells["overhead"]["percent"] if "overhead" in cells else ""
    cells["start"] = cells.get("instruction")
    for part in "reads", "writes":
        cells[part] = "%.2f" % cells[part]["percent"] if part in cells else ""
for cells, wanted in zip(got, expect):
    for key, value in wanted.items():
        if not value.startswith(cells[key]) if key == "start" else value != cells[key]:
            sys.exit("%s: %s, not %s in %s" % (key, cells[key], value, cells))
if not got or len(got) != len(expect):
    sys.exit("%d rows, %d in the text" % (len(got), len(expect)))
PY
	verdict "$what: the JSON says what the text does"
	"$PERF" annotate -i types.data --symfs "$cases/../data/types" "$@" --format=csv >a.csv 2>err || cat err
	check csv a.json a.csv
	verdict "$what: the CSV says what the JSON does"
}
"$FORGE" <"$cases/annotate-code/in.txt" >types.data
annotated '[{"%": p, "offset": int(o, 16), "size": int(s, 16), "type": t.strip(), "member": m} for p, o, s, t, m in
	re.findall(r"^ +([0-9.]+) +(0x[0-9a-f]+|0) +(0x[0-9a-f]+|0) +(.*)\t([^;:{ ]*)", text, re.M)]' --data-type
annotated '[{"%": p, "address": "0x" + a, "start": i} for p, a, i in
	re.findall(r"^ +([0-9.]+) :   ([0-9a-f]+):   (.*)", text, re.M)]' --code-with-type -v
annotated '[{"address": "0x" + a, "start": i} for a, i in
	re.findall(r"^ +([0-9a-f]+):  (.*)", text, re.M)[1:]]' --data-type --why walk+0x4c
annotated '[{"%": p, "reads": r, "writes": w, "offset": int(o, 16), "size": int(z, 16)} for p, r, w, o, z in
	re.findall(r"^ +([0-9.]+) +([0-9.]+) +([0-9.]+) +(0x[0-9a-f]+|0) +(0x[0-9a-f]+|0)  ", text, re.M)]' --layout
annotated '[{"%": p, "type": t, "reads": r, "writes": w} for p, t, r, w in
	re.findall(r"^ +([0-9.]+)% +\d+  (.*?)  +\d+ +([0-9.]+)% +([0-9.]+)%", text, re.M)]' --type-list
annotated '[{"%": p, "access": a, "symbol": s} for p, a, s in
	re.findall(r"^ +([0-9.]+)% +\d+ +(read|write) +(\S+)", text, re.M)]' --data-type=node --field=key
annotated '[{"%": p, "comm": c, "reads": r, "writes": w} for p, c, r, w in
	re.findall(r"^ +([0-9.]+)% +\d+  (\S+) +([0-9.]+)% +([0-9.]+)%", text, re.M)]' --data-type=node --by comm
"$PERF" annotate -i types.data --symfs "$cases/../data/types" --data-type --type-stat --insn-stat --format=json >a.json
valid "annotate --type-stat --insn-stat" a.json
"$PERF" annotate -i types.data --symfs "$cases/../data/types" --data-type --type-stat --format=json >a.json
python3 -c 'import json; p = json.load(open("a.json"))["pages"]; f = p[0]["facts"]; assert p[0]["kind"] == "type-stat" and (f["samples"], f["known"]) == (15, 12) and sum(r["cells"]["sample"] for r in p[0]["rows"]) == 15 and p[1]["title"] == "struct node", p'
verdict "--type-stat is a page before the types"

# Samples, one by one.
samples() { # NAME, options...
	local name=$1 what="script -i $*"
	shift
	"$PERF" script -i "$name.data" "$@" --format=json >a.json 2>err || cat err
	"$PERF" script -i "$name.data" "$@" --format=csv >a.csv 2>err || cat err
	if python3 -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null; then
		check lines "$SRC/Documentation/formats/samples.schema.json" a.json
		verdict "$what: each line holds to the schema"
	else
		skip "$what: each line holds to the schema" "no jsonschema module for python3"
	fi
	check samples-csv a.json a.csv
	verdict "$what: the CSV says what the JSON does"
}
"$FORGE" <"$cases/script-columns/in.txt" >columns.data
plain=comm,pid,tid,time,period,event,ip,sym,symoff,dso
for name in rows callers; do
	samples $name -F $plain -G
	"$PERF" script -i $name.data -F $plain -G --ns >a.txt
	check samples a.json a.txt
	verdict "script -i $name: the JSON says what the lines do"
done
samples columns
samples memory -F +addr,+weight,+data_src,+phys_addr
samples activity -F comm,time,activity,type,sym,ip
samples parallelism --reltime
"$PERF" script -i callers.data -F comm,ip,sym --format=json >a.json
"$PERF" script -i callers.data -F comm,ip,sym >a.txt
python3 - <<'PY'
import json, re, sys
got = [(r["cells"]["ip"], r["cells"].get("sym", "[unknown]"))
       for line in list(open("a.json"))[1:] for r in json.loads(line).get("rows", [])]
lines = [("0x" + a, s) for a, s in re.findall(r"^\t +([0-9a-f]+) (\S+)", open("a.txt").read(), re.M)]
if got != lines or not got:
    sys.exit("%s, not %s" % (got, lines))
PY
verdict "script: the frames are those of the lines"
"$PERF" script -i - --format=csv -F $plain <rows.data >a.csv && [[ $(wc -l <a.csv) -gt 2 ]]
verdict "script: a pipe has columns before it has events"
! "$PERF" script -i rows.data --format=json -D 2>err && grep -q 'prints only samples' err
verdict "script: what is no sample has no other form"

# Notes beside rows.
"$PERF" report -i rows.data --header --format=json >a.json
valid "with --header" a.json
python3 -c 'import json; d = json.load(open("a.json")); assert "command_line" in d["headers"][0] or "file" in d["headers"][0]'
verdict "--header is an object per file"
"$PERF" report -i rows.data --header-only --format=json >a.json
valid "--header-only" a.json
! "$PERF" report -i rows.data --header-only --format=csv >a.csv 2>err && grep -q "use --format=json" err
verdict "a header has no rows for CSV: that is said"
"$PERF" report -i rows.data --comms nobody --format=json >a.json 2>err
valid "nothing passes a filter" a.json
python3 -c 'import json; d = json.load(open("a.json")); assert any("--comms" in n["text"] for n in d["notes"])'
verdict "why there is nothing stands in the notes"
[[ ! -s err ]]
verdict "and not on standard error"
"$FORGE" <"$cases/report-nothing/in.txt" >nothing.data
"$PERF" report -i nothing.data --format=json >a.json
valid "no samples" a.json
! "$PERF" report -i rows.data --format=xml 2>err && grep -q 'stdio json csv' err
verdict "a word that is no format is refused with those that are"
"$PERF" report -i rows.data --format=json --stdio -s comm | grep -q '^# Overhead'
verdict "--stdio is stdio"
