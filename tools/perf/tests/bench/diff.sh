# SPDX-License-Identifier: GPL-2.0-or-later
# What comparing costs: perf diff of two recordings of SIZE (1M) samples beside perf report of one of them, with the same keys
# and with the default keys of both. The recordings are forged: 16 threads, samples at 20,000 and at 200,000 addresses of a
# program that lies in two folders, so nothing is read once for both. Commands alternate. Medians of RUNS runs, by the
# clock on all cores, and of user and system seconds. Wanted is a ratio of at most 2 by the clock.
set -u
source "$SRC/tools/perf/tests/bench/common"
runs=${RUNS:-9}
size=${SIZE:-1000000}

forged() { # file, folder, addresses
	[[ -s $1 ]] && return
	mkdir -p "diff-$2"
	[[ -e diff-$2/subject ]] || cp "$PERF" "diff-$2/subject"
	"$O/tests/tools/many_samples" "$dir/diff-$2/subject" "$size" "$3" >forge.txt && "$FORGE" forge.txt "$1"
	rm -f forge.txt
}

timed() { # log, command...
	local log=$1 from=${EPOCHREALTIME/./}
	shift
	/usr/bin/time -o time.log -f "%U %S" "$@" >output 2>cost.log || {
		echo "failed: $*: $(tail -n 1 cost.log)"
		exit 1
	}
	awk -v us=$((${EPOCHREALTIME/./} - from)) '{ print us / 1e6, $1 + $2 }' time.log >>"$log"
}

median() { # log, column
	awk -v column="$2" '{ print $column }' "$1" | sort -n | awk '{ s[NR] = $1 } END { print (s[int((NR + 1) / 2)] + s[int(NR / 2) + 1]) / 2 }'
}

compared() { # addresses, report's keys, diff's keys
	local i before=diff-before-$1-$size.data after=diff-after-$1-$size.data
	rm -f report.times diff.times
	for ((i = 0; i < runs; i++)); do
		timed report.times "$PERF" report --stdio -s "$2" -i "$before"
		timed diff.times "$PERF" diff --stdio -s "$3" "$before" "$after"
	done
	awk -v addresses="$1" -v a="$2" -v b="$3" -v ce="$(median report.times 1)" -v cu="$(median report.times 2)" \
		-v de="$(median diff.times 1)" -v du="$(median diff.times 2)" '
	function ratio(x, y) { return y > 0 ? x / y : 0 }
	BEGIN {
		printf("| %d | %s | %s | %.2f s, %.2f s | %.2f s, %.2f s | %.1f | %.1f |\n", addresses, a, b, ce, cu, de, du,
			ratio(de, ce), ratio(du, cu))
	}'
}

echo "| addresses | keys of report | keys of diff | report of one: clock, CPU | diff of two: clock, CPU | ratio by the clock | ratio of CPU time |"
echo "|--:|---|---|--:|--:|--:|--:|"
for addresses in 20000 200000; do
	forged "diff-before-$addresses-$size.data" before "$addresses"
	forged "diff-after-$addresses-$size.data" after $((addresses + 1)) # other samples
	compared "$addresses" comm,dso,sym dso,sym
	compared "$addresses" comm,dso,sym comm,dso,sym
	compared "$addresses" dso,sym dso,sym
done
