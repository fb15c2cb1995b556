# SPDX-License-Identifier: GPL-2.0-or-later
# The page of `perf report --html` in a headless Chromium: panels, keys, links, names that are hostile, sizes.
. "$SRC/tools/perf/tests/tap"
here=$SRC/tools/perf/tests/page
plan "$(python3 -B "$here/checks.py" names | wc -l)"
orders=$SRC/tools/perf/tests/data/orders
if ! python3 -c "import sys; sys.dont_write_bytecode = True; sys.path.insert(0, '$here'); import browser; sys.exit(not browser.find())"; then
	python3 -B "$here/checks.py" names | sed 's/.*/ok - & # skip no chromium that runs/'
	exit
fi
cp "$orders/orders.data" . && chmod 600 orders.data
at=(-i orders.data --symfs "$orders")
"$PERF" report "${at[@]}" --html=orders.html -q
"$PERF" report "${at[@]}" --panels --format=json >orders.json
"$PERF" annotate "${at[@]}" --data-type --format=html >types.html
"$PERF" annotate "${at[@]}" --format=html >code.html
"$FORGE" <"$SRC/tools/perf/tests/cases/report-groups/in.txt" >events.data
"$PERF" report -i events.data --no-group -s comm --html=events.html -q
callers=$SRC/tools/perf/tests/cases/report-callers/in.txt
"$FORGE" <"$callers" >now.data
sed 's/period=40/period=10/; s/period=20/period=50/' "$callers" | "$FORGE" >before.data
# Of every kind that other tests have: other events and columns, no times, no samples at all.
kinds="rows callers memory branches activity spans parallelism nothing"
for kind in $kinds; do
	"$FORGE" <"$SRC/tools/perf/tests/cases/report-$kind/in.txt" >kind.data
	"$PERF" report -i kind.data --html="kind-$kind.html" -q 2>>err
done
"$FORGE" <"$here/waits.txt" >waits.data
"$PERF" report -i waits.data --html=waits.html -q
"$FORGE" <<<'event cycles type=hardware config=0 sample_type=IP|TID
comm pid=7 text=timeless
sample pid=7 ip=0x1000 misc=user
sample pid=7 ip=0x2000 misc=user' >kind.data
"$PERF" report -i kind.data --html=kind-timeless.html -q
"$PERF" report -i now.data --hierarchy -s comm,sym --html=kind-hierarchy.html -q 2>>err
"$PERF" report -i now.data --stats --format=html >kind-stats.html
"$FORGE" <"$here/hostile.txt" >hostile.data
"$PERF" report -i hostile.data -s comm,dso,sym --html=hostile.html -q
"$PERF" report -i now.data --baseline before.data -s comm,sym --html=compared.html -q
shop=$SRC/tools/perf/tests/data/shop
"$PERF" report -f -i "$shop/after.data" --symfs "$shop" --baseline "$shop/before.data" -s symbol,typeoff --html=releases.html -q
"$PERF" report -f -i "$shop/after.data" --symfs "$shop" -s symbol,typeoff --html=layouts.html -q
"$PERF" annotate --advise -i "$shop/after.data" --symfs "$shop" --format=html >advice.html 2>>err
"$O/tests/unit/test_new_key" new_key.html
"$O/tests/tools/many_samples" "$PERF" 100000 4000 50000 | "$FORGE" >many.data
"$PERF" report -i many.data --html=many.html -q
for kind in requests names symbols deep; do
	python3 -B "$here/shop.py" $kind | "$FORGE" >shop.data
	python3 -B "$here/shop.py" spans >shop.json
	"$PERF" report -i shop.data --spans=shop.json --html="shop-$kind.html" -q 2>>err
done
. "$SRC/tools/perf/tests/critical/checkouts"
checkouts_recording | "$FORGE" >checkouts.data
checkouts_spans >checkouts.json
"$PERF" report -i checkouts.data --spans=checkouts.json --critical=checkout --slowest=5 --html=checkouts.html -q
"$PERF" report -i checkouts.data --critical=12 --html=thread.html -q
python3 -B "$here/checks.py" . || echo "not ok - the checks came to their end"
