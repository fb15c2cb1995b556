# SPDX-License-Identifier: GPL-2.0-or-later
# What `perf report --html` shows, before any browser sees it: the pages of --panels add up to the report,
# the page holds them and nothing else that a recording says, and stays small.
. "$SRC/tools/perf/tests/tap"
plan 99
cases=$SRC/tools/perf/tests/cases
here=$SRC/tools/perf/tests/page
orders=$SRC/tools/perf/tests/data/orders
check() { python3 "$here/panels.py" "$@"; }

verdict() { # NAME, with the status of the command before
	(($? == 0)) && echo "ok - $1" || echo "not ok - $1"
}

for name in rows groups callers memory branches activity spans context; do
	"$FORGE" <"$cases/report-$name/in.txt" >"$name.data" || rm -f "$name.data"
done
cp "$orders/orders.data" . && chmod 600 orders.data

panels() { # NAME of the recording, options...
	local what="report -i $*"
	"$PERF" report -i "$1.data" "${@:2}" --panels --format=json >a.json 2>err || cat err
	check sums a.json
	verdict "$what: all pages add up to the report"
	if python3 -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null; then
		python3 "$SRC/tools/perf/tests/house/formats.py" schema "$SRC/Documentation/formats/rows.schema.json" a.json
		verdict "$what: the JSON holds to the schema"
	else
		skip "$what: the JSON holds to the schema" "no jsonschema module for python3"
	fi
	"$PERF" report -i "$1.data" "${@:2}" --html=a.html >out 2>err || cat out err
	check same a.json a.html
	verdict "$what: the page holds the JSON"
	grep -q 'Wrote a.html' out
	verdict "$what: says what it wrote"
}
panels orders --symfs "$orders"
panels orders --symfs "$orders" -s tid,symbol,cpu
panels rows
shop=$SRC/tools/perf/tests/data/shop
cp "$shop/after.data" advised.data && chmod 600 advised.data
panels advised --symfs "$shop" -s symbol,typeoff
python3 -c 'import json
kinds = [(p["facts"]["type"], p["facts"]["proposal"]) for p in json.load(open("a.json"))["pages"] if p.get("kind") == "advice"]
assert kinds == [("struct order", "reorder"), ("struct order", "split")], kinds'
verdict "types have the other layouts that perf advise proposes"
panels rows -s comm,dso,sym
panels groups --no-group -s comm,sym
panels callers -s comm,sym
panels activity -s sym --no-inline
panels memory --mem-mode
panels branches -b
panels activity -s activity,sym
panels spans "--spans=$cases/report-spans/otlp.json" -s span,label:http.route
panels spans --activity-tree
panels rows --hierarchy -s comm,sym
panels rows --comms alpha
python3 -B "$here/shop.py" requests | "$FORGE" >shop.data
python3 -B "$here/shop.py" spans >shop.json
panels shop --spans=shop.json
check requests a.json
verdict "requests have begin, duration and thread, and states without call chains stand apart"

# Requests and their paths beside the panels.
. "$SRC/tools/perf/tests/critical/checkouts"
checkouts_recording | "$FORGE" >checkouts.data
checkouts_spans >checkouts.json
panels checkouts --spans=checkouts.json --critical=checkout --slowest=5
check instances a.json
verdict "instances and their paths add up, and are those of the tree"
"$PERF" report -i checkouts.data --critical=11 --panels --format=json | grep -q '"kind":"critical-paths"'
verdict "a thread has a path, too"
python3 -B "$here/shop.py" checkouts | "$FORGE" >many-checkouts.data
python3 -B "$here/shop.py" checkout-spans >shop.json
"$PERF" report -i many-checkouts.data --spans=shop.json --critical=checkout --panels --format=json >a.json 2>err || cat err
check chosen a.json
verdict "of very many instances some are chosen, evenly over their lengths, and the slowest"
! "$PERF" inject -i checkouts.data -o - | "$PERF" report -i - --critical=checkout --panels --format=json 2>err && grep -q 'not a pipe' err
verdict "--critical with --panels refuses a pipe"

"$FORGE" <"$here/waits.txt" >waits.data
"$PERF" report -i waits.data --panels --format=json >a.json 2>err || cat err
check waits a.json
verdict "waits last from their beginning to their end"

# The same numbers whoever reads: a pipe, one after the other.
"$PERF" report -i callers.data -s comm,sym --panels --format=json >file.json
"$PERF" report -i - -s comm,sym --panels --format=json <callers.data >pipe.json 2>err || cat err
python3 - <<'PY'
import json
pages = [json.load(open(name + ".json"))["pages"] for name in ("file", "pipe")]
assert pages[0] == pages[1] and pages[0], pages
PY
verdict "a pipe gives the same pages"

# By hand: two of three chains of callers.data, which the case has in words.
python3 - <<'PY'
import json
pages = {p.get("kind", "profile"): p for p in json.load(open("file.json"))["pages"]}
def tree(rows):
    return {r["cells"]["name"]: (r["cells"]["period"], tree(r.get("rows", []))) for r in rows}
got = tree(pages["frames"]["rows"])
assert sum(v[0] for v in got.values()) == 100, got
assert pages["timeline"]["facts"]["slice_ns"] * pages["timeline"]["facts"]["slices"] >= 4000, pages["timeline"]["facts"]
PY
verdict "the call tree has all of the period"

# Thread states are keys where they were recorded.
"$FORGE" <<<'event wall sample_type=IP|TID|TIME|PERIOD|RAW
comm pid=7 text=waiter
sample pid=7 ip=0x1000 time=1000 period=5 misc=user' >wall.data
keys() { # of the recording's panels
	"$PERF" report -i "$1.data" --panels --format=json |
		python3 -c 'import json, sys; print(*(p["facts"]["key"] for p in json.load(sys.stdin)["pages"] if p.get("kind") == "keys"))'
}
[[ $(keys wall) == "span state syscall symbol "*" wchan" && $(keys callers) != *state* ]]
verdict "keys of thread states"

# Two recordings: the second is what the first is compared with.
sed 's/period=40/period=10/; s/period=20/period=50/' "$cases/report-callers/in.txt" | "$FORGE" >before.data
"$PERF" report -i callers.data --baseline before.data -s comm,sym --panels --format=json >a.json 2>err || cat err
check sums a.json
verdict "with a baseline all pages still add up"
python3 - <<'PY'
import json
doc = json.load(open("a.json"))
page = next(p for p in doc["pages"] if p.get("kind") == "samples")
now, before = (sum(r["cells"][c] for r in page["rows"]) for c in ("period", "period_before"))
assert (now, before) == (100, 100), (now, before)
assert page["facts"]["baseline"] == "before.data"
assert sorted((r["cells"]["period"], r["cells"]["period_before"]) for r in page["rows"]) == [(4, 4), (6, 6), (20, 50), (70, 40)], page["rows"]
PY
verdict "and each row has what it was before"
# Two releases of a server, of which the second has moved a member.
shop=$SRC/tools/perf/tests/data/shop
"$PERF" report -f -i "$shop/after.data" --symfs "$shop" --baseline "$shop/before.data" -s typeoff --panels --format=json >a.json 2>err || cat err
check sums a.json
verdict "two releases: all pages add up, of both"
python3 - <<'PY'
import json
pages = json.load(open("a.json"))["pages"]
def flags(before):
    page = next(p for p in pages if p.get("kind") == "type" and p["title"] == "struct order" and ("baseline" in p["facts"]) == before)
    row = next(r for r in page["rows"][0]["rows"] if r["cells"]["member"] == "flags")
    return row["cells"]["offset"], row["cells"]["sample"]
now, before = flags(False), flags(True)
assert (before[0], now[0]) == (0x10, 0x80) and now[1] > 5 * before[1] > 0, (before, now)
times = [p["facts"] for p in pages if p.get("kind") == "timeline"]
frames = next(p for p in pages if p.get("kind") == "frames")["rows"]
assert sorted(f["cells"]["identity"] for f in frames) == ["checkout", "search"], frames
assert times[0]["slice_ns"] == times[1]["slice_ns"] and [500 < t["slices"] < 600 for t in times] == [True, True], times
PY
verdict "and structures are as they were before, and as they are now"
! "$PERF" report -i callers.data --baseline before.data --stdio -H 2>err && grep -q -- -H err
verdict "--baseline without --html or --panels compares rows, and refuses what has others"
! "$PERF" report -i callers.data --html --format=json 2>err && grep -q -- --panels err
verdict "--html with --format is refused"
! "$PERF" report -i callers.data --baseline nowhere.data --html=b.html 2>err && grep -q nowhere.data err
verdict "a baseline that is not there is said"
! "$PERF" script -i callers.data --format=html 2>err && grep -q 'shows reports, not samples' err
verdict "script has no page"
! "$PERF" report -i callers.data --html=nowhere/a.html 2>err && [[ $(wc -l <err) == 1 ]] && grep -q nowhere/a.html err
verdict "a page that cannot be written is said"
! "$PERF" report -i callers.data --html=/dev/full 2>err && [[ $(wc -l <err) == 1 ]]
verdict "so is one for which there is no room"
"$PERF" report -i callers.data --html >out && [[ -s perf.html ]] && grep -q 'Wrote perf.html' out
verdict "without a name it is perf.html"
"$PERF" report -i callers.data --html=- >dash.html && cmp dash.html perf.html
verdict "with the name - it is standard output"

# Whatever names say: it is in the data, which is base64.
"$FORGE" <"$here/hostile.txt" >hostile.data && "$PERF" report -i hostile.data -s comm,dso,sym --html=hostile.html >out 2>err || cat err
check shell perf.html hostile.html
verdict "names change nothing in the page but its data"
"$PERF" report -i hostile.data -s comm,dso,sym --panels --format=json >a.json && check same a.json hostile.html
verdict "hostile names are in the data"
check policy perf.html
verdict "the policy lets the script and the style of the page be used, and nothing else"
"$PERF" annotate -i orders.data --symfs "$orders" --data-type --format=html >types.html && check policy types.html
verdict "annotate has a page, too"

"$FORGE" <"$cases/c2c-report/in.txt" >shared.data && "$PERF" c2c report -i shared.data --format=json >a.json 2>err &&
	"$PERF" c2c report -i shared.data --format=html >a.html 2>err && check same a.json a.html && check policy a.html
verdict "perf c2c report has a page, which holds its JSON"
"$FORGE" <"$cases/c2c-hitm/in.txt" >levels.data && "$PERF" c2c report -i levels.data --format=json >a.json 2>err &&
	"$PERF" c2c report -i levels.data --format=html >a.html 2>err && check same a.json a.html &&
	python3 -c 'import json; k = [(p.get("kind"), len(p["rows"]) > 1) for p in json.load(open("a.json"))["pages"]]; assert k[:3] == [("hitm-counts", True), ("hitm-lines", True), ("hitm-rows", True)], k'
verdict "so do its tables of what hardware states: counts, lines, and who accesses them"

# Samples of which hardly two are alike.
"$O/tests/tools/many_samples" "$PERF" 100000 4000 50000 | "$FORGE" >many.data
"$PERF" report -i many.data --html=many.html >out 2>err || cat err
(($(stat -c %s many.html) < 3000000))
verdict "100,000 samples, 4,000 addresses, 50,000 call chains: less than 3 MB"
"$PERF" report -i many.data --panels --format=json >a.json && check sums a.json
verdict "what is left of them adds up"
check limits a.json
verdict "no page is larger than it may be"
