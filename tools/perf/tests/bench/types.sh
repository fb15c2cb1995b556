# SPDX-License-Identifier: GPL-2.0-or-later
# What data types cost: user seconds and peak memory of report -s type on recordings of one
# program at 1k, 100k and 1M samples (SIZES), least of RUNS runs. Stock perf 6.1 knows no types;
# PEER_PERF names one that does, to be run beside ours.
set -u
peer=${PEER_PERF:-}
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
	"$PERF" report --stats -i "$1" 2>/dev/null | awk '/ SAMPLE events:/ { n = $3 } END { print n + 0 }'
}

# A timer each 20 us of the program's time: for how long, depends on how many are wanted.
make_recording() { # samples, file
	local seconds=$(($1 / 100000 + 1)) period=20000
	(($1 <= 10000)) && period=1000000
	while :; do
		"$PERF" record -m 4M -e cpu-clock:u -c $period -o "$2.new" -- "$WORKLOADS/orders" $seconds >record.log 2>&1 || {
			echo "bench: this machine cannot record: $(tail -n 1 record.log)"
			exit 0
		}
		(($(samples_of "$2.new") >= $1)) && break
		((seconds *= 2))
	done
	mv "$2.new" "$2"
}

# Least user seconds and the peak memory of a command, over some runs.
cost() {
	local i best=999999 peak=0 s m
	for ((i = 0; i < runs; i++)); do
		/usr/bin/time -o time.log -f '%U %M' "$@" >/dev/null 2>cost.log || {
			echo "failed: $(tail -n 1 cost.log | cut -c -40)"
			return
		}
		read -r s m < <(tail -n 1 time.log)
		best=$(awk -v a="$best" -v b="$s" 'BEGIN { print b < a ? b : a }')
		((m > peak)) && peak=$m
	done
	awk -v s="$best" -v m="$peak" 'BEGIN { printf "%8.2f s %7.0f MB", s, m / 1024 }'
}

printf '%-8s %-38s %21s  %21s\n' samples "command (user time)" "ours" "${peer:+peer $("$peer" --version | cut -d' ' -f3)}"
for size in ${SIZES:-1000 100000 1000000}; do
	file=types-$size.data
	[[ -f $file ]] || make_recording "$size" "$file"
	n=$(samples_of "$file")
	for command in "report --stdio -s sym" "report --stdio -s type" "report --stdio -s type,typeoff" \
		"annotate --data-type --stdio"; do
		printf '%-8s %-38s %21s  %21s\n' "$n" "$command" "$(cost "$PERF" $command -i "$file")" \
			"${peer:+$(cost "$peer" $command -i "$file")}"
	done
done
