#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The text of -e: both perfs record it, and stock perf reads the same events, with the same
# names, types, levels and precision, out of both files.
set -u
. "$SRC/tools/perf/tests/compat/common"
plan 7

# "NAME: type: 1, exclude_kernel: 1": only what -e decides, sorted.
described() { # file
	"$STOCK_PERF" evlist -v -i "$1" 2>/dev/null | grep -v '^#' | awk -F', ' '{
		line = $1
		for (i = 2; i <= NF; i++)
			if ($i ~ /^(config|exclude_(user|kernel|hv|idle|host|guest)|precise_ip|pinned|exclusive|bp_type|\{ bp_)/)
				line = line ", " $i
		print line
	}' | sort
}

same() { # name, events...
	local name=$1 e args=()
	shift
	for e; do
		args+=(-e "$e")
	done
	rm -f theirs.data ours.data
	"$STOCK_PERF" record "${args[@]}" -o theirs.data true >theirs.log 2>&1
	case $? in
	0) ;;
	134 | 139) skip "$name" "stock perf has crashed: $(tail -n 1 theirs.log)" && return ;;
	*) skip_refused "$name" theirs.log && return ;;
	esac
	if ! "$PERF" record "${args[@]}" -o ours.data true >ours.log 2>&1; then
		cat ours.log
		echo "not ok - $name"
	elif diff <(described theirs.data) <(described ours.data) && [[ $(described ours.data | wc -l) -ge $# ]]; then
		echo "ok - $name"
	else
		echo "not ok - $name"
	fi
}

same "software events" cpu-clock task-clock page-faults faults:u faults:k cs context-switches \
	migrations minor-faults major-faults alignment-faults emulation-faults dummy:HG dummy:G \
	bpf-output cgroup-switches 1:2:u
same "modifiers" cpu-clock:uk cpu-clock:kh cpu-clock:uG cpu-clock:uH cpu-clock:up cpu-clock:uP \
	cpu-clock:Gp cpu-clock:I cpu-clock:D cpu-clock:e cpu-clock:S
same "lists and groups" cpu-clock,cs:u,faults '{cpu-clock:u,faults}:S' '{cpu-clock:k,faults}:u' '{cs,faults}:W' \
	'g{cs,cpu-clock}:ppG'
same "terms" software/config=2/k cpu-clock// cpu-clock/name=zoo/u cpu-clock/period=100000/u
same "breakpoints" mem:0x1000 mem:0x1008:x mem:0x1010:w mem:0x1018/8:rw
same "breakpoints with modifiers" mem:4096/2:rw:u mem:0x1000:u
same "tracepoints" sched:sched_switch sched:sched_switch:u 'sched:sched_wak*' \
	'{sched:sched_wak*,cpu-clock}:k'
