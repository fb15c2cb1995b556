# SPDX-License-Identifier: GPL-2.0-or-later
# The manual and the option tables name the same options, and every command has its page.
. "$SRC/tools/perf/tests/tap"

pages=("$SRC"/Documentation/man/*.[1-9])
commands=("$SRC"/Documentation/man/perf-*.1)
commands=("${commands[@]##*/perf-}")
commands=("${commands[@]%.1}")
# Every name in parentheses that a type can have: those of the analysis, and those of DWARF.
names_in() { # FILE
	grep -hoE '"\([A-Za-z_ -]+\)"( }|;)' "$SRC/$1" | sed -E 's/"(.*)".*/\1/' | sort -u
}
for file in tools/lib/typeflow/layout/access.c tools/lib/dwarf/types.c; do
	[[ $(names_in $file) ]] || fail "$file has names of types in parentheses"
done
names=$( (names_in tools/lib/typeflow/layout/access.c && names_in tools/lib/dwarf/types.c) | sort -u)
plan $((1 + 2 * ${#commands[@]} + ${#pages[@]} + 3 + $(wc -l <<<"$names") + 3))

options_of_page() {
	sed -nE 's/^\.It Fl //p' "$1" | grep -oE '(^| )-[A-Za-z0-9][-_A-Za-z0-9]*' | tr -d ' ' | sed 's/^-/--/' | sort -u
}

"$PERF" --no-fallback --list-cmds | tr ' ' '\n' | grep . | sort | diff --label "commands of perf" --label "pages" -u - <(printf '%s\n' "${commands[@]}" | sort) &&
	pass "each command has a page, and each page a command" || fail "each command has a page, and each page a command"
for command in "${commands[@]}"; do
	page=$SRC/Documentation/man/perf-$command.1
	"$PERF" "$command" --list-opts | tr ' ' '\n' | grep . | sort -u >table
	options_of_page "$page" >page
	if diff --label "options of perf $command" --label "options in its page" -u table page; then
		echo "ok - perf-$command.1 has the options of perf $command"
	else
		echo "not ok - perf-$command.1 has the options of perf $command"
	fi
	grep -q "perf-$command" "$SRC/Documentation/man/perf.1" && echo "ok - perf.1 names perf-$command" ||
		echo "not ok - perf.1 names perf-$command"
done

for page in "${pages[@]}"; do
	if ! command -v mandoc >/dev/null; then
		skip "$(basename "$page") is clean mdoc" "mandoc is not here"
	else
		mandoc -W warning -T lint "$page" >lint 2>&1
		# 1 is advice on style.
		(($? <= 1)) && ! grep -E 'WARNING|ERROR' lint && pass "$(basename "$page") is clean mdoc" ||
			{ cat lint; fail "$(basename "$page") is clean mdoc"; }
	fi
done

# Every key of the browsers is in the page of the command that starts them.
keys_of_browser() { # FILE...
	sed -nE "s/^[[:space:]]*\\{ '(.)', .*/\\1/p" "${@/#/$SRC/tools/perf/view/tui/}" | sed 's/^ $/Space/' | sort -u
}
keys_of_manual() { # PAGE SECTION
	awk -v section="$2" '/^\.Sh/ { there = $2 ~ section } there && /^\.It/' "$SRC/Documentation/man/$1" |
		sed -E 's/^\.It [A-Z][a-z]//; s/No|Ns|\\&//g; s/0-9/0/' | tr ' ,' '\n\n' | grep . | sort -u
}
for row in "perf-report.1 BROWSER report.c report_look.c rows_view.c tui.c" \
	"perf-c2c.1 BROWSER sharing.c rows_view.c tui.c" \
	"perf-annotate.1 BROWSERS annotate_view.c code_keys.c touches.c type.c why.c tui.c"; do
	read -r page section files <<<"$row"
	# shellcheck disable=SC2086
	missing=$(comm -23 <(keys_of_browser $files) <(keys_of_manual "$page" "^$section"))
	[[ ! $missing && $(keys_of_browser $files | wc -l) -gt 10 ]] && echo "ok - $page has all keys of the browsers" ||
		echo "# without: "$missing"
not ok - $page has all keys of the browsers"
done

while read -r name; do
	if grep -qF ".It Ql $name" "$SRC/Documentation/man/perf-report.1"; then
		echo "ok - perf-report.1 explains $name"
	else
		echo "not ok - perf-report.1 explains $name"
	fi
done <<<"$names"

# The list of commands: each summary begins as the others do.
small=$("$PERF" help | grep -E '^   [a-z-]+ +[a-z]')
"$PERF" help | grep -qE '^   record +[A-Z]' && [[ ! $small ]] && echo "ok - summaries of commands begin with a capital" ||
	echo "$small
not ok - summaries of commands begin with a capital"

# Without an installation and without a built manual, the page is the tree's, not that of another perf.
mkdir -p tree/build tree/Documentation fake
cp "$PERF" tree/build/perf
ln -s "$SRC/Documentation/man" tree/Documentation/man
printf '#!/bin/sh\nreadlink -f "$1"\n' >fake/man
chmod +x fake/man
for page in "top --help" "help record"; do
	# shellcheck disable=SC2086 # words
	found=$(PATH=$PWD/fake:$PATH tree/build/perf $page)
	case $found in
	"$SRC"/Documentation/man/perf-top.1 | "$SRC"/Documentation/man/perf-record.1) echo "ok - perf $page in the tree" ;;
	*) echo "# $found" && echo "not ok - perf $page in the tree" ;;
	esac
done
