# SPDX-License-Identifier: GPL-2.0-or-later
# make demo's script: its three steps, live or on the shipped recording, whichever this
# machine allows; then the latter by force.
. "$SRC/tools/perf/tests/tap"
plan 3

demo() { # name
	"$SRC/tools/perf/tests/demo" >out 2>&1
	local status=$?
	if ((status)) || ! grep -q '^# Overhead  Activity  *Data Type' out ||
		! grep -q ' struct [a-z]* *$' out || ! grep -q '^Annotate type: .struct ' out || ! grep -q '^Wrote .*/demo/perf.html ' out ||
		! grep -q 'perf report .*perf.data\|perf report .*orders.data' out || ! grep -q '^A (activities), Down, T (its types)' out ||
		[[ ! -s demo/perf.html ]]; then
		cat out
		echo "not ok - $1"
	else
		echo "ok - $1"
	fi
}

build=$O
O=$PWD
mkdir tests
ln -s "$build/tests/workloads" tests/workloads
ln -s "$build/perf" perf
demo "the demo as this machine can"

# A perf that may not record.
rm perf
cat >perf <<SH
#!/bin/sh
[ "\$1" = record ] && { echo "perf: not permitted today" >&2; exit 255; }
exec "$build/perf" "\$@"
SH
chmod +x perf
demo "the demo without a right to record"
grep -q '^demo: recording is not possible here (perf: not permitted today)' out &&
	echo "ok - says why it does not record" || { cat out; echo "not ok - says why it does not record"; }
