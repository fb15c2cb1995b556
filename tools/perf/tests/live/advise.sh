#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf advise: each shape of workloads/layouts.c has the proposal that its comment names, and a proposal can be tried.
. "$SRC/tools/perf/tests/live/common"
truth=$SRC/tools/perf/tests/advise/truth
"$truth" "$SRC/tools/perf/tests/workloads/layouts.c" >shapes || exit 1
if ! "$PERF" record -q -d -F 5000 -o try.data -- "$WORKLOADS/layouts" good 1 >/dev/null 2>why; then
	skip_all_refused "advise" why
fi
plan $(($(wc -l <shapes) + 10))
declare -A rounds=([pair]=2 [job]=20 [cell]=3 [packet]=3)
while IFS=$'\t' read -r shape wanted; do
	"$PERF" record -q -d -F 5000 -o "$shape.data" -- "$WORKLOADS/layouts" "$shape" "${rounds[$shape]:-15}" >/dev/null 2>why
	"$PERF" annotate -i "$shape.data" --data-type="$shape" --advise --format=json >"$shape.json" 2>why
	check "$shape: $wanted" eval '[[ $("$truth" "$SRC/tools/perf/tests/workloads/layouts.c" "$shape" "$shape.json") == right ]]'
done <shapes

# Its objects begin at lines, which only their addresses tell: from malloc(), a use would touch 1.5 lines then.
check "places of objects by their addresses" python3 -c 'import json
facts = json.load(open("particle.json"))["pages"][0]["facts"]
assert facts["addresses"] >= 30 and facts["lines_per_use_then"] == 1, facts'

# A tree of sources, built elsewhere: the end of the file's path is enough.
mkdir -p tree/tests/workloads
cp "$SRC/tools/perf/tests/workloads/layouts.c" tree/tests/workloads/
cd tree || exit 1
build='gcc -O2 -g -pthread -o layouts tests/workloads/layouts.c'
"$PERF" advise try -i ../body.data --diff >../changed 2>../why
check "--diff prints the changed file" eval '(($(diff ../changed tests/workloads/layouts.c | grep -c "^[<>] 	double [xyz];") >= 2))'
"$PERF" advise try -i ../body.data --runs=3 --build="$build" -- ./layouts body 2 >../tried 2>../why
check "a proposal is tried" eval 'grep -q "^struct body, reorder: " ../tried && grep -Eq "^  measured: +[0-9.]+ % (less|more) \(95 %: -?[0-9.]+ to -?[0-9.]+\), time: [0-9.]+ s before, [0-9.]+ s after" ../tried && grep -q "^  3 runs of each program" ../tried && ! grep -q "different output" ../tried'
check "the tree is as it was" eval 'cmp -s tests/workloads/layouts.c "$SRC/tools/perf/tests/workloads/layouts.c" && [[ ! -e layouts ]]'
check "no copies are left" eval '! compgen -G "$TMPDIR/perf-try-*" >/dev/null'
"$PERF" advise try -q -i ../body.data --runs=3 --build='echo no compiler; false' -- ./layouts body 2 >../tried 2>../why
check "a build that fails says what it printed" eval 'grep -q "^build (before): exit status 1" ../why && grep -q "^no compiler" ../why && [[ ! -s ../tried ]]'
"$PERF" advise try -i ../good.data --data-type=good -- ./layouts good >../tried 2>../why
check "nothing to try: says why" grep -q "there is no such proposal: no other layout would certainly save time or bytes" ../why
cd .. || exit 1
"$PERF" advise try -i body.data --tree=/usr/include -- ./layouts body >tried 2>why
check "sources that are elsewhere" grep -q "is not in /usr/include: --tree=FOLDER names the sources" why
# A library's type has more of the time than the tree's own.
mkdir library
sed 's/struct particle\b/struct speck/' "$SRC/tools/perf/tests/workloads/layouts.c" >library/specks.c
gcc -O2 -g -pthread -o specks library/specks.c
"$PERF" record -q -d -F 2000 -o two.data -- sh -c './specks particle 15; "$WORKLOADS/layouts" body 3' >/dev/null 2>why
"$PERF" advise try -i two.data --tree=tree --diff >changed 2>why
check "the first type that the tree declares is tried, and which one was left for it is said" \
	eval 'grep -q "^struct speck has the first proposal, but is not declared in .*/tree: struct body is tried" why && (($(diff changed tree/tests/workloads/layouts.c | grep -c "^[<>] 	double [xyz];") >= 2))'
"$PERF" annotate -i body.data --data-type=body --advise >text 2>why
check "text" eval 'grep -q "^# reorder: members that are used together lie side by side" text && grep -Eq "^# May save [0-9.]+ % of the time of all samples" text && grep -Eq "^ +[0-9]+ +[0-9]+ +8 +[0-9]+ +[0-9.]+% +double [xyz];" text'
