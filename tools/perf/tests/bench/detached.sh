# SPDX-License-Identifier: GPL-2.0-or-later
# What a detached recording costs beside an ordinary one at the same rate: nanoseconds of the recorder's CPU time per sample, without its
# start; and how often it wakes up while its target sleeps.
#   SECONDS_EACH=5 RATE=2000
. "$SRC/tools/perf/tests/bench/common"

export PERF_DETACHED_DIR=/dev/shm/perf-bench-$$
seconds=${SECONDS_EACH:-5}
rate=${RATE:-2000}
crash=$WORKLOADS/crash
trap 'kill $target 2>/dev/null; "$PERF" detached rm $(ls "$PERF_DETACHED_DIR") >/dev/null 2>&1; rm -rf "$PERF_DETACHED_DIR"' EXIT

column() { "$PERF" detached list | awk -v n="$1" '$1 == "bench" { print $n }'; }
cpu_ns() { cat /proc/"$1"/task/*/schedstat | awk '{ n += $1 } END { print n }'; }
switches() { cat /proc/"$1"/task/*/status | awk '/ctxt_switches/ { n += $2 } END { print n }'; }

# Each sets ns and samples of a recording of $2 seconds, with the options $1.
ordinary() {
	"$PERF" record -q $1 -F "$rate" -p $target -o plain.data &
	local recorder=$!
	sleep "$2"
	ns=$(cpu_ns $recorder)
	kill -INT $recorder
	wait $recorder 2>/dev/null
	samples=$(samples_of plain.data)
}
detached() {
	"$PERF" record --detached=bench $1 -F "$rate" -p $target || exit
	local worker=$(column 6)
	sleep "$2"
	ns=$(cpu_ns "$worker")
	"$PERF" detached stop bench
	samples=$(column 4)
	"$PERF" detached rm bench
}

# The longer one less the shorter one: what the start costs is in both.
row() { # FUNCTION OPTIONS
	local first_ns first_samples
	$1 "$2" "$seconds"
	first_ns=$ns first_samples=$samples
	$1 "$2" $((seconds * 3))
	awk -v name="$1 $2" -v ns=$((ns - first_ns)) -v n=$((samples - first_samples)) -v s=$((seconds * 2)) \
		'BEGIN { printf "%-34s %8.0f samples/s %8.0f ns/sample\n", name, n / s, n ? ns / n : 0 }'
}

"$crash" none 600000 &
target=$!
for graph in "" "-g"; do
	row ordinary "$graph"
	row detached "$graph"
done

sleep 600 &
sleeper=$!
"$PERF" record --detached=bench -F "$rate" -p $sleeper
worker=$(column 6)
sleep 2
before=$(switches "$worker")
sleep "$seconds"
echo "wake-ups in $seconds s while the target sleeps: $(($(switches "$worker") - before))"
echo "memory: $(column 2) MB for 16 MB of samples"
kill $sleeper
