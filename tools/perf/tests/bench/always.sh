#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What it costs to record thread states for good, in parts: perf record --wall=20 -z of 2,000 threads, of which 100 wake up ten times a
# second (-p), and of all that runs on this machine meanwhile (-a). CPU and memory of each recorder, bytes of its files, and what a day
# of them would be. MINUTES (default 10). At last, for ten seconds, what its BPF programs take from others at each switch.
. "$SRC/tools/perf/tests/bench/common"
minutes=${MINUTES:-10}

"$WORKLOADS/crowd" 2000 $((minutes * 60 + 90)) 100 >ready &
crowd=$!
trap 'kill $crowd $of_crowd $of_all 2>/dev/null' EXIT
until grep -qs ready ready; do sleep 0.1; done
rm -rf always
mkdir always always/crowd always/all
record() { "$PERF" record -q --wall=20 -z --switch-output=1m --keep=1000 "$@" 2>>always.log & }
record -p $crowd -o always/crowd/wall
of_crowd=$!
record -a -o always/all/wall
of_all=$!
sleep 5 # they have begun

ns() { cat "/proc/$1/task/"*/schedstat | awk '{ s += $1 } END { printf "%.0f", s }'; }
size() { du -cb "always/$1/"* | awk '/total/ { print $1 }'; }
rss() { awk '/^VmRSS/ { print $2 }' "/proc/$1/status"; }
declare -A cpu bytes most
for one in crowd all; do
	pid=of_$one
	cpu[$one]=$(ns "${!pid}") bytes[$one]=$(size $one) most[$one]=0
done
start=$(date +%s.%N) switches=$(awk '/^ctxt/ { print $2 }' /proc/stat)
for ((i = 0; i < minutes * 60; i += 5)); do
	sleep 5
	for one in crowd all; do
		pid=of_$one
		kb=$(rss "${!pid}")
		((kb > most[$one])) && most[$one]=$kb
	done
done
end=$(date +%s.%N)
awk -v from="$start" -v to="$end" -v was="$switches" -v is="$(awk '/^ctxt/ { print $2 }' /proc/stat)" -v load="$(cut -d' ' -f1-3 /proc/loadavg)" \
	'BEGIN { printf "%.0f s, %.0f switches a second of the whole machine, load %s\n", to - from, (is - was) / (to - from), load }'
for one in crowd all; do
	pid=of_$one
	[[ $one = crowd ]] && what="2,000 threads (-p)" || what="the whole machine (-a), $(ls -d /proc/[0-9]*/task/* 2>/dev/null | wc -l) threads"
	awk -v what="$what" -v ns=$(($(ns "${!pid}") - cpu[$one])) -v b=$(($(size $one) - bytes[$one])) -v from="$start" -v to="$end" -v kb="${most[$one]}" 'BEGIN {
		s = to - from
		printf "%s\n", what
		printf "  CPU:    %.2f s / %.0f s = %.2f %% of a CPU (wanted: below 0.5)\n", ns / 1e9, s, ns / 1e7 / s
		printf "  memory: %.1f MB at most (wanted: below 50)\n", kb / 1024
		printf "  files:  %.2f MB / %.0f s * 86,400 s = %.0f MB a day (wanted: below 1,000)\n", b / 1e6, s, b / s * 86400 / 1e6
	}'
done
# Of both recorders together: nobody's time, but that of who is switched.
programs() { bpftool prog show 2>/dev/null | awk '/^[0-9]+:/ { name = $4 } name == "switched" { for (i = 1; i < NF; i++) { if ($i == "run_time_ns") t += $(i + 1); if ($i == "run_cnt") n += $(i + 1) } } END { print t + 0, n + 0 }'; }
if [[ $(id -u) = 0 ]] && bpftool version >/dev/null 2>&1 && sysctl -qw kernel.bpf_stats_enabled=1 2>/dev/null; then
	before=$(programs)
	sleep 10
	awk -v a="$before" -v b="$(programs)" 'BEGIN { split(a, x); split(b, y); n = y[2] - x[2]
		printf "at switches, both: %.0f a second, %.0f ns each (some 40 of them to measure it) = %.2f %% of a CPU\n", n / 10, n ? (y[1] - x[1]) / n : 0, (y[1] - x[1]) / 1e8 }'
	sysctl -qw kernel.bpf_stats_enabled=0
fi
kill -INT $of_crowd $of_all
wait $of_crowd $of_all 2>/dev/null
