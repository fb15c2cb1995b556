#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# An object is made again when a header that it includes changes, whichever way O= names the folder of
# the build: make says O=build, the tests say O=/whole/path/build.
object=obj/tools/perf/tests/forge/main.o
header=tools/perf/tests/forge/forge.h
names=("$O")
[[ $O == "$SRC"/* ]] && names+=("${O#"$SRC"/}")
. "$SRC/tools/perf/tests/tap"
plan ${#names[@]}

for name in "${names[@]}"; do
	make -C "$SRC" --no-print-directory O="$name" "${names[-1]}/$object" >log 2>&1
	make -C "$SRC" --no-print-directory O="$name" "${names[-1]}/$object" >still 2>&1
	make -C "$SRC" --no-print-directory O="$name" -W "$header" "${names[-1]}/$object" >changed 2>&1
	what="O=${name/#"$SRC"/SRC}"
	! grep -q '^ *CC ' still && grep -q '^ *CC .*forge/main.c' changed && echo "ok - $what: a changed header" ||
		{ cat log still changed; echo "not ok - $what: a changed header"; }
done
