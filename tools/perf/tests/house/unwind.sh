#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The rules of call-frame information equal libdw's, row by row: for this build, the C library and programs by gcc and clang.
. "$SRC/tools/perf/tests/tap"
compare=$O/tests/tools/unwind_compare
workload=$SRC/tools/perf/tests/workloads/schedule.c

agree() { # name, file
	"$compare" rows "$2" >out 2>&1 && grep -qE 'of [1-9][0-9]* rows of libdw 0 differ$' out &&
		echo "ok - $1: the same rules" || { cat out; echo "not ok - $1: the same rules"; }
}

if [[ $(uname -m) != x86_64 ]]; then
	skip_all "the same rules as libdw" "call-frame information is read for x86-64 only"
fi
plan 8
agree "this perf" "$PERF"
agree "the C library" "$(ldd "$PERF" | awk '/libc\.so/ { print $3 }')"
for cc in gcc clang; do
	for flags in -O0 "-O2 -fomit-frame-pointer" "-O2 -fno-omit-frame-pointer"; do
		if "$cc" $flags -pthread -I"$SRC/tools/lib" -D_GNU_SOURCE -o program "$workload" \
			"$O/libactivity.a" -lm >log 2>&1; then
			agree "$cc $flags" program
		else
			cat log
			echo "not ok - $cc $flags: compiles"
		fi
	done
done
