#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Documentation/mutants.md is made by a command, and what it says must be whole: its sums are right, and survivors have the
# present reasons of mutants/reasons. And the changes that the command makes are expressions of C.
. "$SRC/tools/perf/tests/tap"
plan 3
reasons=$SRC/tools/perf/tests/mutants/reasons
page=$SRC/Documentation/mutants.md

# The columns of the first table: kind, mutants, killed by each suite, survived, without effect.
awk -F' *[|] *' '
	/^\| all / { for (i = 3; i <= NF - 1; i++) all[i] = $i; total = 1; for (i = 4; i <= NF - 3; i++) killed += $i; width = NF; next }
	/^\| mutation / { in_kinds = 1; next }
	/^## / { in_kinds = 0; in_rows = 1; next }
	in_kinds && !/^\|---/ && NF > 5 { for (i = 3; i <= NF - 1; i++) sum[i] += $i }
	in_rows && /^\| tools\// { rows++ }
	END {
		for (i in all) if (all[i] != sum[i]) print "column " i ": " sum[i] " and not " all[i]
		if (!total) print "no sums"
		if (killed + all[width - 2] != all[3]) print killed " killed and " all[width - 2] " survivors of " all[3]
		if (rows != all[width - 2]) print rows " survivors have a row, " all[width - 2] " are counted"
	}' "$page" >out
check "the table of mutants adds up" test ! -s out

grep '^| tools/' "$page" | while IFS= read -r row; do
	[[ $row != *"| open: "* ]] || continue
	while IFS=$'\t' read -r path after reason; do
		[[ $row == "| $path:"*"| \`${after//|/\\|}\` | $reason |" ]] && continue 2
	done < <(grep -v '^#' "$reasons")
	echo "$row"
done >out
check "the table has the present reasons" test ! -s out

# Sites are found and written by rules of C's grammar.
python3 - "$SRC/tools/perf/tests/mutants" >out 2>&1 <<'PYTHON'
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from sites import sites
text = """int f(int a, int b)
{
	if (a < b && g(a, b)) // a > b
		return a + b * 2 == 7 ? b : a;
	else
		h(b);
	p = g_new0(struct s, 2);
	q = g_array_new(false, false, sizeof(u32));
}
"""
for number, kinds in sorted(sites(text).items()):
	for kind in sorted(kinds):
		for make in kinds[kind]:
			site = make()
			print(number, kind, text[:site.first].count("\n") + 1, site.schema)
PYTHON
cat >expect <<'TEXT'
3 comparison 3 (mutant_is(@) ? a <= b : a < b)
3 condition 3 mutant_is(@) == !(a < b && g(a, b))
3 operator 3 (mutant_is(@) ? a < b || g(a, b) : a < b && g(a, b))
3 swapped arguments 3 (mutant_is(@) ? g(b, a) : g(a, b))
4 comparison 4 (mutant_is(@) ? a + b * 2 != 7 : a + b * 2 == 7)
4 constant 4 (2 + mutant_is(@))
4 constant 4 (7 + mutant_is(@))
4 operator 4 (mutant_is(@) ? a - b * 2 : a + b * 2)
6 dropped call 6 { if (!mutant_is(@)) h(b); }
7 swapped arguments 7 (mutant_is(@) ? g_new0(2, struct s) : g_new0(struct s, 2))
8 swapped arguments 8 (mutant_is(@) ? g_array_new(false, sizeof(u32), false) : g_array_new(false, false, sizeof(u32)))
TEXT
check "changes are written as expressions that ask for their number" diff expect out
