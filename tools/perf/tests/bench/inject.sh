# SPDX-License-Identifier: GPL-2.0-or-later
# What converting stacks to call chains costs: perf inject --convert-callchain of this perf and, with PEER, a root folder with a
# perf in it that has it (7.2 or later), of that one; and how large the files are. Recordings of $SECONDS_EACH (10) seconds at 4,999 Hz with
# 8-KiB copies: of C with inlined functions (this perf, reporting), python3 and the C compiler. Medians of RUNS runs by the clock.
set -u
stock=${STOCK_PERF:-/usr/bin/perf}
peer=${PEER:-}
source "$SRC/tools/perf/tests/bench/common"

# The same folder under the same name here and in the peer's root, so that it finds the same programs.
shared=/tmp/perf-bench-inject
mkdir -p "$shared" ${peer:+"$peer$shared"}
cp "$PERF" "$shared/reporter"
[[ ! $peer ]] || cp "$PERF" "$peer$shared/reporter"

each=${SECONDS_EACH:-10}
record() { # name, command...
	local name=$1
	shift
	[[ -f $shared/$name.data ]] || "$stock" record -q -e cpu-clock -F 4999 --call-graph dwarf -m 4M -o "$shared/$name.data" \
		timeout "$each" "$@" >/dev/null 2>&1
}
[[ -f $shared/input.data ]] || "$stock" record -q -a -g -e cpu-clock -F 2999 -o "$shared/input.data" gcc -O2 -g -x c -c -o "$shared/o.o" \
	"$SRC/tools/perf/tests/workloads/orders.c" -D_GNU_SOURCE -I"$SRC/tools/lib" 2>/dev/null
record inlined bash -c "while :; do $shared/reporter report --stdio --threads 1 -i $shared/input.data; done"
record python3 python3 -c 'import json
while True: json.loads(json.dumps({str(i): [i, str(i)] * 3 for i in range(1000)}, indent=1))'
record cc1 bash -c "while :; do gcc -O2 -x c -c -o $shared/o.o $SRC/tools/perf/tests/workloads/orders.c -D_GNU_SOURCE -I$SRC/tools/lib; done"

inject_peer() {
	if [[ -x $peer/opt/perf/perf ]]; then
		echo "chroot $peer /opt/perf/perf"
	else
		echo "chroot $peer perf"
	fi
}

printf '%-8s %8s %9s %12s %21s %21s %7s\n' stacks samples "in, MB" "out, MB" ours "${peer:+peer}" ratio
for name in inlined python3 cc1; do
	in=$shared/$name.data out=$shared/$name.out
	[[ -s $in ]] || continue
	ours=$(cost %e "$PERF" inject --convert-callchain -i "$in" -o "$out")
	theirs= ratio=
	if [[ $peer ]]; then
		ln -f "$in" "$peer$in" 2>/dev/null || cp "$in" "$peer$in"
		theirs=$(cost %e $(inject_peer) inject --convert-callchain -i "$in" -o "$out")
		ratio=$(awk -v a="${ours%% s*}" -v b="${theirs%% s*}" 'BEGIN { if (a + 0 > 0) printf "%.1f", b / a }')
	fi
	printf '%-8s %8s %9.1f %12.1f %21s %21s %7s\n' "$name" "$(samples_of "$in")" "$(stat -c %s "$in" | awk '{ print $1 / 1e6 }')" \
		"$(stat -c %s "$out" | awk '{ print $1 / 1e6 }')" "$ours" "$theirs" "$ratio"
done
