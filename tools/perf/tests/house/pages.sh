#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Pages of Documentation that commands make are not older than what they measure: Documentation/decisions/0017-stale-pages.md
# says what makes a page stale. (conformance.sh and mutants.sh have more of these two pages.)
. "$SRC/tools/perf/tests/tap"
tests=$SRC/tools/perf/tests
pages=$SRC/Documentation
templates=("$tests"/*/*.md.in)
plan $((${#templates[@]} + 14))

# same NAME EXPECTED GOT: two files with the same lines in any order.
same() {
	diff <(sort "$2") <(sort "$3") >found && [[ -s $2 ]]
	check "$1" test $? = 0
}

# The first cells of the rows of a page's table, whose head begins with WORD.
first_cells() { # page, WORD
	awk -F' *[|] *' -v word="$2" '/^[|]/ { if (!inside) wanted = $2 == word; inside++; if (wanted && inside > 2) print $2; next } { inside = 0 }' "$pages/$1"
}

# A template's text is the page's text. Lines with an @ stand for what the command fills in.
for template in "${templates[@]}"; do
	page=$(basename "$template" .in)
	grep -v -e '@' -e '^$' "$template" | grep -vxFf "$pages/$page" >found
	check "$page has the text of its template" test ! -s found
done

# The programs that are measured. Either a program has a row, or the page says: `NAME` is not in the tables.
for program in "$tests"/oracle/idioms/*; do basename "${program%.*}"; done >programs
first_cells oracle.md program | grep -vE '^all$|^heldout:' >rows
sed -nE 's/.*`([a-z_]+)` is not in the tables.*/\1/p' "$pages/oracle.md" >>rows
same "oracle.md has a row for each idiom" programs rows

# The held-out ones: `heldout:NAME` outside of the tables is one that is not in them.
sed -nE 's/^(own|programs)="([a-z ]*[a-z]).*/\2/p' "$tests/oracle/heldout/run" | tr ' ' '\n' >programs
first_cells oracle.md program | sed -n 's/^heldout://p' >rows
grep -v '^|' "$pages/oracle.md" | grep -oE '`heldout:[a-z]+`' | sed -E 's/.*:(.*)`/\1/' >>rows
same "oracle.md has a row for each held-out program" programs rows

grep -hoE 'truth [a-z_]+[ :]' "$tests"/skid/idioms/*.{c,cc} | sed -E 's/truth ([a-z_]+).*/\1/' | sort -u >programs
first_cells skid.md idiom | sed 's/+stack$//' | sort -u >rows
same "skid.md has a row for each idiom" programs rows

# Idioms that are worse than the sampled instruction says, by more than 2 %. The page has the reason of each. The rows of builds are
# only the lowest, so a row above 98 % is not among them.
worse() { # columns of the name, sampled, and the rule
	awk -F' *[|] *' -v a="$1" -v b="$2" -v word="$3" '/^[|]/ { if (!inside) wanted = $2 == "idiom" && $3 == word; inside++; gsub(/[*]/, ""); if (wanted && inside > 2 && $a - $b > 2) print $2; next } { inside = 0 }' "$pages/skid.md"
}
{ worse 4 5 samples; worse 5 6 build; } | sort -u >rows
printf '%s\n' call_memory list_find page_fault >programs
same "skid.md: no idiom is worse by the rule, but for those with a reason" programs rows
for idiom in $(cat rows); do sed '/<!-- table of idioms/,$d' "$pages/skid.md" | grep -qw "$idiom" || echo "$idiom"; done >found
check "and skid.md has the reasons" test ! -s found

# kinds[] of the programs that are hard to unwind.
sed -n '/^} kinds\[\]/,/^};/p' "$tests/unwind/programs/constructs.c" | grep -oE '"[a-z-]+"' | tr -d '"' >programs
first_cells callchains.md program | sed -nE 's/^C by .*, ([a-z-]+)$/\1/p' | sort -u >rows
same "callchains.md has rows for each kind of construct" programs rows

"$tests/advise/truth" "$tests/workloads/layouts.c" | cut -f 1 >programs
first_cells advise.md shape >rows
same "advise.md has a row for each shape" programs rows

sed -n '/^int main/,$p' "$tests/workloads/lines.c" | grep -oE '(RUN|RUN_TWO|printf)\("?[a-z_]+|\\n[a-z_]+' | sed -E 's/.*[("]//; s/^[\\]n//' >programs
first_cells sharing.md type >rows
same "sharing.md has a row for each pair" programs rows
sed -n '/^} pairs\[\]/,/^};/p' "$tests/workloads/kernel_lines.c" | grep -oE '\{ "[a-z_]+' | tr -d '{ "' >programs
first_cells sharing.md structure >rows
same "sharing.md has a row for each pair of the kernel's data" programs rows

# What the pages promise, of the rows that they have.
holds() { # NAME PAGE, a program of awk, whose result is its exit status
	check "$1" awk -F ' *[|] *' "$3" "$pages/$2"
}
holds "advise.md: no first proposal makes a program slower for certain, and 6 are faster by 5 %" advise.md '
	$7 ~ /^-?[0-9.]+ % [(]/ { upper = $7; sub(/.* to /, "", upper); rows++; slower += upper + 0 < 0; faster += $7 + 0 >= 5 }
	END { exit !(rows >= 12 && !slower && faster >= 6) }'
holds "sharing.md: 20 pairs and more, all as they are, and no false alarm" sharing.md '
	/^[|] [a-z_]+ [|] (same|members|neighbours|other|none) / { pairs++ }
	/^Found as they are: .* False alarms/ { found = $0; gsub(/[^0-9]+/, " ", found); split(found, n, " "); ok = n[1] == n[2] && n[3] == 0 && n[4] == n[5] }
	END { exit !(pairs >= 20 && ok) }'

# A survivor's line is still in its file, though perhaps elsewhere.
grep '^| tools/' "$pages/mutants.md" | while IFS= read -r row; do
	row=${row//\\|/$'\1'}
	IFS='|' read -r _ place _ before _ <<<"$row"
	file=${place%:*}
	before=${before# \`} before=${before%\` }
	grep -qF -- "${before//$'\1'/|}" "$SRC/${file# }" || echo "$place: $before"
done >found
check "lines of mutants.md are still in their files" test ! -s found

# Options that the pages name are options of a command. The first six are those of other programs.
{
	printf '%s\n' --build --only --strict --tool --multiquery --param
	for command in $("$PERF" --no-fallback --list-cmds); do "$PERF" "$command" --list-opts; done | tr ' ' '\n'
} | sed -E 'p; s/^--/--no-/' >options
grep -ohE -- '(^|[ `(])--[a-z][a-z-]+' "$pages"/*.md | tr -d ' `(' | sort -u | grep -vxFf options >found
check "options that pages name are there" test ! -s found

# And what they say to make is a target.
sed -nE 's/^([a-z][a-z -]*):([^=].*)?$/\1/p' "$SRC/Makefile" "$SRC"/tools/build/*.mk "$SRC"/tools/build/package/*.mk | tr ' ' '\n' >targets
grep -ohE '(^ +|`)make [a-z][a-z-]+' "$pages"/*.md "$SRC"/{README,CONTRIBUTING}.md "$tests/README.md" | sed 's/.*make //' |
	sort -u | grep -vxFf targets >found
check "what pages say to make can be made" test ! -s found
