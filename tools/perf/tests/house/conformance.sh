#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Documentation/conformance.md is made by a command, and what it says of this perf must still be true: a row has the
# present reason of conformance/reasons, and an option that this perf is said not to have is refused.
. "$SRC/tools/perf/tests/tap"
plan 2
reasons=$SRC/tools/perf/tests/conformance/reasons
page=$SRC/Documentation/conformance.md

old=$(grep -v '^#' "$reasons" | while IFS=$'\t' read -r name reason; do
	row=$(grep "^| $name | " "$page")
	[[ ! $row || $row == "| $name | pass |"* || $row == *" | $reason |" ]] || echo "$name: $reason"
done)
[[ ! $old ]] && pass "the table of conformance has the present reasons" || {
	echo "$old"
	fail "the table of conformance has the present reasons"
}

had=$(sed -nE 's/.*needs `([a-z-]+) (-[^`]*)`, which this perf does not have.*/\1 \2/p' "$reasons" "$page" | sort -u |
	while read -r command option; do
		"$PERF" --no-fallback "$command" -h 2>&1 | grep -qi usage || echo "perf $command -h says nothing"
		help=$("$PERF" --no-fallback "$command" -h 2>&1 | grep -A1 -E -- "^ *(-., )?$option([ ,=[]|$)")
		[[ ! $help || $help == *"by the next perf"* ]] || echo "perf $command $option"
	done)
[[ ! $had ]] && pass "options that it says are missing are missing" || {
	echo "$had"
	fail "options that it says are missing are missing"
}
