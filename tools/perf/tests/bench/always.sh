#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What it costs to record thread states for good, in parts: perf record --wall=20 -z of 2,000 threads, of which 100 wake up ten times a
# second (-p), then of all that runs on this machine, with these threads (-a). One after the other: each would see what the other does.
# MINUTES each (default 10). CPU and memory of the recorder, bytes of its files, and what a day of them would be; and at last, for ten
# seconds, what its BPF programs take from others at each switch.
. "$SRC/tools/perf/tests/bench/common"
minutes=${MINUTES:-10}

ns() { cat "/proc/$1/task/"*/schedstat | awk '{ s += $1 } END { printf "%.0f", s }'; }
size() { du -cb always/* | awk '/total/ { print $1 }'; }
rss() { awk '/^VmRSS/ { print $2 }' "/proc/$1/status"; }
switches() { awk '/^ctxt/ { print $2 }' /proc/stat; }
programs() { bpftool prog show 2>/dev/null | awk '/^[0-9]+:/ { name = $4 } name == "switched" { for (i = 1; i < NF; i++) { if ($i == "run_time_ns") t += $(i + 1); if ($i == "run_cnt") n += $(i + 1) } } END { print t + 0, n + 0 }'; }

# Nobody's time, but that of who is switched.
at_switches() {
	local before
	[[ $(id -u) = 0 ]] && bpftool version >/dev/null 2>&1 && sysctl -qw kernel.bpf_stats_enabled=1 2>/dev/null || return
	before=$(programs)
	sleep 10
	awk -v a="$before" -v b="$(programs)" 'BEGIN { split(a, x); split(b, y); n = y[2] - x[2]
		printf "  at switches: %.0f a second, %.0f ns each (some 40 of them to measure it) = %.2f %% of a CPU\n", n / 10, n ? (y[1] - x[1]) / n : 0, (y[1] - x[1]) / 1e8 }'
	sysctl -qw kernel.bpf_stats_enabled=0
}

measure() { # what it is, options that choose what is recorded
	local what=$1 cpu bytes from count most=0 kb
	shift
	rm -rf always
	mkdir always
	"$PERF" record -q --wall=20 -z --switch-output=1m --keep=1000 "$@" -o always/wall 2>>always.log &
	recorder=$!
	sleep 5 # it has begun
	cpu=$(ns $recorder) bytes=$(size) from=$(date +%s.%N) count=$(switches)
	for ((i = 0; i < minutes * 60; i += 5)); do
		sleep 5
		kb=$(rss $recorder)
		((kb > most)) && most=$kb
	done
	awk -v what="$what" -v ns=$(($(ns $recorder) - cpu)) -v b=$(($(size) - bytes)) -v from="$from" -v to="$(date +%s.%N)" -v kb=$most \
		-v switches=$(($(switches) - count)) -v load="$(cut -d' ' -f1-3 /proc/loadavg)" 'BEGIN {
		s = to - from
		printf "%s: %.0f s, %.0f switches a second of the whole machine, load %s\n", what, s, switches / s, load
		printf "  CPU:    %.2f s / %.0f s = %.2f %% of a CPU (wanted: below 0.5)\n", ns / 1e9, s, ns / 1e7 / s
		printf "  memory: %.1f MB at most (wanted: below 50)\n", kb / 1024
		printf "  files:  %.2f MB / %.0f s * 86,400 s = %.0f MB a day (wanted: below 1,000)\n", b / 1e6, s, b / s * 86400 / 1e6
	}'
	at_switches
	kill -INT $recorder
	wait $recorder 2>/dev/null
	recorder=
}

"$WORKLOADS/crowd" 2000 $((minutes * 120 + 120)) 100 >ready &
crowd=$!
trap 'kill $crowd $recorder 2>/dev/null' EXIT
until grep -qs ready ready; do sleep 0.1; done
measure "2,000 threads (-p)" -p $crowd
measure "the whole machine (-a), $(ls -d /proc/[0-9]*/task/* 2>/dev/null | wc -l) threads" -a
