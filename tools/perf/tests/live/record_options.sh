#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every option of perf record, live: does stock perf read the file without a complaint, and
# does the file hold what was asked for?
#
# STOCK_PERFS may name more than one stock perf, separated by ':'; a word @DIR in front of
# one ("@/srv/root perf") runs it under chroot DIR.
. "$SRC/tools/perf/tests/live/common"
set -u
grep() { command grep -a "$@"; } # names of kernel threads are what they are
IFS=: read -ra stocks <<<"${STOCK_PERFS:-$STOCK_PERF}"
work=$PWD

# A load with two processes, a few threads' worth of maps and system calls.
cat >load.sh <<'END'
for i in $(seq 1000); do :; done
ls -R /usr/share/doc/bash >/dev/null 2>&1
for i in $(seq ${1:-5000}); do :; done
END

stock() { # which, arguments...
	local which=$1 root
	shift
	if [[ $which == @* ]]; then
		root=${which%% *}
		root=${root#@}
		mkdir -p "$root$work" && rm -f "$root$work"/* && cp -p "$work"/*.data* "$work/kallsyms" "$root$work/"
		(cd / && chroot "$root" bash -c 'cd "$0" && exec "$@"' "$work" ${which#* } "$@")
	else
		$which "$@"
	fi
}

# Messages of stock perf on stderr that are no complaint about the file.
# (On a busy machine events are lost. Then our closing lines say so, too.)
overload='^Warning:$|^Processed [0-9]+ (events|samples) and lost|^Check IO/CPU overload!$'
harmless='^$|^Error:$|has no samples!$|^Failed to open /proc/schedstat|^addr2line|^Can.t annotate|^BFD:|^# Tip|vmlinux|debuginfo'

# Names of the kernel's functions are not what is tested. Where no more is asked than whether the file can be read, stock perf gets a list of
# three of them: it takes ten times as long to sort all.
grep -E ' (_text|_stext|_etext)$' /proc/kallsyms >kallsyms

reads() { # file, more commands...: each stock perf reads it whole and silently
	local which command errors file=$1 bad=0 harmless=$harmless few=
	shift
	(($#)) || few=" --kallsyms kallsyms"
	grep -qE 'lost [0-9]+ (records|samples)' record.log && harmless+="|$overload"
	for which in "${stocks[@]}"; do
		for command in "report --stdio$few" "script$few" "$@"; do
			errors=$(stock "$which" $command -i "$file" 2>&1 >/dev/null) || {
				echo "$which $command failed"
				bad=1
			}
			errors=$(grep -vE "$harmless" <<<"$errors") && {
				echo "$which $command: $errors"
				bad=1
			}
		done
	done
	return $bad
}

check() { # name, wanted text in `evlist -v` (regex), options of record...
	local name=$1 wanted=$2 bad=0
	shift 2
	rm -f t.data t.data.old
	if ! "$PERF" record -o t.data "$@" >record.log 2>&1; then
		cat record.log
		echo "not ok - $name: record failed"
		return
	fi
	reads t.data "${more[@]}" || bad=1
	"$STOCK_PERF" evlist -v -i t.data >evlist.log 2>&1
	grep -qE -- "$wanted" evlist.log || {
		echo "no '$wanted' in:"
		cat evlist.log
		bad=1
	}
	((bad)) && cat record.log
	((bad)) && echo "not ok - $name" || echo "ok - $name"
}

within_a_minute() { # command: waits until it succeeds
	for _ in $(seq 600); do
		"$@" && return
		sleep 0.1
	done
	return 1
}
user_is() { # user, process
	[[ $(stat -c %u /proc/$2) == "$1" ]]
}

samples() { # file: how many samples stock perf sees in it
	"$STOCK_PERF" script -i "$1" -F comm 2>/dev/null | grep -c .
}

"$PERF" record -o probe.data -e cpu-clock -- true >probe.log 2>&1 || {
	skip_all_refused "record" probe.log
}
plan $((99 + ${#stocks[@]}))
root=
((EUID == 0)) && root=1
load=(-- bash load.sh)

# What the header says is read for the first and for the richest of them.
more=("report --header-only -I" "evlist -v" "evlist -g")
check "default event" 'sample_type: IP\|TID\|TIME\|PERIOD' "${load[@]}"
more=()
check "-F" 'sample_freq }: 997' -F 997 "${load[@]}"
check "-F max" 'freq: 1' -F max "${load[@]}"
check "-c" 'sample_period, sample_freq }: 100000,' -e cpu-clock -c 100000 "${load[@]}"
check "several -e" 'page-faults' -e cpu-clock -e page-faults,context-switches "${load[@]}"
check "group" 'task-clock' -e '{cpu-clock,task-clock}' "${load[@]}"
check "group read :S" 'READ.*GROUP' -e '{cpu-clock,task-clock,page-faults}:S' "${load[@]}"
check "-g" 'CALLCHAIN' -g "${load[@]}"
check "--call-graph fp" 'CALLCHAIN' --call-graph fp "${load[@]}"
check "-d" 'ADDR.*DATA_SRC' -d "${load[@]}"
check "-W" 'WEIGHT' -W "${load[@]}"
check "--phys-data" 'PHYS_ADDR' --phys-data -d "${load[@]}"
check "--data-page-size" 'DATA_PAGE_SIZE' --data-page-size "${load[@]}"
check "--code-page-size" 'CODE_PAGE_SIZE' --code-page-size "${load[@]}"
check "-T" 'TIME' -T "${load[@]}"
check "--no-timestamp" 'sample_type: IP\|TID\|PERIOD,' --no-timestamp "${load[@]}"
check "-R" 'RAW' -R "${load[@]}"
check "-s" 'inherit_stat: 1' -s "${load[@]}"
check "-i" 'disabled: 1, mmap: 1' -i "${load[@]}"
check "-P" 'PERIOD' -e cpu-clock -c 100000 -P "${load[@]}"
check "-n" 'sample_type' -n "${load[@]}"
check "--per-thread" 'sample_type' --per-thread "${load[@]}"
check "--sample-cpu" 'CPU' --sample-cpu "${load[@]}"
check "--sample-identifier" 'IDENTIFIER' --sample-identifier "${load[@]}"
check "-m" 'sample_type' -m 16 "${load[@]}"
check "-m size" 'sample_type' -m 64K "${load[@]}"
check "--no-buffering" 'wakeup_watermark }: 1' --no-buffering "${load[@]}"
check "-k mono" 'use_clockid: 1' -k mono "${load[@]}"
check "-z" 'sample_type' -z "${load[@]}"
check "-z9 -g" 'CALLCHAIN' -z9 -g "${load[@]}"
check "--buildid-mmap" 'build_id: 1' --buildid-mmap "${load[@]}"
check "--no-buildid" 'sample_type' --no-buildid "${load[@]}"
check "--namespaces" 'namespaces: 1' --namespaces "${load[@]}"
check "--all-cgroups" 'cgroup: 1' --all-cgroups "${load[@]}"
check "--switch-events" 'context_switch: 1' --switch-events "${load[@]}"
check "--overwrite" 'write_backward: 1' --overwrite "${load[@]}"
check "--tail-synthesize" 'sample_type' --tail-synthesize "${load[@]}"
check "--delay" 'dummy' -D 20 "${load[@]}"
# The command waits for the words.
"$PERF" record -o t.data -D 1 -- timeout 20 bash -c 'until grep -q enabled record.log; do sleep 0.02; done' >record.log 2>&1
if [[ $(grep Events record.log | tr '\n' ,) == "Events disabled,Events enabled," ]]; then
	echo "ok - --delay says when events are disabled and enabled"
else
	cat record.log
	echo "not ok - --delay says when events are disabled and enabled"
fi
# The command ends after the last switch.
"$PERF" record -o t.data -e cpu-clock -D 1-30,50-51 -- timeout 20 bash -c 'until (($(grep -c disabled record.log) == 3)); do :; done' >record.log 2>&1
if [[ $(grep Events record.log | tr -d '\n') == $(printf 'Events %s' disabled enabled disabled enabled disabled) ]] &&
	"$PERF" script -i t.data -F comm | grep -q bash; then
	echo "ok - --delay with ranges"
else
	cat record.log
	echo "not ok - --delay with ranges"
fi
# Each known command is acknowledged when it is done; the last byte of the last command needs no newline.
mkfifo ctl ack
exec 7<>ctl 8<>ack
"$PERF" record -o t.data -D -1 --control fifo:ctl,ack -e cpu-clock,page-faults -- sleep 60 >record.log 2>&1 &
pid=$!
replies=
for command in ping enable disable 'enable page-faults' 'enable nothing' 'evlist -F' snapshot $'no such\nping' $'\n\1\377\nping'; do
	echo "$command" >&7
	read -rt 20 -u 8 reply || reply=none
	replies+=$reply,
done
printf stop >&7
wait $pid
status=$?
exec 7>&- 8>&-
{
	echo "$replies $status"
	grep -aE '^Event|^perf: --control|sample_' record.log
} >got
cat >wanted <<'END'
ack,ack,ack,ack,ack,ack,ack,ack,ack, 143
Events disabled
Events enabled
Events disabled
Event page-faults enabled
perf: --control: there is no event 'nothing'
cpu-clock: sample_freq=4000
page-faults: sample_freq=4000
dummy:u: sample_period=1
perf: --control: unknown command 'no such'
perf: --control: unknown command '\x01\xff'
END
diff -u wanted got && echo "ok - --control" || echo "not ok - --control"
check "--transaction --sample-mem-info" 'DATA_SRC' --transaction --sample-mem-info "${load[@]}"
check "--running-time" 'TOTAL_TIME_ENABLED\|TOTAL_TIME_RUNNING' -e '{cpu-clock,page-faults}:S' --running-time "${load[@]}"
check "options without effect" 'sample_type' --aio --aio=2 --affinity=cpu --mmap-flush 4K --num-thread-synthesize=2 \
	--proc-map-timeout 500 --vmlinux /none --debuginfod --timestamp-boundary -v "${load[@]}"
grep -c '^note: --.* has no effect: ' record.log >noted
[[ $(cat noted) == 9 ]] && echo "ok - -v says why they have none" || { cat record.log; echo "not ok - -v says why they have none"; }
check "--all-user" 'exclude_kernel: 1' --all-user "${load[@]}"
check "--all-kernel" 'exclude_user: 1' --all-kernel "${load[@]}"
check "mem: breakpoint" 'type: 5' -e mem:0x1000:rw "${load[@]}"
check "modifiers" 'exclude_kernel: 1' -e cpu-clock:u "${load[@]}"
if [[ $root ]]; then
	check "-a" 'sample_type: .*CPU' -a "${load[@]}"
	check "-C 0" 'sample_type: .*CPU' -C 0 "${load[@]}"
	more=("report --header-only -I" "evlist -v" "evlist -g")
	check "-a -g -z" 'CALLCHAIN' -a -g -z "${load[@]}"
	more=()
	check "-a -d --overwrite" 'write_backward: 1' -a -d --overwrite "${load[@]}"
	if "$PERF" record -o probe.data -e sched:sched_switch -- true >probe.log 2>&1; then
		check "tracepoint" 'type: 2.*PERIOD' -e sched:sched_switch "${load[@]}"
		check "tracepoint glob" 'sched:sched_process_exec' -e 'sched:sched_process_*' "${load[@]}"
		check "tracepoint and clock" 'type: 2' -e sched:sched_switch,cpu-clock -g "${load[@]}"
		check "--filter" 'type: 2' -a -e sched:sched_switch --filter 'prev_pid > 0' --filter 'prev_comm != "bash"' \
			-e sched:sched_process_fork "${load[@]}"
		"$PERF" script -i t.data -F event,trace >script.log
		if grep -q 'sched_switch:.* prev_pid=[1-9]' script.log && grep -q 'sched_process_fork:.* comm=bash' script.log &&
			! grep -E 'sched_switch:.*( prev_pid=0 |prev_comm=bash )' script.log; then
			echo "ok - --filter leaves out what is not true, of its event alone"
		else
			head script.log
			echo "not ok - --filter leaves out what is not true, of its event alone"
		fi
		# Other tests may record at the same time: which threads are the recorder's own?
		printf '#!/bin/sh\n[ "$1" != record ] || echo $$ >recorder.pid\nexec "%s" "$@"\n' "$PERF" >recorder
		chmod +x recorder
		without_perf() { # NAME OPTION...
			PERF=$PWD/recorder check "$1" 'type: 2' "${@:2}" -a -m 16 -e sched:sched_switch --exclude-perf \
				-- bash -c 'for i in $(seq 200); do (:); done'
			if "$PERF" script -i t.data -F comm,pid >script.log && [[ -s script.log && -s recorder.pid ]] &&
				! grep -E " $(<recorder.pid) *$" script.log; then
				echo "ok - $1 leaves out the recorder's threads"
			else
				tail -n 5 script.log
				echo "not ok - $1 leaves out the recorder's threads"
			fi
		}
		without_perf "--exclude-perf"
		exec 7<>ctl
		echo "enable sched:sched_switch" >&7
		without_perf "--exclude-perf, enabled by --control" -D -1 --control fifo:ctl
		exec 7>&-
	else
		skip_refused "tracepoints" probe.log 9
	fi
else
	skip "all CPUs and tracepoints" "not root" 13
fi

# Targets that run already.
bash load.sh 3000000 &
pid=$!
check "-p" 'sample_type' -p $pid -- sleep 0.3
"$STOCK_PERF" script -i t.data --show-mmap-events 2>/dev/null | grep -q 'MMAP2.*libc' &&
	echo "ok - -p: its maps are in the file" || echo "not ok - -p: its maps are in the file"
check "-t" 'sample_type' -t $pid -- sleep 0.2
check "--per-thread -p" 'sample_type' --per-thread -p $pid -- sleep 0.2
kill $pid
wait $pid 2>/dev/null

# A user who runs nothing else: all of root's threads may be more than the events that can be opened.
user=$(id -u)
as_user=()
[[ $root ]] && command -v setpriv >/dev/null && user=61234 && as_user=(setpriv --reuid=$user --regid=$user --clear-groups)
(cd / && exec "${as_user[@]}" bash -c 'while :; do :; done') &
pid=$!
within_a_minute user_is "$user" $pid
check "-u" 'sample_type' -u "$user" -e cpu-clock -- sleep 0.5
"$PERF" script -i t.data -F pid | tr -d " " | sort -u >pids.log
grep -qx "$pid" pids.log && { [[ ! $as_user ]] || (($(wc -l <pids.log) == 1)); } && echo "ok - -u: that user's processes alone" ||
	{ cat pids.log; echo "not ok - -u: that user's processes alone ($pid)"; }
kill $pid
wait $pid 2>/dev/null

# -p ends by itself with its target.
sleep 3 &
timeout 60 "$PERF" record -o t.data -p $! >record.log 2>&1 &&
	echo "ok - -p ends with the process" || { cat record.log; echo "not ok - -p ends with the process"; }

# A pipe, to both readers and by way of `-`.
for which in "${stocks[@]}"; do
	"$PERF" record -o - "${load[@]}" 2>record.log >pipe.data
	if [[ $which == @* ]]; then
		root=${which%% *}
		run=(chroot "${root#@}" ${which#* })
	else
		run=($which)
	fi
	errors=$("${run[@]}" report -i - --stdio <pipe.data 2>&1 >pipe.log | grep -vE "$harmless")
	[[ -z $errors ]] && grep -q '%' pipe.log && echo "ok - pipe ($which)" || {
		cat record.log pipe.log
		echo "$errors"
		echo "not ok - pipe ($which)"
	}
done

# Without a file name: written into a pipe and read from a pipe.
"$PERF" record -q -- bash load.sh | "$PERF" script -F comm | grep -q bash &&
	echo "ok - record | script" || echo "not ok - record | script"
"$PERF" record -q -- bash load.sh | "$PERF" report --stdio -s comm 2>/dev/null | grep -q '%.*bash' &&
	echo "ok - record | report" || echo "not ok - record | report"
# The time of a pipe's recording is that of its reading, as it has no file.
"$PERF" record -q -o - -- true | "$PERF" report --header-only -i - >header.txt 2>&1
(($(grep -c '^# captured on *: ...* 20[0-9][0-9]$' header.txt) == 1)) && grep -q '^# hostname : ' header.txt &&
	echo "ok - record -o - | report --header-only" || echo "not ok - record -o - | report --header-only"

# The file that was there is kept once.
rm -f perf.data perf.data.old
"$PERF" record -q -- true >/dev/null && cp perf.data first && "$PERF" record -q -- true >/dev/null
cmp -s first perf.data.old && echo "ok - perf.data.old" || echo "not ok - perf.data.old"

# --switch-output: by size, time and signal; each part is a recording of its own.
parts() { # name, at least
	local n=0 bad=0 part
	for part in sw.data.2*; do
		reads "$part" || { echo "in $part"; bad=1; }
		n=$((n + 1))
	done
	rm -f sw.data*
	((!bad && n >= $2)) && echo "ok - $1" || { cat record.log; echo "not ok - $1: $n parts"; }
}
"$PERF" record -o sw.data --switch-output=100K -F 5000 -g -e cpu-clock -- bash load.sh 300000 >record.log 2>&1
parts "--switch-output=100K" 2
"$PERF" record -o sw.data --switch-output=1s -- bash -c 'timeout 2.5 bash load.sh 100000000' >record.log 2>&1
parts "--switch-output=1s" 2
has_parts() { # at least
	(($(ls sw.data.2* 2>/dev/null | wc -l) >= $1))
}
rm -f started enough
"$PERF" record -o sw.data --switch-output -- bash -c '>started; until [[ -e enough ]]; do for i in {1..1000}; do :; done; done' >record.log 2>&1 &
pid=$!
within_a_minute test -e started
for n in 1 2; do
	sleep 0.5
	kill -USR2 $pid
	within_a_minute has_parts $n
done
>enough
wait $pid
n=$(ls sw.data.2* | wc -l)
first=$(ls sw.data.2* | sed -n 1p) second=$(ls sw.data.2* | sed -n 2p)
"$STOCK_PERF" script -i "$second" --show-mmap-events 2>/dev/null | grep -q 'MMAP2.*libc' &&
	[[ $(samples "$second") -gt 0 ]] && "$STOCK_PERF" script -i "$second" -F comm 2>/dev/null | grep -q '^ *bash' &&
	echo "ok - --switch-output: the second part knows names and maps" || {
	"$STOCK_PERF" script -i "$second" --show-task-events --show-mmap-events | head -20
	echo "not ok - --switch-output: the second part knows names and maps"
}
parts "--switch-output by signal ($n parts)" 3

# A process whose first thread ends before the others: parts that begin afterwards know its mappings, and so do recordings.
mkfifo gate
"$WORKLOADS/headless" <gate &
headless=$!
exec {gate}>gate
rm -f started enough
"$PERF" record -e cpu-clock -o sw.data --switch-output -p $headless -- bash -c '>started; until [[ -e enough ]]; do sleep 0.1; done' >record.log 2>&1 {gate}>&- &
pid=$!
within_a_minute test -e started
kill -USR2 $pid
within_a_minute has_parts 1
exec {gate}>&-
within_a_minute eval '! grep -q . /proc/$headless/maps'
sleep 0.3
kill -USR2 $pid
within_a_minute has_parts 2
sleep 1
>enough
wait $pid
known() { # name, file
	if "$PERF" script -i "$2" -F ip,sym 2>>record.log | grep compute_on >found; then
		echo "ok - $1"
	else
		cat record.log
		"$PERF" script -i "$2" --show-task-events --show-mmap-events 2>&1 | head -20
		echo "not ok - $1"
	fi
}
known "the first thread has ended: a later part knows the mappings" "$(ls sw.data.2* | tail -1)"
rm -f sw.data*
"$PERF" record -e cpu-clock -o after.data -p $headless -- sleep 1 >record.log 2>&1
known "the first thread has ended: a recording of the process knows the mappings" after.data
kill -KILL $headless
wait $headless 2>/dev/null
"$PERF" record -o sw.data --switch-output=50K --switch-max-files=2 -F 5000 -g -e cpu-clock -- bash load.sh 300000 >record.log 2>&1
n=$(ls sw.data.2* | wc -l)
((n == 2)) && echo "ok - --switch-max-files" || echo "not ok - --switch-max-files: $n"
rm -f sw.data*

# --max-size ends the recording, not far above it.
"$PERF" record -o t.data --max-size=200K -F 20000 -g -e cpu-clock -- bash load.sh 100000000 >record.log 2>&1
size=$(stat -c %s t.data)
reads t.data && ((size >= 200 * 1024 && size < 1500 * 1024)) && grep -q 'size limit reached' record.log &&
	echo "ok - --max-size" || { cat record.log; echo "not ok - --max-size: $size"; }

# Exit statuses and signals.
status() { # name, wanted, command...
	local name=$1 wanted=$2 got
	shift 2
	"$@" >record.log 2>&1
	got=$?
	((got == wanted)) && echo "ok - $name" || { cat record.log; echo "not ok - $name: $got"; }
}
status "the command's exit status" 7 "$PERF" record -o t.data -- sh -c 'exit 7'
status "the command's signal" 143 "$PERF" record -o t.data -- sh -c 'kill -TERM $$'
status "no such command" 255 "$PERF" record -o t.data -- /no/such/command
grep -q "/no/such/command.*No such file or directory" record.log && echo "ok - no such command is named" ||
	echo "not ok - no such command is named"
status "a directory is no command" 255 "$PERF" record -o t.data -- /
status "no such process" 255 "$PERF" record -o t.data -p 4194303
status "no such event" 129 "$PERF" record -o t.data -e no-such-event -- true
status "usage" 129 "$PERF" record --no-such-option -- true
grep -q "event syntax error" <("$PERF" record -e no-such-event -- true 2>&1) && echo "ok - no such event is marked" ||
	echo "not ok - no such event is marked"
for words in "-F abc" "-C x" "-p x" "-m x"; do
	status "wrong: $words" 129 "$PERF" record -o t.data $words -- true
done
status "call graphs of another kind are refused" 129 "$PERF" record --call-graph nosuch -- true
status "a stack copy that is too large is refused" 129 "$PERF" record --call-graph dwarf,70000 -- true
for signal in INT TERM; do
	rm -f started
	"$PERF" record -o t.data -- sh -c '>started; exec sleep 60' >record.log 2>&1 &
	pid=$!
	within_a_minute test -e started
	kill -$signal $pid
	wait $pid
	got=$?
	((got == 143)) && grep -q 'Captured and wrote' record.log && reads t.data &&
		echo "ok - SIG$signal ends it in order" || { cat record.log; echo "not ok - SIG$signal: $got"; }
done

# Without a target perf records all CPUs until it is stopped. Samples begin only after all of /proc was read, which
# takes seconds on a busy machine. If the time was too short, the next try is longer.
for seconds in 1 4 16 64; do
	timeout -s INT -k 30 $seconds "$PERF" record -e cpu-clock -F 500 -o t.data >record.log 2>&1
	cpus=$("$PERF" script -i t.data -F cpu 2>>record.log | sort -u | wc -l)
	((cpus == $(getconf _NPROCESSORS_ONLN))) && break
done
((cpus == $(getconf _NPROCESSORS_ONLN))) && reads t.data && echo "ok - no target is all CPUs" ||
	{ cat record.log; echo "not ok - no target is all CPUs: $cpus"; }
