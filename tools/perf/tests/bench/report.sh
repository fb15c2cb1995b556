# SPDX-License-Identifier: GPL-2.0-or-later
# What reading costs: time and peak memory of report and script beside stock perf's, on the
# same recordings of 1k, 100k and 1M samples (SIZES). Best of three runs each.
#
# The recordings are of the order server and of a compiler at work, one process and many,
# with call chains, made here at a high rate, and kept in $O/bench for the next time.
set -u
stock=${STOCK_PERF:-/usr/bin/perf}
dir=$O/bench
runs=${RUNS:-3}
mkdir -p "$dir"
cd "$dir" || exit 1
export DEBUGINFOD_URLS= PERF_PAGER=cat

if [[ ! -x /usr/bin/time ]]; then
	echo "bench: /usr/bin/time is missing (package time)"
	exit 1
fi

samples_of() {
	"$stock" report --stats -i "$1" 2>/dev/null | awk '/ SAMPLE events:/ { n = $3 } END { print n + 0 }'
}

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

# A timer each 20 us and CPU: for how long, depends on how many samples are wanted.
make_recording() { # samples, file
	local seconds=$(($1 / 100000 / $(nproc) * 2 + 1)) period=20000
	(($1 <= 10000)) && period=1000000
	while :; do
		"$PERF" record -a -g -m 4M -e cpu-clock -c $period -o "$2.new" -- \
			bash -c "$(declare -f load); load $seconds" >record.log 2>&1 || {
			echo "bench: this machine cannot record: $(tail -n 1 record.log)"
			exit 0
		}
		(($(samples_of "$2.new") >= $1)) && break
		((seconds *= 2))
	done
	mv "$2.new" "$2"
}

# Least seconds and the peak memory in MB of a command, over some runs.
cost() {
	local i best=999999 peak=0 s m
	for ((i = 0; i < runs; i++)); do
		/usr/bin/time -o time.log -f '%e %M' "$@" >/dev/null 2>cost.log || {
			echo "failed: $(tail -n 1 cost.log | cut -c -40)"
			return
		}
		read -r s m < <(tail -n 1 time.log)
		best=$(awk -v a="$best" -v b="$s" 'BEGIN { print b < a ? b : a }')
		((m > peak)) && peak=$m
	done
	awk -v s="$best" -v m="$peak" 'BEGIN { printf "%8.2f s %7.0f MB", s, m / 1024 }'
}

printf '%-8s %-48s %21s  %21s\n' samples command "ours" "stock $("$stock" --version | cut -d' ' -f3)"
for size in ${SIZES:-1000 100000 1000000}; do
	file=$size.data
	[[ -f $file ]] || make_recording "$size" "$file"
	n=$(samples_of "$file")
	for command in "report --stdio --no-children -g none" "report --stdio -s pid,dso,sym --no-children -g none" \
		"report --stdio" "script"; do
		printf '%-8s %-48s %21s  %21s\n' "$n" "$command" "$(cost "$PERF" $command -i "$file")" \
			"$(cost "$stock" $command -i "$file")"
	done
done
