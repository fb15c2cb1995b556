#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What it costs to record thread states for good: perf record --wall=20 -a -z in parts, beside 2,000 threads of which 100 wake up ten times
# a second. CPU and memory of the recorder, bytes of its files, and what a day of them would be. MINUTES (default 10).
. "$SRC/tools/perf/tests/bench/common"
minutes=${MINUTES:-10}

"$WORKLOADS/crowd" 2000 $((minutes * 60 + 60)) 100 >ready &
crowd=$!
trap 'kill $crowd $rec 2>/dev/null' EXIT
until grep -q ready ready; do sleep 0.1; done
rm -rf always
mkdir always
"$PERF" record -q --wall=20 -a -z --switch-output=1m --keep=1000 -o always/wall 2>always.log &
rec=$!
sleep 5 # it has begun
ticks() { awk '{ print $14 + $15 }' "/proc/$rec/stat"; }
size() { du -cb always/* | awk '/total/ { print $1 }'; }
from=$(ticks) bytes=$(size) start=$(date +%s.%N) most=0
for ((i = 0; i < minutes * 60; i += 5)); do
	sleep 5
	rss=$(awk '/^VmRSS/ { print $2 }' "/proc/$rec/status")
	((rss > most)) && most=$rss
done
awk -v t=$(($(ticks) - from)) -v hz="$(getconf CLK_TCK)" -v b=$(($(size) - bytes)) -v from="$start" -v to="$(date +%s.%N)" -v kb=$most -v threads="$(ls -d /proc/[0-9]*/task/* | wc -l)" 'BEGIN {
	s = to - from
	printf "%d threads in all, %.0f s\n", threads, s
	printf "CPU:    %.2f s / %.0f s = %.2f %% of a CPU (wanted: below 0.5)\n", t / hz, s, 100 * t / hz / s
	printf "memory: %.1f MB at most (wanted: below 50)\n", kb / 1024
	printf "files:  %.2f MB / %.0f s * 86,400 s = %.0f MB a day (wanted: below 1,000)\n", b / 1e6, s, b / s * 86400 / 1e6
}'
kill -INT $rec
wait $rec 2>/dev/null
