# SPDX-License-Identifier: GPL-2.0-or-later
# What a detached recording costs beside an ordinary one: samples a second and nanoseconds of the recorder's CPU time per sample,
# and how often it wakes up while its target sleeps.
#   SECONDS_EACH=5
. "$SRC/tools/perf/tests/bench/common"

export PERF_DETACHED_DIR=/dev/shm/perf-bench-$$
seconds=${SECONDS_EACH:-5}
crash=$WORKLOADS/crash
trap 'kill $target 2>/dev/null; "$PERF" detached rm $(ls "$PERF_DETACHED_DIR") >/dev/null 2>&1; rm -rf "$PERF_DETACHED_DIR"' EXIT

column() { "$PERF" detached list | awk -v n="$1" '$1 == "bench" { print $n }'; }
cpu_ns() { awk -v hz="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print ($12 + $13) * 1e9 / hz }' "/proc/$1/stat"; }
switches() { cat /proc/"$1"/task/*/status | awk '/ctxt_switches/ { n += $2 } END { print n }'; }
row() { # NAME SAMPLES NS
	printf '%-34s %10.0f samples/s %8.0f ns/sample\n' "$1" "$(bc <<<"$2 / $seconds")" "$(bc <<<"$3 / ($2 + 1)")"
}

"$crash" none 600000 &
target=$!
for graph in "" "-g"; do
	"$PERF" record -q $graph -F 10000 -p $target -o plain.data &
	recorder=$!
	sleep "$seconds"
	ns=$(cpu_ns $recorder)
	kill -INT $recorder
	wait $recorder 2>/dev/null
	row "record $graph" "$(samples_of plain.data)" "$ns"

	"$PERF" record --detached=bench $graph -F 10000 -p $target || exit
	worker=$(column 6)
	sleep "$seconds"
	ns=$(cpu_ns "$worker")
	"$PERF" detached stop bench
	row "record --detached $graph" "$(column 4)" "$ns"
	"$PERF" detached rm bench
done

sleep 600 &
sleeper=$!
"$PERF" record --detached=bench -F 10000 -p $sleeper
worker=$(column 6)
sleep 2
before=$(switches "$worker")
sleep "$seconds"
echo "wake-ups in $seconds s while the target sleeps: $(($(switches "$worker") - before))"
echo "memory: $(column 2) MB for 16 MB of samples"
kill $sleeper
