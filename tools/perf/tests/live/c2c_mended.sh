#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf c2c before and after each fix: what it finds in workloads/mended.c is gone when the pair's layout is mended. bench/sharing.sh
# measures what the fixes gain.
. "$SRC/tools/perf/tests/live/common"
alone_with perf_map_files
for form in broken fixed; do
	if ! "$PERF" c2c record -q -e cpu-clock:u -F 2000 -o $form.data -- "$WORKLOADS/mended" 60 $form >$form 2>why; then
		skip_all_refused "c2c" why
	fi
	"$PERF" c2c report -i $form.data --format=csv >$form.csv 2>err
done
plan 21
check "ten pairs, each in two forms" test "$(wc -l <broken) $(wc -l <fixed)" = "10 10"

# how FORM TYPE: how its objects are shared.
how() { awk -F, -v type="struct $2 " 'index($0, type) { gsub(/"/, "", $3); print $3 }' "$1.csv" | sort -u; }
declare -A words=([same]="same bytes" [members]=members [neighbours]=neighbours [other]=others [none]="")
for form in broken fixed; do
	while read -r type kind; do
		check "$type: $kind" eval '[[ $(how $form $type) == "${words[$kind]}" ]]'
	done <$form
done
