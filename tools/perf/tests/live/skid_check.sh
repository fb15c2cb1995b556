#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Which instruction samples name: perf record measures it once per boot, beside the recording, and tells it in the file.
set -u
. "$SRC/tools/perf/tests/live/common"

mkdir run
export XDG_RUNTIME_DIR=$PWD/run
kept=run/perf/.skid.cpu-clock
"$PERF" record -q -e cpu-clock -o try.data -- true 2>err || skip_all_refused "skid" err
plan 27

forget() { rm -rf run/perf; }
header() { "$PERF" report -i "$1" --header-only 2>>err; } # FILE
# told FILE TEXT: the header has this, and nothing else, of cpu-clock.
told() { header "$1" >out; [[ $(grep -c '^# skid\.cpu-clock : ' out) == 1 ]] && grep -qF "# skid.cpu-clock : $2" out; }
untold() { header "$1" >out; ! grep -q '^# skid' out; } # FILE
record() { "$PERF" record -q -e cpu-clock -F 2000 "$@" 2>err; }
# A short recording on a busy machine ends before the measurement does. Then the next try is longer.
measure() { # FILE record-options...
	local seconds
	for seconds in 0.01 0.5 4 30; do
		record -o "$@" -- sleep $seconds
		[[ -s $kept ]] && return
	done
}

forget
measure first.data
check "the first recording measures it, and keeps it" eval 'told first.data "samples name" && [[ $(stat -c %u:%a "$kept") == $(id -u):600 ]]'
check "samples of this machine's timer name one instruction" grep -Eq 'samples name the instruction .*: (9[0-9]|100)\.[0-9] % of [0-9]{2,3}$' out

# A value that no measurement has shows which recordings take what is kept.
plant() { sed -i '$s/.*/200 samples: 10 after, 190 at, 0 elsewhere/' "$kept"; }
planted='samples name the instruction that waited: 95.0 % of 200'
plant
record -o second.data -- true
check "the next one takes what is kept" told second.data "$planted"
record -o - -- true >pipe.data
check "into a pipe, too" told pipe.data "$planted"
record --switch-output=50ms -o parts.data -- sleep 0.2
record --switch-output=1s -o parts.data -- sleep 0.1
for part in parts.data.*; do told "$part" "$planted" || break; done
check "into each part of a switched output" told "$part" "$planted"
record -e task-clock -o both.data -- sleep 0.5
check "each kind of event has its own" eval 'told both.data "$planted" && [[ $(grep -c "^# skid.task-clock : samples name " out) == 1 ]]'
"$PERF" record -q -e page-faults -o faults.data -- true 2>err
check "other events have none" untold faults.data
record --no-skid-check -o none.data -- true
check "--no-skid-check: nothing is told" untold none.data
sed -i '1s/.*/another-boot/' "$kept"
# again FILE: measures, although there is a file of what was kept. A measurement that the end of the recording has cut short is told, but
# not kept: then the next try is longer.
again() {
	local seconds
	for seconds in 0.01 0.5 4 30; do
		record -o "$1" -- sleep $seconds
		told "$1" "$planted" && return 1
		told "$1" "samples name" && grep -Eq '^# skid\.cpu-clock .* of 2[4-9][0-9]$' out &&
			! grep -qx '200 samples: 10 after, 190 at, 0 elsewhere' "$kept" && return
	done
	return 1
}
check "of another boot: measured again" eval 'again boot.data && [[ -s $kept ]] && ! grep -q another-boot "$kept"'
plant
chmod 666 "$kept"
check "a file that others may write: measured again" again writable.data
if plant && chown 65534:65534 "$kept" 2>/dev/null; then
	check "another user's file: measured again" again foreign.data
	check "and replaced" test "$(stat -c %u:%a "$kept")" = "$(id -u):600"
fi
echo garbage >"$kept"
check "garbage: measured again" again garbage.data
forget
check "a run-time folder that cannot be written: measured, and not kept" eval 'XDG_RUNTIME_DIR=/proc again unwritable.data && [[ ! -e $kept ]]'

forget
record --no-skid-check -o none.data -- true
check "--no-skid-check: nothing is kept" test ! -e "$kept"
timeout 60 "$PERF" top -e cpu-clock -p $$ -d 1 </dev/null 2>err | grep -m 1 PerfTop >out
check "perf top measures nothing" eval 'grep -q PerfTop out && [[ ! -e $kept ]]'
if "$PERF" record --detached=skid --carrier=keeper --keep=256K -e cpu-clock -- sleep 0.1 >out 2>err; then
	"$PERF" detached rm skid >>out 2>>err
	check "a recording in the background measures nothing" test ! -e "$kept"
	measure kept.data
	plant
	"$PERF" record --detached=skid --carrier=keeper --keep=256K -e cpu-clock -- sleep 0.1 >out 2>err
	"$PERF" detached read skid -o background.data >out 2>>err
	check "and takes what is kept" told background.data "$planted"
	"$PERF" detached rm skid >>out 2>>err
else
	skip_refused "a recording in the background" err 2
fi
"$PERF" detached list >out 2>err
check "what is kept is no detached recording" eval '[[ $? == 0 && -d $(dirname "$kept") ]] && ! grep -qi skid out err'

forget
"$PERF" doctor >out 2>err
check "doctor measures it" grep -Eq '^ok   skid: cpu-clock: samples name the instruction .*: [0-9.]+ % of [0-9]+$' out
check "and keeps it" test -s "$kept"

if [[ -x ${STOCK_PERF:-} ]]; then
	record -o busy.data -- bash -c 'for ((i = 0; i < 200000; i++)); do :; done' # stock perf refuses a file without samples
	"$STOCK_PERF" report -i busy.data --header >out 2>err
	check "stock perf reads the file" eval '(($? == 0)) && grep -q "event : name = cpu-clock" out && ! grep -qi -e error -e corrupt err'
else
	skip "stock perf reads the file" "stock perf is not installed"
fi

if ((EUID == 0)) && command -v setpriv >/dev/null && (($(cat /proc/sys/kernel/perf_event_paranoid) <= 2)); then
	dir=$(mktemp -d /tmp/perf-user.XXXXXX)
	cp "$PERF" "$dir/perf"
	mkdir -m 700 "$dir/run"
	chown -R 65534:65534 "$dir"
	(cd "$dir" && XDG_RUNTIME_DIR=$dir/run setpriv --reuid=65534 --regid=65534 --clear-groups ./perf record -q -e cpu-clock:u -o user.data -- sleep 2) 2>err
	"$PERF" report -f -i "$dir/user.data" --header-only >out 2>>err
	check "a user without privileges measures it, too" grep -q '^# skid.cpu-clock : samples name' out
	check "and keeps it" test "$(stat -c %u:%a "$dir/run/perf/.skid.cpu-clock")" = 65534:600
	rm -rf "$dir"
else
	skip "a user without privileges" "needs root, setpriv and perf_event_paranoid of at most 2" 2
fi

# The measuring thread is the recorder's: it is seen on all CPUs, unless --exclude-perf is given.
if "$PERF" record -q -a -e sched:sched_switch -o try.data -- true 2>err; then
	# Of this recorder alone: other tests may record at the same time, and measure, too.
	seen() { # FILE options...: how often the measuring thread lost its CPU
		local recorder
		forget
		"$PERF" record -q -a -e cpu-clock -e sched:sched_switch "${@:2}" -o "$1" -- sleep 0.3 2>err &
		recorder=$!
		wait $recorder
		"$PERF" script -i "$1" --pid $recorder -F event,trace 2>>err | grep -c 'sched_switch: prev_comm=perf-skid'
	}
	with=$(seen with.data) without=$(seen without.data --exclude-perf)
	echo "# it lost its CPU $with times; with --exclude-perf, $without are seen"
	check "--exclude-perf leaves out the measuring thread" test "$with" -gt 0 -a "$without" -eq 0
	# The command is executed before the measurement ends. Each of them may lose its CPU, so there are some tries.
	time_of() { # comm event
		"$PERF" script -i order.data --comms "$1" -F comm,time,event 2>>err | sed -nE "s/.* ([0-9.]+): +sched:$2:.*/\\1/p" | head -n 1
	}
	for ((i = 0; i < 10; i++)); do
		forget
		"$PERF" record -q -a -e cpu-clock -e sched:sched_process_exec -e sched:sched_process_exit -o order.data -- sleep 1 2>err
		executed=$(time_of sleep sched_process_exec) ended=$(time_of perf-skid sched_process_exit)
		echo "# executed at ${executed:-none}, measured until ${ended:-none}"
		awk -v a="${executed:-0}" -v b="${ended:-0}" 'BEGIN { exit !(a && a < b) }' && break
	done
	check "the command does not wait for the measurement" test "$i" -lt 10
else
	skip_refused "sched events" err 2
fi

# What it costs. The minimum of several runs: the machine may be busy.
first_sample() { # arguments...: ms from the recorder's start to the first sample
	local before after
	before=$(date +%s%N)
	"$PERF" record -q -k CLOCK_REALTIME -e cpu-clock -F 10000 -o cost.data "$@" -- bash -c 'for ((i = 0; i < 20000; i++)); do :; done' 2>>err
	after=$(header cost.data | sed -n 's/^# time of first sample : *//p')
	awk -v a="$after" -v b="${before%??????}" 'BEGIN { print a * 1000 - b }'
}
cpu_ms() { # arguments...
	local TIMEFORMAT='%U %S'
	{ time "$PERF" record -q -e cpu-clock -o cost.data "$@" -- true 2>>err; } 2>&1 | awk '{ print ($1 + $2) * 1000 }'
}
least() { sort -n "$1" | head -n 1; }
is_cheap() { awk -v a="$(least fresh.cpu)" -v b="$(least kept.cpu)" 'BEGIN { exit !(a < b + 60) }'; }
median() { sort -n "$1" | awk '{ v[NR] = $1 } END { print v[int(NR / 2) + 1] }'; }
# Eight runs, and up to 24 while the machine is so busy that none of them was undisturbed.
for ((i = 0; i < 24; i++)); do
	((i < 8)) || ! is_cheap || break
	forget
	first_sample >>fresh.ms
	first_sample --no-skid-check >>off.ms
	measure kept.data
	cpu_ms >>kept.cpu
	forget
	cpu_ms >>fresh.cpu
done
echo "# first sample after $(median fresh.ms) ms (median) while it is measured, $(median off.ms) ms with --no-skid-check;" \
	"CPU time of a recording $(least fresh.cpu) ms, $(least kept.cpu) ms when it is kept"
check "a measurement costs less than 60 ms of CPU time" is_cheap
