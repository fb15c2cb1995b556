#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Recordings when something goes wrong: the recorder is killed, the disk is full, the reader of a pipe ends, rings
# overflow, limits and signals that the caller has set, the user has no permission. And the case that must work: 10 kHz on every CPU.
. "$SRC/tools/perf/tests/live/common"
set -u

verdict() { # name: of the command before, with record.log as explanation
	(($? == 0)) && pass "$1" || { cat record.log; fail "$1"; }
}

"$PERF" record -o probe.data -e cpu-clock -- true >probe.log 2>&1 || {
	skip_all_refused "record" probe.log
}

# SAMPLE and LOST_SAMPLES of a file, as stock perf counts them.
stat_of() { # file, name
	"$STOCK_PERF" report --stats -i "$1" 2>/dev/null |
		awk -v name="$2" '$1 == name && $2 == "events:" { sum = $3 } END { print sum + 0 }'
}
# The same as the closing line tells.
said() { # samples|lost
	case $1 in
	samples) sed -nE 's/.*\(([0-9]+) samples\).*/\1/p' record.log ;;
	# By an event that also has the records of forks and exits, of which these recordings have few.
	lost) sed -nE 's/.*lost ([0-9]+) (records?: samples, forks|samples? ).*/\1/p' record.log | grep . || echo 0 ;;
	esac
}
busy() { exec bash -c 'while :; do :; done'; }

grows() { # file, its recorder: until the file has something to lose, 20 s at most, or the recorder has ended
	for _ in $(seq 200); do
		kill -0 $2 2>/dev/null || return
		sleep 0.1
		(($(stat -c %s "$1" 2>/dev/null || echo 0) > 30000)) && return
	done
}
IFS=: read -ra stocks <<<"${STOCK_PERFS:-$STOCK_PERF}" # "@/srv/root perf": under chroot
plan $((48 + 4 * ${#stocks[@]}))
for options in "" "-g --switch-events" "-z" "-z --switch-output=1m"; do
	busy &
	load=$!
	rm -f k.data
	"$PERF" record -e cpu-clock -F 5000 $options -o k.data -p $load >record.log 2>&1 &
	recorder=$!
	grows k.data $recorder
	kill -KILL $recorder
	wait $recorder 2>/dev/null
	kill $load
	wait $load 2>/dev/null
	"$PERF" script -i k.data -F comm,ip,time >own.txt 2>record.log
	own=$(wc -l <own.txt)
	((own > 300)) && grep -q 'the recorder runs, was killed' record.log
	verdict "killed while recording ($options): $own lines are read, and it is said"
	for which in "${stocks[@]}"; do
		run=("$which") at=
		[[ $which == @* ]] && run=(chroot ${which:1}) at=$(cut -d' ' -f1 <<<"${which:1}")/tmp/ && cp k.data "$at"
		errors=$("${run[@]}" script -i ${at:+/tmp/}k.data -F comm,ip,time 2>&1 >k.txt | grep -a . | grep -v HEADER_NRCPUS)
		n=$(wc -l <k.txt)
		((n > own * 9 / 10)) && [[ -z $errors ]]
		verdict "killed while recording ($options): $which reads $n lines${errors:+, with $errors}"
	done
done

if ((EUID == 0)) && unshare -m true 2>/dev/null; then
	unshare -m bash -c '
		mkdir -p full && mount -t tmpfs -o size=160k none full || exit 1
		"$PERF" record -e cpu-clock -F 10000 -g -o full/f.data -- bash -c "for i in {1..300000}; do :; done"
		echo "status $?"
		cp full/f.data f.data' >record.log 2>&1
	grep -q "full/f.data.*No space left on device" record.log && grep -q "status 255" record.log
	verdict "disk full: says so"
	errors=$("$STOCK_PERF" script -i f.data -F comm,time 2>&1 >f.txt | grep -a .)
	n=$(wc -l <f.txt)
	((n > 100)) && [[ -z $errors ]]
	verdict "disk full: stock perf reads the $n lines that fitted${errors:+, but says $errors}"
else
	skip "disk full" "no mount namespaces for this user" 2
fi
(ulimit -f 4 && "$PERF" record -e cpu-clock -F 10000 -g -o limited.data -- bash -c "for i in {1..100000}; do :; done"; echo "status $?") >record.log 2>&1
grep -q "limited.data.*File too large" record.log && grep -q "status 255" record.log
verdict "the limit of files (ulimit -f): says so"

# The least memory in which perf starts is not enough for more.
for ((kb = 4000; kb < 60000; kb += 1000)); do
	(ulimit -d $kb && "$PERF" version) >/dev/null 2>&1 && break
done
(ulimit -d $kb && "$PERF" record -e cpu-clock -o little.data -- true) >record.log 2>&1
(($?)) && grep -Eq "^perf: .*(failed to allocate|creating thread|start of a thread|Cannot allocate)" record.log
verdict "not enough memory: says so"

# The child of an old daemon: with SIGCHLD ignored, nobody hears of the command's end.
timeout 20 env --ignore-signal=CHLD "$PERF" record -e cpu-clock -o child.data -- sh -c 'exit 7' >record.log 2>&1
(($? == 7))
verdict "the caller ignores SIGCHLD"

# The kernel's events have the clock of no time namespace, and so have all others.
for options in "--wall=100 -e cpu-clock" "--off-cpu -e cpu-clock" "--wall=100 --wall-source=proc -e cpu-clock -k mono"; do
	unshare --time --monotonic 500000 --boottime 700000 true 2>/dev/null || {
		skip "a time namespace ($options)" "none for this user"
		continue
	}
	unshare --time --monotonic 500000 --boottime 700000 "$PERF" record $options -o far.data -- \
		sh -c 'sleep 0.1; for i in $(seq 2000); do :; done' >record.log 2>&1
	"$PERF" script -i far.data -F event,time | awk '{ at = $1 + 0; n[$2]++; if (!lo || at < lo) lo = at; if (at > hi) hi = at }
		END { exit !(length(n) > 1 && hi - lo < 20) }'
	verdict "a time namespace ($options): times of all events go together"
done

(ulimit -Sn 16 && "$PERF" record --wall=100 -o few.data -- sh -c 'ulimit -Sn; sleep 0.1') >record.log 2>&1
(($? == 0)) && grep -qx 16 record.log && grep -Eq "few.data \([0-9]+ samples\)" record.log
verdict "few open files: perf takes as many as it may, and the command keeps its limit"

"$PERF" record -o /dev/full -- true >record.log 2>&1
(($? == 255)) && grep -q "/dev/full" record.log
verdict "nothing fits at all"

timeout 20 "$PERF" record -e cpu-clock -F 5000 -o - -- bash -c 'while ((SECONDS < 5)); do :; done' 2>record.log | head -c 1000 >/dev/null
status=${PIPESTATUS[0]}
((status == 255)) && grep -q "Broken pipe" record.log
verdict "the pipe's reader goes away"

# Copies of stacks are written by a program's own events, which count what they lost from the start on. Each part tells only its own:
# together as many as the kernel's records of losses in the rings (LOST), which lack only what was lost behind the last sample.
"$PERF" record -v -e cpu-clock -c 50000 -m 16K --call-graph live,8192 --switch-output=1s -o copies.data -- bash -c '
	parts() { shopt -s nullglob; set -- copies.data.2*; echo $#; }
	until (($(parts) >= 3)); do for i in {1..10000}; do :; done; done' >record.log 2>&1
if grep -q "stacks: all copies have one size" record.log; then
	skip "parts tell only what each has lost" "the BPF program cannot be used here"
else
	for part in copies.data.2*; do
		"$PERF" script -i "$part" --show-lost-events -F event 2>/dev/null
	done | awk '/RECORD_LOST/ { n = $NF; sub(/.*:/, "", n); sum[/LOST_SAMPLES/] += n; parts += /LOST_SAMPLES/ }
		END { print sum[1] + 0, sum[0] + 0, parts + 0 }' >sums
	read -r told lost parts <sums
	((parts >= 2 && told > 0 && told == $(said lost) && told * 2 <= lost * 3))
	verdict "parts tell only what each has lost: $told of $lost in $parts parts"
fi

# Each system call is an event: recorded and lost events of one run add up to those of the other run.
# To lose events, the recorder is stopped, because a running one keeps up. The program stays on one CPU: the kernel writes LOST
# before the next record of the same ring, so a ring whose CPU the program has left would have none.
cpu=$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')
calls=(-e raw_syscalls:sys_enter -c 1 -- taskset -c "$cpu" bash -c 'kill -$0 $PPID
	dd if=/dev/zero of=/dev/null bs=1 count=20000
	kill -CONT $PPID
	sleep 0.3')
if "$PERF" record -m 1024 -o all.data "${calls[@]}" CONT >record.log 2>&1; then
	all=$(said samples)
	(($(said lost) == 0 && all > 40000))
	verdict "nothing is lost in rings that are large enough: $all samples"
	"$PERF" record -m 1 -o few.data "${calls[@]}" STOP >record.log 2>&1
	few=$(said samples) lost=$(said lost)
	sum=$((few + lost))
	((lost > 0 && sum > all - 20 && sum < all + 20))
	verdict "lost samples are counted: $few + $lost of $all"
	[[ $(stat_of few.data SAMPLE) == "$few" ]] && (($(stat_of few.data LOST_SAMPLES) > 0 && $(stat_of few.data LOST) > 0))
	verdict "LOST and LOST_SAMPLES are in the file"
	"$STOCK_PERF" report -i few.data --stdio 2>/dev/null | grep -q "# Total Lost Samples: $lost\$"
	verdict "stock perf says how many were lost"
else
	skip_refused "lost samples are counted" record.log 4
fi

# Processes without end: what is lost are forks and exits, and hardly a sample.
storm=(-m 1 -- bash -c 'kill -STOP $PPID
	for i in {1..2000}; do (:); done
	kill -CONT $PPID
	for i in {1..300000}; do :; done
	sleep 0.3')
lost_of() { # WORDS in the closing line, which is the only one about losses
	grep -c 'The kernel lost' record.log | grep -qx 1 && sed -nE "s/.*The kernel lost ([0-9]+) $1 \]/\1/p" record.log | grep -q '^[1-9]'
}
"$PERF" record -e cpu-clock -F 100 -o storm.data "${storm[@]}" >record.log 2>&1
lost_of 'records: samples, forks, exits and mappings, which it counts together'
verdict "lost forks and exits are not called samples"
"$PERF" report -i storm.data --stdio >out 2>&1
grep -q '[1-9][0-9]* of the lost samples may be records of forks, exits and mappings' out
verdict "lost forks and exits are not called samples by a report"
"$PERF" record -e dummy -o storm.data "${storm[@]}" >record.log 2>&1
lost_of 'records' && (($(stat_of storm.data LOST_SAMPLES) == 0))
verdict "an event without samples has lost none"
# With a delay, these records have an event of their own: then both are counted apart.
"$PERF" record -D 1 -e cpu-clock -F 100 -o storm.data "${storm[@]}" >record.log 2>&1
# The samples of 100 Hz that are lost while the recorder stands still are few beside 2,000 processes' records.
awk '/The kernel lost [0-9]+ sample/ { samples = $7; n++ } /The kernel lost [0-9]+ (other )?records? \]/ { others = $7; n++ }
	/which it counts together/ { bad = 1 } END { exit !(others > 100 && !bad && (n == 1 || samples * 20 < others)) }' record.log
verdict "samples and other records are counted apart if they are of different events"

# 10 kHz on every CPU while every CPU is busy.
if "$PERF" record -a -o probe.data -e cpu-clock -- true >probe.log 2>&1; then
	for cpu in $(seq "$(nproc)"); do
		busy &
		loads+=($!)
	done
	"$PERF" record -a -e cpu-clock -F 10000 -g -o a.data -- sleep 3 >record.log 2>&1
	kill "${loads[@]}"
	samples=$(said samples) lost=$(said lost)
	wanted=$(($(nproc) * 30000))
	grep -a 'perf record:' record.log | sed 's/^/# /'
	((samples + lost > wanted / 2)) && [[ $(stat_of a.data SAMPLE) == "$samples" ]]
	verdict "10 kHz on every CPU for 3 s: $samples samples, $lost lost, of $wanted ticks"
	((lost * 1000 < samples))
	verdict "10 kHz: less than one in a thousand lost"
	errors=$("$STOCK_PERF" report -i a.data --stdio 2>&1 >/dev/null | grep -aE 'out of order|lost|rror')
	[[ -z $errors || $lost != 0 ]]
	verdict "10 kHz: stock perf finds the order that it needs${errors:+, but says $errors}"
else
	skip_refused "10 kHz on every CPU" probe.log 3
fi

# The kernel ends the events of a program that gets other rights when it starts.
if ((EUID == 0)) && setpriv --reuid=65534 --regid=65534 --clear-groups true 2>/dev/null; then
	chmod 0755 . && mkdir -m 0777 theirs && cp "$PERF" theirs/perf && cp "$(type -P sleep)" theirs/naps && chmod 0755 theirs/perf theirs/naps
	as_nobody() { (cd theirs && setpriv --reuid=65534 --regid=65534 --clear-groups ./perf record -e page-faults:u -c 1 -o own.data -- ./naps 0.1) >record.log 2>&1; }
	as_nobody && grep -q samples record.log && ! grep -q 'No samples' record.log
	verdict "a program of an ordinary user has samples, and no excuse"
	for how in "4755 is set-user-ID" "2755 is set-group-ID" "0711 is not readable for this user"; do
		chmod "${how%% *}" theirs/naps
		as_nobody
		if grep -q ' samples)' record.log; then
			skip "a program that ${how#* }" "this file system, or this kernel, gives it no other rights"
			continue
		fi
		grep -qF "No samples: './naps' ${how#* }, and the kernel ends the recording of such a program when it starts: record as root ]" record.log
		verdict "a program that ${how#* }: why it has no samples"
	done
else
	skip "programs with other rights" "needs root, and to become another user" 4
fi

# Root in a user namespace (a rootless container) is an ordinary user for perf events.
if ((EUID == 0 && $(cat /proc/sys/kernel/perf_event_paranoid) == 2)) && unshare -Ur true 2>/dev/null; then
	unshare -Ur "$PERF" record -o ns.data -- ls -R /usr/share/doc/bash >record.log 2>&1
	(($? == 0)) && grep -q 'kernel mode is left out' record.log
	verdict "root of a user namespace: user mode only"
	unshare -Ur "$PERF" record -a -o ns.data -- true >record.log 2>&1
	(($? == 255)) && grep -q 'perf_event_paranoid is 2.*outside of this user namespace' record.log
	verdict "root of a user namespace and all CPUs: refused, with the way out"
else
	skip "root of a user namespace" "not root, no user namespaces, or perf_event_paranoid is not 2" 2
fi

# Tracepoints and type information of the kernel that cannot be read are named, with a way to get them.
if ((EUID == 0)) && unshare -m true 2>/dev/null && command -v setpriv >/dev/null; then
	dir=$(mktemp -d /tmp/perf-reach.XXXXXX)
	cp "$PERF" "$dir/perf"
	chown -R 65534 "$dir"
	user="setpriv --reuid=65534 --regid=65534 --clear-groups $dir/perf"
	(cd "$dir" && unshare -m sh -c "umount -l /sys/kernel/tracing 2>/dev/null
		umount -l /sys/kernel/debug 2>/dev/null
		$user list tracepoint; echo listed \$?; $user list 'sched:*'; $user record -e sched:sched_switch true; echo recorded \$?") >record.log 2>&1
	grep -q 'perf list: tracepoints are not listed: tracefs is not mounted: sudo mount -t tracefs' record.log &&
		grep -q "perf list: no event matches 'sched:\*'" record.log && grep -q 'listed 0' record.log &&
		grep -q '___ tracefs is not mounted: sudo mount' record.log && grep -q 'recorded 129' record.log
	verdict "no tracefs: list and record say so"
	(cd "$dir" && unshare -m sh -c "mount -t tmpfs -o mode=700 none /sys/kernel/tracing
		mkdir /sys/kernel/tracing/events; $user list tracepoint; $user record -e sched:sched_switch true") >record.log 2>&1
	grep -q 'tracepoints are not listed: no permission to read tracepoints in /sys/kernel/tracing: .*sudo mount -o remount,mode=755' record.log &&
		grep -q '___ no permission to read tracepoints' record.log
	verdict "a tracefs that cannot be read: list and record say so"
	if unshare -m sh -c "mount -t tmpfs none /sys/kernel/btf && '$PERF' record --sample-tls -o btf.data -- true" >record.log 2>&1 ||
		grep -q 'built without' record.log || [[ ! -e /sys/kernel/btf/vmlinux ]]; then
		skip "no BTF" "no BPF program is needed, or can be, here"
	else
		grep -q '/sys/kernel/btf/vmlinux is not there: run a kernel built with CONFIG_DEBUG_INFO_BTF=y' record.log
		verdict "no BTF: named, with the way out"
	fi
	rm -rf "$dir"
else
	skip "what is out of reach" "not root, no mount namespaces, or no setpriv(1)" 3
fi

# A user without privileges records his own processes in user mode, and perf says so.
paranoid=$(cat /proc/sys/kernel/perf_event_paranoid)
if ((EUID == 0 && paranoid == 2)) && command -v setpriv >/dev/null; then
	dir=$(mktemp -d /tmp/perf-user.XXXXXX)
	cp "$PERF" "$dir/perf"
	chown -R 65534 "$dir"
	as_user() { (cd "$dir" && setpriv --reuid=65534 --regid=65534 --clear-groups ./perf record "$@") >record.log 2>&1; }
	as_user -o u.data -- ls -R /usr/share/doc/bash
	(($? == 0)) && "$STOCK_PERF" evlist -f -v -i "$dir/u.data" | grep -q 'exclude_kernel: 1' &&
		grep -q 'perf_event_paranoid is 2' record.log
	verdict "a user's own command, user mode only"
	as_user -a -o u.data -- true
	(($? == 255)) && grep -q 'perf_event_paranoid' record.log && grep -q 'sysctl' record.log
	verdict "a user and all CPUs: refused, with the way out"
	as_user -o u.data -p 1
	(($? == 255)) && grep -q 'permission' record.log
	verdict "a user and somebody else's process: refused"
	rm -rf "$dir"
else
	skip "as a user" "not root, or perf_event_paranoid is $paranoid and not 2" 3
fi

# A CPU goes offline: the kernel takes its events away. (Here only the kernel's messages are sent, again: the CPU stays.)
message=/sys/devices/system/cpu/cpu1/uevent
if [[ -w $message ]] && "$PERF" record -q -a -e cpu-clock -o probe.data true >probe.log 2>&1; then
	"$PERF" record -a -e cpu-clock -F 99 -o c.data -- sh -c "sleep 0.3; echo offline >$message; sleep 0.3" >record.log 2>&1
	grep -q '^\[ perf record: CPU 1 went offline \]' record.log && grep -q 'CPU 1 went offline at [0-9:.]*: it is recorded up to then only \]' record.log
	verdict "a CPU that goes offline: it is said when it happens, and at the end"
	{ "$PERF" record -C 0 -e cpu-clock -F 99 -o c.data -- sh -c "sleep 0.3; echo offline >$message; sleep 0.1; echo online >$message; sleep 0.3" &&
		"$PERF" record -e cpu-clock -F 99 -o c.data -- sh -c "echo offline >$message"; } >record.log 2>&1
	! grep -E 'offline|online' record.log
	verdict "not where it is not recorded, or a thread moves to another CPU"
	# It comes back: its events are opened again, with new ids, which the file does not have.
	cp "$(type -P bash)" afterwards
	twice="for i in 1 2; do echo offline >$message; sleep 0.1; echo online >$message; sleep 0.3; done"
	for options in "" "--overwrite" "-e task-clock --switch-events -z"; do
		"$PERF" record -a -e cpu-clock -F 999 $options -o c.data -- sh -c "sleep 0.2; $twice; taskset -c 1 ./afterwards -c 'for i in {1..500000}; do :; done'" >record.log 2>&1
		"$PERF" script -i c.data --comms afterwards -F cpu,event,sym --show-mmap-events >found 2>>record.log
		[[ $(grep -c 'CPU 1 is online again, and recorded' record.log) == 2 ]] &&
			[[ $(grep -c 'CPU 1 was offline: it is not recorded from [0-9:.]* to [0-9:.]* \]' record.log) == 2 ]] &&
			(($(grep -c '\[001\] *cpu-clock' found) > 20)) && grep -q 'MMAP2.*/afterwards' found
		verdict "a CPU that comes back is recorded again, and it is said ($options)"
		"$STOCK_PERF" script -i c.data -F comm,cpu,event >stock 2>>record.log
		(($(grep -c 'afterwards *\[001\] *cpu-clock' stock) > 20))
		verdict "stock perf knows the events of these samples ($options)"
	done
	"$PERF" record -a --call-graph live -e cpu-clock -o c.data -- sh -c "echo offline >$message; sleep 0.1; echo online >$message; sleep 0.3" >record.log 2>&1
	grep -q 'CPU 1 went offline at [0-9:.]*: it is recorded up to then only, although it was online again at [0-9:.]*: --call-graph live needs' record.log
	verdict "where it is not recorded again, from when and why"
else
	skip "a CPU that goes offline: it is said when it happens, and at the end" "all CPUs cannot be recorded, or there is one" 9
fi
