# SPDX-License-Identifier: GPL-2.0-or-later
# What reading costs: time and peak memory of report and script beside stock perf's, on the
# same recordings of 1k, 100k and 1M samples (SIZES). Medians of RUNS runs.
#
# The recordings are of the order server and of a compiler at work, one process and many,
# with call chains, made here at a high rate, and kept in $O/bench for the next time.
set -u
stock=${STOCK_PERF:-/usr/bin/perf}
source "$SRC/tools/perf/tests/bench/common"

# A load that ends by itself long after the recorder has what it wants.
load() {
	while :; do
		gcc -O2 -g -x c -c -o load.o "$SRC/tools/perf/tests/workloads/orders.c" -D_GNU_SOURCE -I"$SRC/tools/lib"
	done &
	local compiler=$!
	"$WORKLOADS/orders" "$1" >/dev/null
	kill $compiler
	wait 2>/dev/null
}

record_for() { # seconds, period, file
	"$PERF" record -a -g -m 4M -e cpu-clock -c "$2" -o "$3" -- bash -c "$(declare -f load); load $1"
}

printf '%-8s %-48s %21s  %21s\n' samples command "ours" "stock $("$stock" --version | cut -d' ' -f3)"
for size in ${SIZES:-1000 100000 1000000}; do
	file=$size.data
	[[ -f $file ]] || make_recording "$size" $((50000 * $(nproc))) "$file"
	n=$(samples_of "$file")
	for command in "report --stdio --no-children -g none" "report --stdio -s pid,dso,sym --no-children -g none" \
		"report --stdio" "script"; do
		printf '%-8s %-48s %21s  %21s\n' "$n" "$command" "$(cost %e "$PERF" $command -i "$file")" \
			"$(cost %e "$stock" $command -i "$file")"
	done
done
