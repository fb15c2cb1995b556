# SPDX-License-Identifier: GPL-2.0-or-later
# record --synth: which of the processes that exist already are written down.
. "$SRC/tools/perf/tests/live/common"

if ! "$PERF" record -q -a -e cpu-clock -o probe.data true >err 2>&1; then
	skip_all_refused "--synth" err
fi
plan 18
# Records of time 0 are of what was there before: the tests' own bash is one of these.
nr() { # kinds, record
	"$PERF" record -q -a -e cpu-clock --all-cgroups --synth="$1" -o synth.data true 2>/dev/null
	"$PERF" script -i synth.data --show-mmap-events --show-task-events --show-cgroup-events -F comm,pid,tid,time,event 2>/dev/null |
		grep -E "^ *[^ ].* 0\.000000: +PERF_RECORD_$2" | grep -cE "[ :]$$/$$\b|PERF_RECORD_CGROUP"
}
expect() { # kinds, COMM MMAP2 CGROUP: 0 or 1 for "some"
	local kinds=$1 record wanted
	shift
	for record in COMM MMAP2 CGROUP; do
		wanted=$1
		shift
		((($(nr "$kinds" $record) > 0) == wanted)) && echo "ok - --synth=$kinds: $record" ||
			echo "not ok - --synth=$kinds: $record"
	done
}
expect all 1 1 1
expect no 0 0 0
expect task 1 0 0
expect mmap 1 1 0
expect task,cgroup 1 0 1
"$PERF" record --synth=nothing -o x.data true 2>&1 | grep -q "'nothing': expected task, mmap, cgroup, all or no" &&
	echo "ok - --synth=nothing is refused" || echo "not ok - --synth=nothing is refused"
"$PERF" record -q --threads=cpu -e cpu-clock -o x.data true 2>/dev/null && "$PERF" evlist -i x.data | grep -q cpu-clock &&
	echo "ok - --threads" || echo "not ok - --threads"
# A dummy event has no samples, so no field of samples is missing.
"$PERF" record -q -a -e cpu-clock --all-cgroups -o c.data sleep 0.2 2>/dev/null
"$PERF" script -i c.data -F cgroup 2>&1 | head -1 | grep -q '^ */' && echo "ok - script -F cgroup" || echo "not ok - script -F cgroup"
