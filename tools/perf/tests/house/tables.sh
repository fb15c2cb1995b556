#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The tables of perf data convert --to=parquet and --to=native: engines of other people read them, and answer the reports of
# tools/perf/sql. cases/data-tables has what is in the tables. NODE_MODULES names the folder node_modules with the npm packages
# @duckdb/node-api, chdb (ClickHouse), hyparquet and hyparquet-compressors.
. "$SRC/tools/perf/tests/tap"
plan 27
here=$SRC/tools/perf/tests/columnar
rows=${FORGE%/*}/tools/table_rows
reports="coverage operations types slow-service slow-fleet builds regressions flame trace hours"
values=(event=cpu-clock service=shop trace=0af7651916cd43dd8448eb211c80319c
	first=7b1b0143f0814b5f197044f4f4dfd6db892ef311 second=001b0143f0814b5f197044f4f4dfd6db892ef311)
"$here/two_builds" 2>err

# Each report of tools/perf/sql has a file for each engine.
for engine in duckdb clickhouse; do
	(cd "$SRC/tools/perf/sql/$engine" && ls) | sed 's/[.]sql$//' >found
	check "$engine: has the reports" cmp -s found <(printf '%s\n' schema $reports | sort)
done

# A real recording with types and spans: sums are those of perf report.
data=$SRC/tools/perf/tests/data/orders
orders=(-f -i "$data/orders.data" --symfs "$data")
"$PERF" data convert --to=parquet "${orders[@]}" --table=samples -o orders.parquet 2>err
"$rows" orders.parquet >orders.tsv
for key in sym type span; do
	if python3 -V >/dev/null 2>&1; then
		"$PERF" report "${orders[@]}" -s $key --no-children -g none --format=json >report.json 2>err
		"$here/sums" $key report.json orders.tsv >found 2>>err
		check "sums by $key are those of perf report" test $? == 0
	else
		skip "sums by $key" "no python3"
	fi
done

has_package() { node --version >/dev/null 2>&1 && [[ -d ${NODE_MODULES:-}/$1 ]]; }

# A row for each report: its rows are those of columnar/reports.
answers() { # engine, tables, package
	if ! has_package "$3"; then
		skip "$1: reports" "no node, or NODE_MODULES has no $3" 10
		return
	fi
	node "$here/engine.js" "$1" "$2" "${values[@]}" $(printf "$SRC/tools/perf/sql/$1/%s.sql " schema $reports) >all 2>err
	for report in $reports; do
		awk -v r="# $report" '/^# / { on = $0 == r } on' all >found
		awk -v r="# $report" '/^# / { on = $0 == r } on' "$here/reports" >out
		diff out found >err
		check "$1: $report" test -s found -a ! -s err
	done
}
answers duckdb parquet @duckdb/node-api
answers clickhouse native chdb

if has_package hyparquet && has_package hyparquet-compressors; then
	for table in samples stacks locations spans; do
		for file in parquet/$table/*; do
			node "$here/engine.js" parquet "$file" 2>err | cmp - <("$rows" "$file") || echo "$file"
		done
	done >found
	check "hyparquet: each row is as the tests' reader has it" test ! -s found
else
	skip "hyparquet" "no node, or NODE_MODULES has no hyparquet and hyparquet-compressors"
fi

if has_package chdb; then
	node "$here/engine.js" clickhouse-parquet parquet >found 2>err
	for file in parquet/samples/*; do "$rows" "$file" weight; done | awk '/^[0-9]/ { n++; sum += $1 } END { printf "%d\t%.0f\n", n, sum }' >out
	check "clickhouse: reads Parquet, too" cmp -s out found
else
	skip "clickhouse: reads Parquet, too" "no node, or NODE_MODULES has no chdb"
fi
