# SPDX-License-Identifier: GPL-2.0-or-later
# What converting stacks to call chains costs: perf inject --convert-callchain of this perf with one thread and with all and, with PEER,
# a root folder with a perf in it that has it (7.2 or later), of that one; user plus system seconds, and seconds by the clock. The peer's
# program runs here, with its root's libraries (as in conformance/run, by patchelf): in a chroot it would not find the recorded files, and end
# most stacks early. Recordings of SECONDS_EACH (10) seconds at 4,999 Hz with 8-KiB copies: of C with inlined functions (this perf,
# reporting), python3 and the C compiler. Medians of RUNS runs.
set -u
stock=${STOCK_PERF:-/usr/bin/perf}
peer=${PEER:-}
source "$SRC/tools/perf/tests/bench/common"

record() { # name, command...
	local name=$1
	shift
	[[ -f $name.stacks ]] || "$stock" record -q -e cpu-clock -F 4999 --call-graph dwarf -m 4M -o "$name.stacks" \
		timeout "${SECONDS_EACH:-10}" "$@" >/dev/null 2>&1
}
compile="gcc -O2 -x c -c -o load.o $SRC/tools/perf/tests/workloads/orders.c -D_GNU_SOURCE -I$SRC/tools/lib"
[[ -f inlined.stacks ]] || cp "$PERF" reporter
[[ -f reported.data ]] || "$stock" record -q -a -g -e cpu-clock -F 2999 -o reported.data $compile 2>/dev/null
record inlined bash -c "while :; do ./reporter report --stdio --threads 1 -i reported.data; done"
record python3 python3 -c 'import json
while True: json.loads(json.dumps({str(i): [i, str(i)] * 3 for i in range(1000)}, indent=1))'
record cc1 bash -c "while :; do $compile; done"

peer_perf=
if [[ $peer ]]; then
	peer_perf=$dir/peer-perf
	cp "$peer/${PEER_PERF:-usr/bin/perf}" "$peer_perf" &&
		patchelf --set-interpreter "$(ls "$peer"/lib64/ld-linux-*.so.2)" --force-rpath \
			--set-rpath "$(ls -d "$peer"/usr/lib/*-linux-gnu | head -1)" "$peer_perf" || exit 1
fi

times() { # command...: "CPU CLOCK", medians
	local i
	: >times.log
	for ((i = 0; i < runs; i++)); do
		/usr/bin/time -o time.log -f "%U %S %e" "$@" >output 2>cost.log || return
		awk '{ print $1 + $2, $3 }' time.log >>times.log
	done
	echo "$(cut -d' ' -f1 times.log | sort -n | sed -n "$((runs / 2 + 1))p")" \
		"$(cut -d' ' -f2 times.log | sort -n | sed -n "$((runs / 2 + 1))p")"
}

printf '%-8s %8s %8s %8s  %s\n' stacks samples "in, MB" "out, MB" "seconds of all cores, by the clock: one thread; all; peer (ratio to all)"
for name in inlined python3 cc1; do
	[[ -s $name.stacks ]] || continue
	one=$(times "$PERF" inject --convert-callchain --threads 1 -i "$name.stacks" -o "$name.chains")
	all=$(times "$PERF" inject --convert-callchain -i "$name.stacks" -o "$name.chains")
	theirs=
	[[ ! $peer_perf ]] || theirs=$(times "$peer_perf" inject --convert-callchain -i "$name.stacks" -o "$name.theirs")
	printf '%-8s %8s %8s %8s  %s; %s; %s\n' "$name" "$(samples_of "$name.stacks")" \
		"$(stat -c %s "$name.stacks" | awk '{ printf "%.1f", $1 / 1e6 }')" \
		"$(stat -c %s "$name.chains" | awk '{ printf "%.1f", $1 / 1e6 }')" "$one" "$all" \
		"$(echo "$all $theirs" | awk 'NF == 4 { printf "%s %s (%.1f, %.1f)", $3, $4, $3 / $1, $4 / $2 }')"
done
