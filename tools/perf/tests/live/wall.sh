#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf record --wall of threads whose states are known: shares of states, and that they add up. By BPF and by /proc.
. "$SRC/tools/perf/tests/live/common"

# comm, state, call (or -), seconds; one line for each
sums() { # FILE
	"$PERF" script -i "$1" -G -F comm,tid,time,period,state,syscall >samples 2>script.err
	"$PERF" report -i "$1" --stdio -q -g none --no-children -F period,comm,state,syscall -t '|' 2>report.err |
		awk -F'|' 'NF > 3 { gsub(/ +$/, "", $2); gsub(/ *\(last\)/, "", $4); gsub(/ /, "", $4); printf "%s|%s|%s|%.3f\n", $2, $3, $4, $1 / 1e9 }' >found
}
# Percent of the time without running and waiting for a CPU, which both depend on this machine's load. So does the
# time that an ended process waits until its parent runs.
wait_share() { # COMM STATE [CALL]
	awk -F'|' -v comm="$1" -v state="$2" -v call="${3:-}" '$1 == comm && $2 !~ /^R/ && ($2 !~ /^Z/ || state == "^Z") { all += $4; if ($2 ~ state && (call == "" || $3 == call)) some += $4 }
		END { printf "%.2f", all ? 100 * some / all : -1 }' found
}
# Percent of a thread's time in a state, optionally in one system call.
share() { # COMM STATE [CALL]
	awk -F'|' -v comm="$1" -v state="$2" -v call="${3:-}" '$1 == comm { all += $4; if ($2 ~ state && (call == "" || $3 == call)) some += $4 }
		END { printf "%.2f", all ? 100 * some / all : -1 }' found
}
# All of a thread, by its number: the stretch in which it gets another name has the new name.
seconds() { # COMM STATE
	awk -v tid="$(sched "$1" 4)" -v state="$2" '$2 == tid && $0 ~ state { s += $4 / 1e9 } END { print s + 0 }' samples
}
# What the kernel says of a thread: 1 on a CPU, 2 in the run queue, 3 seconds of its work, 4 its number, 5 on a CPU by
# /proc/PID/sched, 6 seconds of its work that are neither on a CPU nor in the run queue.
sched() { # COMM 1|2|3|4|5|6
	awk -v comm="$1" -v which="$2" '$1 == "sched" && $2 == comm { print $(2 + which) }' out
}
near() { # VALUE WANTED POINTS
	awk -v v="$1" -v w="$2" -v p="$3" 'BEGIN { exit !(v >= w - p && v <= w + p) }' || { echo "# $1, wanted $2 within $3"; return 1; }
}

if ! "$PERF" record -q --wall --wall-source=bpf -o try.data true 2>why; then
	sources=proc
	plan 46
	skip_refused "by bpf" why
else
	sources="bpf proc"
	plan 77
fi
for source in $sources; do
	hz=20
	[[ $source = proc ]] && hz=100 # what is asleep is known by looks only: these are many
	"$PERF" record --wall=$hz --wall-source=$source -o w.data -- "$WORKLOADS/states" 4 >out 2>err
	check "$source: it records" test $? = 0
	check "$source: the closing line says by what" grep -q "thread states by .*$source: [0-9]* passes" err
	sums w.data
	check "$source: spin is on a CPU or waits for one" near "$(share spin '^R')" 100 2
	check "$source: half sleeps, and is on a CPU" eval 'test "$(share half "^S" | cut -d. -f1)" -ge 5 && test "$(share half "on CPU" | cut -d. -f1)" -ge 5'
	for name in spin half; do
		check "$source: what $name ran is what the kernel says" near "$(seconds $name 'on CPU')" "$(sched $name 1)" 0.06
		check "$source: so is how long it waited for a CPU" near "$(seconds $name 'run queue')" "$(sched $name 2)" 0.08
		if [[ $(sched $name 5) = - ]]; then
			skip "$source: what $name ran is in /proc/PID/sched, too" "this kernel has no such file"
		else
			check "$source: what $name ran is in /proc/PID/sched, too" near "$(seconds $name 'on CPU')" "$(sched $name 5)" 0.06
		fi
	done
	if grep -q "^no disk" out; then
		skip "$source: disk waits for a disk" "files here cannot be read past the page cache"
	else
		check "$source: disk waits for a disk" near "$(seconds disk ' D [(]disk')" "$(sched disk 6)" 0.08
	fi
	for row in futex:futex pipe:read tcp:recvfrom unix:recvfrom epoll:epoll_wait nap:clock_nanosleep; do
		check "$source: ${row%:*} sleeps in ${row#*:}" near "$(wait_share ${row%:*} '^S' ${row#*:})" 100 2
	done
	check "$source: stopped is stopped" near "$(wait_share stopped '^T')" 100 2
	if grep -q "^no traced" out; then
		skip "$source: traced is stopped by who traces it" "nobody may be traced here"
	else
		check "$source: traced is stopped by who traces it" near "$(wait_share traced '^t')" 100 2
	fi
	check "$source: zombie is a zombie" near "$(wait_share zombie '^Z')" 100 2
	check "$source: vfork waits uninterruptibly" near "$(wait_share vfork '^D')" 100 2

	# Of each thread the stretches follow each other, from its first to its last one: nothing is lost or counted twice.
	"$PERF" script -i w.data -G -F tid,time,period --ns 2>/dev/null | sed 's/://' >stretches
	check "$source: the stretches of each thread add up" awk '
		$1 ~ /^[0-9]+$/ { from = $2 - $3 / 1e9; if ($1 in end) { gap = from - end[$1]; if (gap < -1e-5 || gap > 1e-5) bad++ } end[$1] = $2; n++ }
		END { if (bad) print "# " bad " gaps of " n; exit !(n > 20 && !bad) }' stretches
	# The program's main thread ends after it has printed this, and its children perhaps later.
	check "$source: a thread that was there all the time has all the time" awk -v spin="$(sched spin 4)" -v lived="$(sched spin 3)" '
		$1 ~ /^[0-9]+$/ { sum[$1] += $3 / 1e9; if (!first || $2 - $3 / 1e9 < first) first = $2 - $3 / 1e9; if ($2 > last) last = $2 }
		END { print "# " sum[spin] " of " lived " to " last - first; exit !(sum[spin] > lived * 0.99 && sum[spin] < (last - first) * 1.01) }' stretches
	check "$source: on CPU, run queue, sleep and disk are threads times elapsed" awk '
		$1 ~ /^[0-9]+$/ { from = $2 - $3 / 1e9; if (!($1 in begun) || from < begun[$1]) begun[$1] = from; if ($2 > end[$1]) end[$1] = $2; sum += $3 / 1e9 }
		END { for (t in begun) all += end[t] - begun[t]; print "# " sum " of " all; exit !(sum > all * 0.99 && sum < all * 1.01) }' stretches
	check "$source: the pipe has its name" eval '"$PERF" report -i w.data --stdio -q -s comm,file -g none --no-children --comms pipe 2>/dev/null | grep -q "pipe:\["'
	check "$source: the futex has its address" eval '"$PERF" report -i w.data --stdio -q -s comm,file -g none --no-children --comms futex 2>/dev/null | grep -q "futex:0x"'
	check "$source: a wait has its channel" eval '"$PERF" report -i w.data --stdio -q -s comm,wchan -g none --no-children --comms futex 2>/dev/null | grep -q futex'
	check "$source: event loops are idle" eval '"$PERF" report -i w.data --stdio -q --percentage relative -s idle -g none --no-children --comms epoll 2>/dev/null | grep -q "9[0-9].*idle (event loop)\|100.*idle (event loop)"'
	if [[ $source = bpf ]]; then
		port=$(sed -n 's/^port //p' out)
		check "$source: the connection" eval '"$PERF" report -i w.data --stdio -q -s comm,conn -g none --no-children --comms tcp 2>/dev/null | grep -q -- "->127.0.0.1:$port"'
		check "$source: the connection's state" eval '"$PERF" report -i w.data --stdio -q -s comm,conn -g none --no-children --comms tcp 2>/dev/null | grep -q ESTABLISHED'
		check "$source: the other end of a Unix socket" eval '"$PERF" report -i w.data --stdio -q -s comm,conn -g none --no-children --comms unix 2>/dev/null | grep -q "unix:\[[0-9]*\]->\[[0-9]*\] pid [0-9]"'
		check "$source: the kernel's stack" eval '"$PERF" script -i w.data --comms pipe 2>/dev/null | grep -q pipe_read'
	fi
done

# The activities of sleeping threads.
if [[ $sources == "bpf proc" ]] && "$PERF" record -q --sample-tls --wall -o try.data true 2>why; then
	# Ten looks at each nap: shares of few looks are chance.
	"$PERF" record --wall=500 --sample-tls -o t.data -- "$WORKLOADS/states" 3 dying >out 2>err
	"$PERF" report -i t.data --stdio -q -g none --no-children -F period,comm,state,activity -t '|' 2>/dev/null |
		awk -F'|' 'NF > 3 { gsub(/ +$/, "", $2); gsub(/ /, "", $4); printf "%s|%s|%s|%.3f\n", $2, $3, $4, $1 / 1e9 }' | sed 's/^ *//' >found
	# Naps of 20 ms: the workload has counted them.
	turn=1
	for row in 00000000000000000000000000000001:0000000000000001 00000000000000000000000000000002:0000000000000002 '(none)'; do
		turn=$((turn + 1))
		check "sleepers have their activity: $row" \
			near "$(grep 'S (sleep)' found | grep -v unreadable | awk -F'|' -v row="$row" '$1 == "request" { all += $4; if ($3 == row) some += $4 } END { print all ? 100 * some / all : -1 }')" \
			"$(awk -v turn=$turn '/^naps/ { print 100 * $turn / ($2 + $3 + $4) }' out)" 5
	done
	check "hardly any sleep has none that is known" near "$(share request '^S' '(unreadable)')" 0 12
	check "a sleeper's activity is its own" eval 'awk -F"|" "\$1 == \"pipe\" && \$2 ~ /^S/" found | grep -q "|0*13:0*13|"'
	for row in stopped:T:1a traced:t:1d vfork:D:1c zombie:Z:1b; do
		IFS=: read -r name state number <<<"$row"
		if [[ $name = traced ]] && grep -q "^no traced" out; then
			skip "$name has its activity" "nobody may be traced here"
			continue
		fi
		check "$name has its activity" awk -F'|' -v name=$name -v state="^$state" -v number="$number" '
			$1 == name && $2 ~ state { all += $4; if ($3 ~ "^0*" number ":0*" number "$") some += $4 } END { print "# " some " of " all; exit !(some > 0.9 * all && some > 1) }' found
	done
	check "what ended has an activity that was read before" eval '! grep "|Z (zombie)" found | grep -E "unreadable|notlookedupyet"'
	check "no other activity is there" eval '! grep "^request" found | cut -d"|" -f3 | grep -vE "^(0{31}1:0{15}1|0{31}2:0{15}2|\(.*\))$"'
else
	skip_refused "activities of sleepers" why 11
fi

# One process of several.
"$WORKLOADS/states" 20 >started &
pid=$!
for ((i = 0; i < 3000; i++)); do grep -q ready started && break; sleep 0.01; done # its other processes are none of its threads
"$PERF" record --wall -p $pid -o p.data -- sleep 1 >/dev/null 2>err
sums p.data
check "only the process that was asked for" eval 'test -s found && ! cut -d"|" -f1 found | grep -vE "^(spin|half|futex|pipe|tcp|epoll|unix|disk|nap|request|states)$"'
kill $pid 2>/dev/null

# Beside samples of what runs, in one file.
"$PERF" record --wall=50 -e cpu-clock -F 500 -o both.data -- "$WORKLOADS/states" 1 >/dev/null 2>err
check "with another event in the same file" eval '"$PERF" report -i both.data --stdio -s comm,state 2>/dev/null >out; grep -q "of event .cpu-clock" out && grep -q "of event .wall" out'
if [[ ${STOCK_PERF:-} && -x $STOCK_PERF ]]; then
	"$STOCK_PERF" report -i both.data --stdio >out 2>err
	check "stock perf reads it" eval 'grep -q "of event .wall" out && ! grep -qi "out of order\|error" err'
fi
for word in 0 1001 x; do
	"$PERF" record --wall=$word true >out 2>err
	check "--wall=$word is refused" test $? = 129
done
