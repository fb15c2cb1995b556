#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A recording of parts that is always on: what --keep leaves, also of a recorder that was killed, and reports of a folder
# of parts by the time of day.
. "$SRC/tools/perf/tests/live/common"
plan 33
near() { # VALUE WANTED PERCENT
	awk -v v="$1" -v w="$2" -v p="$3" 'BEGIN { exit !(v >= w * (1 - p / 100) && v <= w * (1 + p / 100)) }' || { echo "# $1, wanted $2 within $3 %"; return 1; }
}
clock() { date -d "@$1" +%H:%M:%S.%N | cut -c1-12; } # SECONDS
parts() { find folder -name 'wall.*' | sort; }

"$WORKLOADS/crowd" 40 60 5 >ready &
crowd=$!
trap 'kill $crowd $rec 2>/dev/null' EXIT
for ((i = 0; i < 200; i++)); do
	grep -q ready ready && break
	sleep 0.05
done
mkdir folder
"$PERF" record -q --wall -p $crowd -z -o folder/wall --switch-output=1s --keep=20 >out 2>err &
rec=$!
runs() { kill -0 $rec 2>/dev/null; }
for ((i = 0; i < 200 && $(parts | wc -l) < 2; i++)); do runs || break; sleep 0.1; done
# It is looked at while the recorder stands still, for a second later the file is another part.
for ((i = 0; i < 200; i++)); do
	runs || break
	kill -STOP $rec
	"$PERF" report -i folder/wall --stdio -q -s comm 2>/dev/null | grep -q crowd && break
	kill -CONT $rec
	sleep 0.1
done
killed_at=$(date +%s.%N)
kill -KILL $rec
wait $rec 2>/dev/null
check "a recorder that is killed leaves what was written" test -s folder/wall
check "it can be read, with its time of day" eval '"$PERF" report -i folder/wall --stdio -q -s state --time "$(clock "$(awk -v t=$killed_at "BEGIN { printf \"%.3f\", t - 30 }")")," 2>err | grep -q "S (sleep)"'
before=$(parts | wc -l)
"$PERF" record -q --wall -p $crowd -z -o folder/wall --switch-output=1s --keep=20 -- sh -c 'sleep 3.3; date +%s.%N >ended_at' >out 2>err
ended_at=$(<ended_at) # of the time that is recorded: on a busy machine, perf ends later
check "the next one makes a part of it" test "$(parts | wc -l)" -ge $((before + 4)) -a ! -e folder/wall -a ! -e folder/wall.old

from=$(awk -v t="$ended_at" 'BEGIN { printf "%.3f", t - 2.5 }') to=$(awk -v t="$ended_at" 'BEGIN { printf "%.3f", t - 1.3 }')
range="$(clock "$from"),$(clock "$to")"
seconds() { "$PERF" report "$@" --stdio -q -F seconds,comm -t '|' 2>err | awk -F'|' '{ s += $1 } END { print s }'; }
check "a time of day over parts: all threads, all the time" near "$(seconds folder --time "$range")" "$(awk -v a="$from" -v b="$to" 'BEGIN { print 41 * (b - a) }')" 1
check "--wall-unit=threads says so at once" near "$("$PERF" report folder --time "$range" --stdio -q --wall-unit=threads -s comm -t '|' 2>err | awk -F'|' '{ s += $2 } END { print s }')" 41 1
check "the same with the day" near "$(seconds -i folder --time "$(date +%F) ${range/,/,$(date +%F) }")" "$(awk -v a="$from" -v b="$to" 'BEGIN { print 41 * (b - a) }')" 1
check "perf script of the folder, in that time alone" eval '"$PERF" script -i folder --time "$range" -G -F tid,time,period --ns >lines 2>err && test $(wc -l <lines) -gt 40'
one=$(parts | tail -1)
check "one part by the time of day" eval '"$PERF" report -i "$one" --time "$(clock "$from")," --stdio -q -s comm 2>err | grep -q crowd'
check "a folder without a time is all of it" eval '"$PERF" report folder --stdio -q -s comm 2>err | grep -q crowd'
check "a time at which nothing was recorded" eval '! "$PERF" report folder --time "2001-02-03 04:05,2001-02-03 04:06" --stdio >out 2>err && grep -q "nothing was recorded" err'
check "what is no time is refused" eval '! "$PERF" report folder --time "9:99,10:00" --stdio >out 2>err && grep -q "not a time of day" err'

# Of parts outside the time range only the header is read, so damage in their records is not noticed.
first=$(for part in $(parts); do "$PERF" report -i "$part" --header-only 2>/dev/null | grep -q "time of first sample" && echo "$part"; done | head -1)
data=$(od -An -tu8 -j40 -N8 "$first") # where its header says that they begin
head -c 100 /dev/zero | tr '\0' '\377' | dd of="$first" bs=1 seek=$((data + 40)) conv=notrunc status=none
[[ $(seconds folder --time "$range") && ! -s err ]] || for part in $(parts); do
	echo "# $range, $part: $("$PERF" report -i "$part" --header-only 2>/dev/null | grep "time of" | tr '\n' ' ')$(date -d "@$(stat -c %Y "$part")" +%T)"
done
check "parts outside of the time are not read" eval 'test -n "$(seconds folder --time "$range")" && ! test -s err'
check "(they are damaged)" eval '! "$PERF" report -i "$first" --stdio -q >out 2>err || test -s err'

"$PERF" record -q --wall -p $crowd -z -o folder/wall --switch-output=1s --keep=2 -- sleep 0.3 >out 2>err
check "--keep counts parts of earlier recordings" test "$(parts | wc -l)" = 2
"$PERF" record -q --wall -p $crowd -z -o folder/wall --switch-output=1s --keep=1K -- sleep 0.3 >out 2>err
check "--keep by size leaves the newest one" test "$(parts | wc -l)" = 1
"$PERF" record -q -o plain.data true >out 2>err
check "a recording without the time of day is refused" eval '! "$PERF" report -i plain.data --time 09:00, --stdio >out 2>err && grep -q "does not record the time of day" err'
"$PERF" record --keep=3 true >out 2>err
check "--keep needs parts" test $? = 129
# An ordinary user, to whom the kernel permits no events of others: states, names and times come from /proc, and the closing lines
# name what is missing. A process that begins and ends meanwhile has its name and its own time.
user="setpriv --reuid=65534 --regid=65534 --clear-groups"
theirs=$(mktemp -d /tmp/perf-wall.XXXXXX)
if ((EUID == 0)) && $user "$PERF" version >/dev/null 2>&1 && [[ $(cat /proc/sys/kernel/perf_event_paranoid) -ge 1 ]]; then
	chown 65534 "$theirs"
	cp "$(command -v sleep)" late$$
	$user "$PERF" record --wall -a -o "$theirs/a.data" -- sh -c 'while ! test -e "$0"; do sleep 0.05; done' "$theirs/end" >out 2>err &
	rec=$!
	for ((i = 0; i < 200; i++)); do test -s "$theirs/a.data" && break; runs || break; sleep 0.05; done
	./late$$ 1
	sleep 0.8
	touch "$theirs/end"
	wait $rec
	status=$?
	check "--wall -a without permission goes on, and names what is missing" eval '[[ $status == 0 ]] && grep -q "without the kernel.s events: no permission" err && grep -q "missing are: .*mappings of other users. processes" err && grep -q "thread states by /proc" err'
	their_seconds() { "$PERF" report -f -i "$theirs/$1" --stdio -q -F seconds,comm -t '|' --comms "$2" 2>err | awk -F'|' '{ s += $1 } END { print s + 0 }'; }
	whole=$(awk -v s="$(their_seconds a.data crowd)" 'BEGIN { print s / 41 }')
	check "other users' threads are there, by name" awk -v s="$whole" 'BEGIN { exit !(s > 1) }'
	check "what ended meanwhile has only its own time" awk -v s="$(their_seconds a.data late$$)" -v whole="$whole" 'BEGIN { print "# " s " s of " whole " s"; exit !(s > 0.2 && s < whole - 0.3) }'
	check "the command's own mappings are there" eval '"$PERF" script -f -i "$theirs/a.data" --show-mmap-events 2>/dev/null | grep "^ *sleep .*PERF_RECORD_MMAP2" | grep -q libc'
	for target in "-p $crowd" "-u 0"; do
		check "the same with ${target%% *}" eval '$user "$PERF" record --wall $target -o "$theirs/p.data" -- sleep 0.1 >out 2>err && grep -q "missing are: .*processes and mappings that are new" err'
	done
	$user "$PERF" top --stdio --wall -d 1 >found 2>err &
	top=$!
	for ((i = 0; i < 400; i++)); do grep -q PerfTop found && break; kill -0 $top 2>/dev/null || break; sleep 0.05; done
	kill -INT $top
	wait $top
	check "perf top --wall says the same, once, at its end" eval 'grep -q PerfTop found && test "$(grep -c "^\[ perf top: the kernel permits no events here; missing are: .*mappings of other users. processes" err)" = 1 && ! grep -q "missing are" found'
	./late$$ 0.3 &
	late=$!
	check "-p ends with the process" timeout 60 $user "$PERF" record -q --wall -p $late -o "$theirs/e.data"
	mkdir "$theirs/day"
	cp "$theirs/a.data" "$theirs/day/wall"
	chmod 600 "$theirs/day/wall"
	check "a folder of recordings that only others may read: not that there are none" eval '! $user "$PERF" report "$theirs/day" >out 2>err && grep -q "day/wall: Permission denied" err'
	check "other events are refused as before" eval '! $user "$PERF" record -e cpu-clock --wall -a -o "$theirs/c.data" true >out 2>err && grep -q "^perf: cpu-clock.*no permission" err'
else
	skip "--wall -a without permission goes on" "needs root, setpriv, a program that others may run, and perf_event_paranoid above 0" 10
fi
# Few descriptors: an event takes one for each thread on each CPU, and states need none. Without the right to raise the hard limit.
poor="setpriv --bounding-set=-sys_resource --inh-caps=-sys_resource"
$poor true 2>/dev/null || poor=
rm -f ready # of the program before: it must not be taken for the present one
"$WORKLOADS/throng" 300 0 1 0 >ready &
throng=$!
for ((i = 0; i < 200; i++)); do grep -qs ready ready && break; sleep 0.05; done
few() { # WHO OPTIONS: with too few even for one CPU
	(ulimit -n 200 && $1 "$PERF" record --wall "${@:2}" -p $throng -o "$theirs/f.data" -- sleep 0.3) >out 2>err
}
their_threads() { "$PERF" script -f -i "$theirs/f.data" -G -F tid 2>/dev/null | sort -u | wc -l; }
if ! (ulimit -n 200 && $poor sh -c 'ulimit -n 400') 2>/dev/null; then
	few "$poor" && threads=$(their_threads)
	check "a process of 301 threads, and few open files: all are recorded (${threads:-none}), and it is said" eval '((${threads:-0} == 301)) && grep -q "301 threads on [0-9]* CPUs need [0-9]* open files, and this process may open 200: .*ulimit -n .*(-a)" err && grep -q "too few descriptors .*missing are: processes and mappings that are new" err'
	few "$poor" --wall-source=proc && threads=$(their_threads)
	check "the same by /proc: $threads" test "${threads:-0}" = 301
	few "$poor" -e cpu-clock
	status=$?
	need=$(sed -n 's/^perf: cpu-clock: too many open files: this needs \([0-9]*\), .*may open 200 (hard limit 200).*/\1/p' err)
	check "events that were asked for are refused, with how many are needed: ${need:-none}" test "$status" = 255 -a "${need:-0}" -gt 300
	check "with so many, they are recorded" eval '(ulimit -Sn 200 && ulimit -Hn "${need:-200}" && $poor "$PERF" record --wall -e cpu-clock -p $throng -o "$theirs/f.data" -- sleep 0.3) >out 2>err'
else
	skip "few open files" "the hard limit can be raised here by each process" 4
fi
kill $throng
wait $throng 2>/dev/null
rm -r "$theirs"

mkdir empty
# What a service manager is told.
if python3 -c 'import socket' 2>/dev/null; then
	python3 -c 'import socket
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind("notify"); s.settimeout(20)
print("listens", flush=True)
for i in range(2): print(s.recv(100).decode(), flush=True)' >told 2>&1 &
	listener=$!
	for ((i = 0; i < 200; i++)); do
		grep -q listens told && break
		sleep 0.05
	done
	NOTIFY_SOCKET=$PWD/notify "$PERF" record -q -o n.data true >out 2>err
	wait $listener
	check "READY=1 and STOPPING=1" test "$(tail -n +2 told | tr '\n' ' ')" = "READY=1 STOPPING=1 "
else
	skip "READY=1 and STOPPING=1" "python3 does not run here"
fi
check "a folder without recordings" eval '! "$PERF" report empty --stdio >out 2>err && grep -q "no recording" err'
