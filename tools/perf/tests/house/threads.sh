#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The output of report, script and annotate does not depend on the number of threads that read the file. The file has
# several MB, so it has many parts.
. "$SRC/tools/perf/tests/tap"
many=$O/tests/tools/many_samples
plan 57
cp "$PERF" subject
"$many" "$PWD/subject" 100000 5000 >text && "$FORGE" text places.data
(echo "file zstd=1" && cat text) >text.zstd && "$FORGE" text.zstd compressed.data
# Types and annotations take their time for each function: of as many samples, at fewer addresses.
"$many" "$PWD/subject" 100000 200 >text && "$FORGE" text types.data
"$many" "$PWD/subject" 15000 1000 3000 >text && "$FORGE" text chains.data

same() { # NAME ARGUMENTS...
	local name=$1 n
	shift
	"$PERF" "$@" --threads 1 >one 2>one.err
	for n in 2 3 8; do
		"$PERF" "$@" --threads $n >some 2>some.err
		if cmp one some && cmp one.err some.err && [[ -s one ]]; then
			echo "ok - $name: $n threads"
		else
			head -5 one.err some.err
			echo "not ok - $name: $n threads"
		fi
	done
}
same "comm,dso,sym" report --stdio -i places.data -s comm,dso,sym
same "pid,cpu,addr" report --stdio -i places.data -s pid,cpu,addr
same "time, which each sample has" report --stdio -i places.data -s time,sym
same "filtered" report --stdio -i places.data -s comm,sym --comms worker-3 --cpu 1-4 --time 10%-70%
if "$PERF" version --build-options | grep -q "zstd:.*on"; then
	same "compressed" report --stdio -i compressed.data -s comm,dso,sym
else
	skip "compressed" "this build has no libzstd" 3
fi
same "three files" report --stdio -i places.data -i chains.data -i places.data -s dso,sym --no-children -g none
same "call chains" report --stdio -i chains.data --no-children
same "callers" report --stdio -i chains.data --children -g none
same "json" report --format=json -i places.data -s comm,dso,sym
same "script" script -i places.data
same "script: keys of the report" script -i places.data -F comm,ip,sym,dso,cpu,time,symoff,srcfile
same "script --format=json" script -i places.data --format=json
same "script --format=csv" script -i chains.data --format=csv
same "script: data types" script -i types.data -F comm,ip,type,typeoff
same "data types" report --stdio -i types.data -s type,typeoff
same "annotate" annotate -i types.data
same "annotate --data-type" annotate --data-type -i types.data
# A user at the limit of threads gets the same report.
one_process() { setpriv --reuid=54321 --clear-groups prlimit --nproc=1 "$@"; }
chmod 755 . && chmod 644 places.data
if one_process true 2>/dev/null; then
	same_for_few() { # NAME COMMAND...
		local name=$1
		shift
		"$PERF" "$@" --threads 1 >one 2>/dev/null
		if one_process "$PERF" "$@" --threads 4 >some 2>some.err && cmp one some; then
			echo "ok - $name: no thread can be started"
		else
			head -5 some.err
			echo "not ok - $name: no thread can be started"
		fi
	}
	same_for_few report report --stdio -f -i places.data -s comm,dso
	same_for_few script script -f -i places.data -F comm,tid,ip
else
	skip "no thread can be started" "another user's number cannot be taken here" 2
fi
for n in 0 -1 1000; do
	if "$PERF" report --stdio -i places.data -s comm --threads $n >some 2>&1 && grep -q worker some; then
		echo "ok - $n threads are as many as there can be"
	else
		head -5 some
		echo "not ok - $n threads are as many as there can be"
	fi
done
# Headers of what is made at the first question say which threads may ask.
for header in dso/{dso,dsos,lines,open_files,packed} dwarf/debuginfo typeflow/typeflow; do
	grep -qE '^ \* (Threads: |All functions are thread-safe)' "$SRC/tools/lib/$header.h" || echo "$header.h"
done >silent
[[ ! -s silent ]] && pass "headers say which threads may call what" || { cat silent; fail "headers say which threads may call what"; }
