# SPDX-License-Identifier: GPL-2.0-or-later
# What functions cost that the compiler has inlined: reports and scripts of call chains with them, and without, of this perf, of stock
# perf and, with PEER (a root folder), of the perf in there; user plus system seconds, medians of RUNS runs. The program is SQLite
# with debug information, where SQLITE names a folder with its amalgamation (of its source package, after make); else it is
# this perf, reporting. What takes more than PATIENCE (120) seconds is ended.
set -u
stock=${STOCK_PERF:-/usr/bin/perf}
peer=${PEER:-}
patience=${PATIENCE:-120}
source "$SRC/tools/perf/tests/bench/common"

if [[ ${SQLITE:-} ]]; then
	cat >sql.c <<'C'
#include <stdio.h>
#include "sqlite3.h"

int main(void)
{
	static char text[1 << 16];
	sqlite3 *db;

	text[fread(text, 1, sizeof(text) - 1, stdin)] = 0;
	return sqlite3_open(":memory:", &db) || sqlite3_exec(db, text, NULL, NULL, NULL);
}
C
	[[ -x sql ]] || gcc -O2 -g -w -I"$SQLITE" -o sql sql.c "$SQLITE/sqlite3.c" -lm -lpthread -ldl || exit 1
	name=sqlite3
	input=$SRC/tools/perf/tests/unwind/programs/work.sql
	command=(bash -c 'for i in 1 2 3 4 5 6 7 8; do ./sql <"$0"; done' "$input")
else
	[[ -x inlining ]] || cp "$PERF" inlining
	name=perf command=(./inlining report --stdio -i deep.data)
	[[ -f deep.data ]] || "$stock" record -q -a -g -e cpu-clock -F 2999 -o deep.data gcc -O2 -c -x c -o load.o \
		"$SRC/tools/perf/tests/workloads/orders.c" -D_GNU_SOURCE -I"$SRC/tools/lib" 2>/dev/null
fi
if [[ ! -s $name.inlined ]]; then
	"$PERF" record -q -e cpu-clock:u -F 19999 -m 8M --call-graph dwarf,16384 -o "$name.stacks" "${command[@]}" >/dev/null 2>record.log &&
		"$PERF" inject --convert-callchain -i "$name.stacks" -o "$name.inlined" || {
		echo "bench: this machine cannot record: $(tail -n 1 record.log)"
		exit 0
	}
fi

peer_perf=
if [[ $peer ]]; then
	peer_perf=$dir/peer-perf
	cp "$peer/${PEER_PERF:-usr/bin/perf}" "$peer_perf" &&
		patchelf --set-interpreter "$(ls "$peer"/lib64/ld-linux-*.so.2)" --force-rpath \
			--set-rpath "$(ls -d "$peer"/usr/lib/*-linux-gnu | head -1)" "$peer_perf" || exit 1
fi

seconds() { # command...
	local i
	: >times.log
	for ((i = 0; i < runs; i++)); do
		/usr/bin/time -o time.log -f "%U %S" timeout "$patience" "$@" >output 2>cost.log || { echo "> $patience or failed"; return; }
		awk '{ print $1 + $2 }' time.log >>times.log
	done
	sort -n times.log | sed -n "$((runs / 2 + 1))p"
}

frames=$("$PERF" script -i "$name.inlined" -F ip,sym 2>/dev/null | grep -c .)
echo "$name: $(samples_of "$name.inlined") samples, $frames frames with those that are inlined"
printf '%-40s %10s %10s %10s\n' seconds ours stock "${peer:+peer}"
for what in "script -F ip,sym" "script -F ip,sym --no-inline" "report --stdio -g caller" "report --stdio -g caller --no-inline" \
	"report --stdio -g caller -s sym,srcline"; do
	theirs=
	[[ ! $peer_perf ]] || theirs=$(seconds "$peer_perf" $what -i "$name.inlined")
	printf '%-40s %10s %10s %10s\n' "$what" "$(seconds "$PERF" $what -i "$name.inlined")" "$(seconds "$stock" $what -i "$name.inlined")" "$theirs"
done
