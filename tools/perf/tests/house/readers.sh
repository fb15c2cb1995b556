#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Our reader of debug information finds the same entries as libdw: in this build, and in a workload
# compiled as DWARF 4 and 5 by gcc and clang.
. "$SRC/tools/perf/tests/tap"
compare=$O/tests/tools/dwarf_compare
plan 5
workload=$SRC/tools/perf/tests/workloads/schedule.c

agree() { # name, file
	"$compare" "$2" >out 2>&1 && grep -qE '^[1-9][0-9]* entries of .*, 0 differ; 0 units not read$' out &&
		echo "ok - $1: the same entries" || { cat out; echo "not ok - $1: the same entries"; }
}

agree "this perf" "$PERF"
for cc in gcc clang; do
	for version in 4 5; do
		if "$cc" -O2 -g -gdwarf-$version -pthread -I"$SRC/tools/lib" -D_GNU_SOURCE -o program "$workload" \
			"$O/libactivity.a" -lm >log 2>&1; then
			agree "$cc, DWARF $version" program
		else
			cat log
			echo "not ok - $cc, DWARF $version: compiles"
		fi
	done
done
