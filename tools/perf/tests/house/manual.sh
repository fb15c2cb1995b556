# SPDX-License-Identifier: GPL-2.0-or-later
# The manual and the option tables name the same options, and every command has its page.

options_of_page() {
	sed -nE 's/^\.It Fl //p' "$1" | grep -oE '(^| )-[A-Za-z0-9][-_A-Za-z0-9]*' | tr -d ' ' | sed 's/^-/--/' | sort -u
}

for command in $("$PERF" --no-fallback --list-cmds); do
	page=$SRC/Documentation/man/perf-$command.1
	if [[ ! -f $page ]]; then
		echo "not ok - perf-$command.1 exists"
		continue
	fi
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

for page in "$SRC"/Documentation/man/*.[1-9]; do
	if command -v mandoc >/dev/null; then
		mandoc -W warning -T lint "$page" >lint 2>&1
		grep -E 'WARNING|ERROR' lint && echo "not ok - $(basename "$page") is clean mdoc" ||
			echo "ok - $(basename "$page") is clean mdoc"
	else
		echo "ok - $(basename "$page") is clean mdoc # skip mandoc is not here"
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
	"perf-annotate.1 BROWSERS annotate_view.c code_keys.c touches.c type.c why.c tui.c"; do
	read -r page section files <<<"$row"
	# shellcheck disable=SC2086
	missing=$(comm -23 <(keys_of_browser $files) <(keys_of_manual "$page" "^$section"))
	[[ ! $missing && $(keys_of_browser $files | wc -l) -gt 10 ]] && echo "ok - $page has all keys of the browsers" ||
		echo "# without: "$missing"
not ok - $page has all keys of the browsers"
done

# Every name in parentheses that a type can have is explained.
while read -r name; do
	if grep -qF ".It Ql $name" "$SRC/Documentation/man/perf-report.1"; then
		echo "ok - perf-report.1 explains $name"
	else
		echo "not ok - perf-report.1 explains $name"
	fi
done < <(grep -hoE '"\([A-Za-z_ -]+\)"( }|;)' "$SRC"/tools/lib/typeflow/access.c "$SRC"/tools/lib/dwarf/types.c | sed -E 's/"(.*)".*/\1/' | sort -u)

# The list of commands: each summary begins as the others do.
small=$("$PERF" help | grep -E '^   [a-z-]+ +[a-z]')
[[ ! $small ]] && echo "ok - summaries of commands begin with a capital" ||
	echo "$small
not ok - summaries of commands begin with a capital"
