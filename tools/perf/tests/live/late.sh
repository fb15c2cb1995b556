#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Facts that a process publishes while it is recorded (workloads/late.c) apply from then on, for all events
# and for each reader of activities.
. "$SRC/tools/perf/tests/live/common"
if ! "$PERF" record -q --sample-tls -o try.data true 2>why; then
	skip_all_refused "late" why
fi
plan 9

# No other event tells the time of a fact. States are merged for up to 250 ms, so only the order is judged.
"$PERF" record -q --sample-tls --wall=100 -o perf.data -- "$WORKLOADS/late" activity 2 2>err </dev/null
"$PERF" report -i perf.data --stdio -q -s service -F overhead,service 2>>err >out
if awk '{ percent[$2] = $1 + 0 } END { exit !(percent["early"] >= 10 && percent["later"] >= 30) }' out; then
	echo "ok - a later service, thread states"
else
	cat err out
	echo "not ok - a later service, thread states"
fi

# share LEAST MOST ROW: of the samples, in percent.
share() {
	awk -v least="$1" -v most="$2" -v want="$3" '
		{ percent = $1 + 0; sub(/^[^ ]+ +/, ""); gsub(/ +/, " "); sub(/ $/, "") }
		$0 == want { found = percent }
		END { exit !(found >= least && found <= most) }' out
}

# in_time NAME EARLY LATER: a row for each event of ./report
in_time() {
	local name=$1 early=$2 later=$3 event
	while read -r event; do
		awk -v event="$event" '/^# Samples:/ { is = index($0, event) } is && /^ .*%/' report |
			sed -E 's/^ +//; s/ +$//' >out
		if share 15 45 "$early" && share 55 85 "$later"; then
			echo "ok - $name: $event"
		else
			cat err out
			echo "not ok - $name: $event"
		fi
	done < <(sed -nE "s/^# Samples: .* of event (.*)/\1/p" report)
}

# late NAME KEYS EARLY LATER WHAT RECORD-OPTIONS...: a third of each event's samples has the row
# EARLY, all others have LATER; 100 ms to hear of it are 7 percent here. The third is one of CPU time, in which a busy
# machine makes fewer system calls at one time than at another.
late() {
	local name=$1 keys=$2 early=$3 later=$4 what=$5 try
	shift 5
	# How soon a thread of the recorder looks again depends on the load: one of three recordings is to have it in time.
	for try in 1 2 3; do
		"$PERF" record -q --sample-tls -o perf.data "$@" -- "$WORKLOADS/late" "$what" 1.4 2>err </dev/null
		"$PERF" report -i perf.data --stdio -s "$keys" >report 2>>err
		in_time "$name" "$early" "$later" >rows
		grep -q '^not ok' rows || break
	done
	cat rows
	grep -q '^# Samples:' report || { cat err; echo "not ok - $name: no report"; }
}

"$PERF" list tracepoint >/dev/null 2>&1 # mounts tracefs
timer=(-e cpu-clock -F 1000)
hits=(-e raw_syscalls:sys_enter)
while IFS='|' read -r name keys early later what; do
	late "$name, a timer" "$keys" "$early" "$later" "$what" "${timer[@]}"
	if [[ -r /sys/kernel/tracing/events/raw_syscalls/sys_enter/id || -r /sys/kernel/debug/tracing/events/raw_syscalls/sys_enter/id ]]; then
		late "$name, a tracepoint" "$keys" "$early" "$later" "$what" "${hits[@]}"
		late "$name, both" "$keys" "$early" "$later" "$what" "${timer[@]}" "${hits[@]}"
	else
		skip "$name, a tracepoint" "no tracepoints here" 3
	fi
done <<-'END'
	a later service and key|service,label:route,label:tier|early /b (none)|later /b gold|activity
	a later storage of Elastic|service|(unknown)|later|elastic
	END

