# SPDX-License-Identifier: GPL-2.0-or-later
# The last seconds before a crash: perf record --detached --on-crash, what is saved, what is in the core, what triggers save.
. "$SRC/tools/perf/tests/live/common"
alone_with /proc/sys/kernel/core_pattern

export PERF_DETACHED_DIR=$PWD/shelf
crash=$WORKLOADS/crash
trap 'kill $target 2>/dev/null; "$PERF" detached rm $(ls shelf) >/dev/null 2>&1; umount full 2>/dev/null' EXIT
ulimit -c unlimited

if ! "$PERF" record --detached=try --keep=256K -e cpu-clock true >err 2>&1; then
	skip_all_refused "the last seconds before a crash" err
fi
plan 50

ended() { # NAME: its state once it has ended. Gives up if the list has had no such recording for 30 times.
	local i text missing=0
	for ((i = 0; i < 1500 && missing < 30; i++)); do
		text=$("$PERF" detached list | awk -v name="$1" '$1 == name')
		[[ $text == *ended:* ]] && break
		[[ $text ]] && missing=0 || ((++missing))
		sleep 0.02
	done
	sed -E 's/.*(ended: .*)/\1/; s/   .*//; s/  [^ ].*//' <<<"$text"
}
run() { # NAME WORDS...: until it has crashed
	local name=$1
	shift
	rm -f core core.*
	"$PERF" record --detached="$name" --on-crash --keep=10s,1M $tls -F 999 -g -- "$crash" "$@" 2>err
	how=$(ended "$name")
}
reason() { "$PERF" report -i "$1" --header-only 2>err | sed -n "s/^# detached.$2 : //p"; }
core() { ls core core.* 2>/dev/null | head -n 1; }

# same_as_gdb NAME: the frames of the event with which NAME crashed, inlined ones too, are those that gdb finds in the core,
# from the innermost one to main or the thread's start. gdb invents callers for tail calls; nothing of them is on the stack.
cat >frames.py <<-EOF2
	import gdb
	frame = gdb.newest_frame()
	while frame:
	    if frame.type() != gdb.TAILCALL_FRAME:
	        print("frame", "__restore_rt" if frame.type() == gdb.SIGTRAMP_FRAME else frame.name() or "[unknown]")
	    frame = frame.older()
EOF2
plain_names() { sed -E 's/^__GI_//; s/^(__libc_start_main)_impl$/\1/; s/@.*//; s/\.(cold|part|constprop|isra).*//' | awk '{ print } $1 == "main" { exit }'; }
same_as_gdb() { # NAME [last: of several signals that it got]
	local name="the last chain of a crash is gdb's backtrace: $1"
	if [[ ! $threads ]]; then
		skip_refused "$name" threads.why
	elif [[ $pattern != core ]]; then
		skip "$name" "core_pattern is $pattern"
	elif ! gdb -batch -nx -ex 'python print("there")' 2>/dev/null | grep -q there; then
		skip "$name" "there is no gdb with Python"
	else
		gdb -batch -nx -x frames.py "$crash" "$(core)" 2>err | sed -n 's/^frame //p' | plain_names >gdbs
		"$PERF" script -i "$1.data" -F event,ip,sym 2>err |
			awk -v last="${2:-}" '/signal_deliver/ { on = 1; text = ""; next } on && !NF { on = 0; if (!last) exit } on { text = text $2 "\n" } END { printf "%s", text }' | plain_names >ours
		check "$name" eval 'diff gdbs ours >out && (($(wc -l <ours) >= 4))'
	fi
}

tls=--sample-tls
"$PERF" record -q --sample-tls -o try.data true 2>why || tls=
threads=$("$PERF" record -q -e signal:signal_deliver -o try.data true 2>threads.why && echo yes)
pattern=$(cat /proc/sys/kernel/core_pattern)

run segv segv 200
check "a crash ends the recording" test "$how" = "ended: killed by SIGSEGV"
check "it is saved, with the reason" test "$(reason segv.data reason)" = "killed by SIGSEGV"
check "and what happened before" eval '"$PERF" report -i segv.data --stdio --no-children -g none -s sym 2>err | grep -q "work"'
check "stock perf reads it" eval '[[ -z $STOCK_PERF ]] || "$STOCK_PERF" report -i segv.data --stdio -g none 2>err | grep -q work'
if [[ $tls ]]; then
	check "which request was served" eval '"$PERF" report -i segv.data --stdio --no-children -g none -s activity,sym 2>err | grep -q "4bf92f3577b34da6a3ce929d0e0e4736:00f067aa0ba902b7  \\[\\.\\] work"'
	if [[ $threads ]]; then
		check "the crash itself is of a request that nobody reads" eval '"$PERF" script -i segv.data -F event,activity 2>err | grep -q "signal_deliver: .*(not read)"'
	else
		skip_refused "the crash itself is of a request that nobody reads" threads.why
	fi
else
	skip_refused "which request was served" why 2
fi

same_as_gdb segv

# The core of a program that was launched, without any handler.
if [[ $pattern == core ]]; then
	core=$(core)
	check "the core has the recording" eval '"$PERF" report -i "$core" --stdio --no-children -g none -s sym 2>err | grep -q work'
	check "and says who crashed of what" eval '[[ $(reason "$core" reason) == "killed by SIGSEGV" && $(reason "$core" crashed) == *[0-9]/[0-9]* ]]'
	check "perf script reads it" eval '"$PERF" script -i "$core" 2>err | grep -q "work+"'
	check "perf data extract makes a file of it" eval '"$PERF" data extract "$core" -o extracted.data && "$PERF" script -i extracted.data >extracted 2>err && "$PERF" script -i "$core" 2>err | cmp - extracted'
	check "that stock perf reads" eval '[[ -z $STOCK_PERF ]] || "$STOCK_PERF" report -i extracted.data --stdio -g none 2>err | grep -q work'
	if gdb --version >/dev/null 2>&1; then
		gdb -batch -nx -ex bt "$crash" "$core" >bt 2>err
		check "gdb opens it" grep -q "parse_order" bt
	else
		skip "gdb opens it" "gdb is not here"
	fi
	check "readelf opens it" eval 'readelf -nlW "$core" >out 2>err && ! grep -qi warning err'
	check "eu-readelf opens it" eval 'eu-readelf -nl "$core" >out 2>err && [[ ! -s err ]]'
else
	skip "the core has the recording" "core_pattern is $pattern" 8
fi

# What a reader sees while it is saved, which takes the longer the more stacks there are.
states() { # NAME: all states that are listed, until it has ended
	local i ends=0
	for ((i = 0; i < 3000 && ends < 3; i++)); do
		"$PERF" detached list | sed -nE "s/^$1 .*  ((recording|ended: [^ ]+( [^ ]+)*) .*)/\1/p" | sed 's/   .*//' >state
		cat state
		if grep -q ended state; then ((++ends)); fi
	done | uniq
}
"$PERF" record --detached=states --on-crash --keep=16M -F 4999 --call-graph dwarf -- "$crash" segv 400 2>err
states states >seen
check "it records until it has ended, with its reason" eval 'diff <(printf "%s\n" recording "ended: killed by SIGSEGV") seen'

run thread thread 200
if [[ $threads ]]; then
	crashed=$(reason thread.data crashed)
	check "the thread that crashed is named" test "${crashed%/*}" != "${crashed#*/}"
	"$PERF" script -D -i thread.data 2>err | sed -nE 's/^[^ ]+ (0x[0-9a-f]+) .*PERF_RECORD_SAMPLE.*: [0-9]+\/([0-9]+):.*/\1 \2/p' |
		while read -r place tid; do echo "$((place)) $tid"; done | sort -n >places
	check "and is the first in the file" eval '[[ $(head -n 1 places | cut -d" " -f2) == "${crashed#*/}" && $(tail -n 1 places | cut -d" " -f2) == "${crashed%/*}" ]]'
else
	skip_refused "the thread that crashed is named" threads.why 2
fi
same_as_gdb thread
run handler handler 50
same_as_gdb handler
check "a crash in a signal handler" test "$how$(reason handler.data reason)" = "ended: killed by SIGSEGVkilled by SIGSEGV"
run abort abort 50
same_as_gdb abort
check "abort" test "$how$(reason abort.data reason)" = "ended: killed by SIGABRTkilled by SIGABRT"
if [[ $threads ]]; then
	# The stack pointer is in the guard page: the kernel's copy for the sample is empty.
	run overflow overflow 50
	same_as_gdb overflow
	check "a stack overflow's chain has every frame" eval '(($(grep -c "^descend$" ours) >= 6))'
	# SIGSEGV, then SIGABRT by its handler, on a stack of its own: over the signal frame, and the guard page below it.
	run signalstack signalstack 50
	same_as_gdb signalstack last
	check "and over the signal frame" eval 'grep -qx give_up ours && grep -qx __restore_rt ours && (($(grep -c "^descend$" ours) >= 6))'

	# The command ends well: what it has started crashed.
	run child child 50
	check "a child crashes, and its parent ends well: it is saved" eval '[[ $how == "ended: exit status 0" && $(reason child.data.1 reason) == "killed by SIGSEGV" && ! -e child.data ]]'
	crashed=$(reason child.data.1 crashed)
	check "with its crash, and what was before" eval '[[ ${crashed%/*} -gt 0 ]] && "$PERF" script -i child.data.1 -F pid,event,ip,sym 2>err >out && grep -q "^ *${crashed%/*} .*signal_deliver" out && grep -q parse_order out && grep -q " work" out'
	printf '#!/bin/sh\n"$1" segv 50\nexit 0\n' >script
	chmod 755 script
	rm -f core core.*
	"$PERF" record --detached=script --on-crash --keep=10s,1M -F 999 -g -- ./script "$crash" 2>err
	ended script >out
	check "a program that a script starts crashes: it is saved" eval '[[ $(<out) == "ended: exit status 0" && $(reason script.data.1 reason) == "killed by SIGSEGV" ]]'
	check "its core says why there is no recording in it" eval '[[ $pattern != core ]] || { ! "$PERF" script -i "$(core)" >out 2>err && grep -q "not into what a script starts" err; }'
else
	skip_refused "a stack overflow" threads.why 8
fi
run exit exit 50
check "an exit status that is not 0 is saved" test "$how$(reason exit.data reason)" = "ended: exit status 3exit status 3"
run none none 50
check "a good end is not" test "$how" = "ended: exit status 0" -a ! -e none.data

# Attached to what runs already.
"$crash" segv 300 go &
target=$!
"$PERF" record --detached=attached --on-crash --keep=1M -F 999 -g -p $target 2>err
touch go
wait $target 2>/dev/null
how=$(ended attached)
check "of an attached program the signal is known" test "$how" = "ended: killed by SIGSEGV"
check "and what it did is saved" eval '"$PERF" script -i attached.data 2>err | grep -q "work+"'

# Out of memory.
memory=$(awk '$3 == "cgroup" && $4 ~ /memory/ { print $2; exit }' /proc/mounts)
limit=memory.limit_in_bytes
[[ $memory ]] || { memory=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts) limit=memory.max; }
group=$memory/perf-crash-$$
if mkdir "$group" 2>/dev/null && echo 40M >"$group/$limit" 2>/dev/null; then
	"$PERF" record --detached=oom --on-crash --keep=1M -F 999 -g -- sh -c 'echo $$ >"$0/cgroup.procs"; exec "$1" oom 50' "$group" "$crash" 2>err
	ended oom >out
	check "killed for want of memory, it is saved and said" eval '[[ $(<out) == "ended: killed by the kernel: out of memory" ]] && [[ $(reason oom.data reason) == *"out of memory" ]]'
else
	skip "killed for want of memory, it is saved and said" "no control group with a limit of memory can be made"
fi
rmdir "$group" 2>/dev/null

# A full disk.
mkdir full
if mount -t tmpfs -o size=8k none full 2>/dev/null; then
	"$PERF" record --detached=full --on-crash --keep=1M -o full/saved.data -F 999 -g -- "$crash" segv 200 2>err
	check "a full disk is said, and leaves no part of a file" eval '[[ $(ended full) == "ended: killed by SIGSEGV" ]] && "$PERF" detached list | grep -q "No space left" && [[ ! $(ls full) ]]'
	check "and the recording is still there" eval '"$PERF" script -i shelf/full 2>err | grep -q "work+"'
else
	skip "a full disk is said, and leaves no part of a file" "nothing can be mounted" 2
fi

# A program that the kernel cannot load any more when its exec() cannot fail any more: a segment at an address of the kernel.
put() { local i; for ((i = 0; i < $1; i++)); do printf "\\x$(printf %02x $((($2 >> 8 * i) & 255)))"; done; } # BYTES NUMBER
{
	printf '\x7fELF\x02\x01\x01' && put 9 0 && put 2 2 && put 2 62 && put 4 1 && put 8 0x400000 && put 8 64 && put 8 0
	put 4 0 && put 2 64 && put 2 56 && put 2 1 && put 2 0 && put 2 0 && put 2 0
	put 4 1 && put 4 5 && put 8 0 && put 8 -0x80000000 && put 8 0 && put 8 120 && put 8 120 && put 8 4096
} >unloadable
chmod 755 unloadable
if ./unloadable 2>err; (($? > 128)); then
	"$PERF" record --detached=exec --on-crash --keep=1M -F 999 -- ./unloadable 2>err
	check "a command that dies at its start ends the recording" eval '[[ $(ended exec) == "ended: killed by SIG"* ]]'
else
	skip "a command that dies at its start ends the recording" "this kernel does not kill it"
fi

# Copies while it goes on.
"$crash" calm 60000 &
target=$!
pid_of() { "$PERF" detached list | awk -v name="$1" '$1 == name { print $6 }'; }
until_file() { local i; for ((i = 0; i < 1500; i++)); do [[ -e $1 ]] && return 0; sleep 0.02; done; return 1; }
"$PERF" record --detached=user --keep=1M -F 499 --trigger=SIGUSR2 -p $target 2>err
kill -USR2 "$(pid_of user)"
check "SIGUSR2 saves a copy, and it goes on" eval 'until_file user.data.1 && [[ $(reason user.data.1 reason) == "trigger SIGUSR2" && -d /proc/$(pid_of user) ]]'
check "times are none of --trigger's" eval '! "$PERF" record --detached=bad --trigger="span>fast" true 2>err && grep -q "span>500ms" err'
if [[ $tls ]]; then
	"$PERF" record --detached=span --keep=1M --sample-tls -F 499 --trigger="span>200ms" -- "$crash" none 600 2>err
	check "a slow span saves a copy" eval 'until_file span.data.1 && [[ $(reason span.data.1 reason) == "trigger span>200ms" ]]'
	"$PERF" record --detached=fast --keep=1M --sample-tls -F 499 --trigger="span>300s" -- "$crash" none 300 2>err
	check "a fast one does not" eval '[[ $(ended fast) == "ended: exit status 0" && ! -e fast.data.1 ]]'
else
	skip_refused "a slow span saves a copy" why 2
fi
if "$PERF" record --detached=uprobe --keep=1M --trigger="uprobe:$crash:parse_order" -F 499 -- "$crash" handler 50 2>err; then
	check "the call of a function saves a copy" eval 'until_file uprobe.data.1 && [[ $(reason uprobe.data.1 reason) == "trigger uprobe:"* ]]'
	check "the copy has no pointer of perf's memory" eval '"$PERF" evlist -v -i uprobe.data.1 >out 2>err && grep -q "^uprobe" out && ! grep -q config1 out'
else
	skip_refused "the call of a function saves a copy" err 2
fi

# An event that happens often: as many copies as the limit permits, and each says what was passed over.
if "$PERF" record --detached=often --keep=256K --trigger=sched:sched_switch --trigger-limit=2,200ms -F 99 -- sh -c 'for i in $(seq 200); do sleep 0.01; done' 2>err; then
	check "frequent triggers save as many copies as the limit permits" eval '[[ $(ended often) == "ended: exit status 0" && -e often.data.2 && ! -e often.data.3 && $(reason often.data.2 reason) =~ ^"trigger sched:sched_switch, "[0-9]+" more since the last copy"$ ]]'
else
	skip_refused "frequent triggers save as many copies as the limit permits" err
fi
check "a limit is a number of copies and a time" eval '! "$PERF" record --detached=bad --trigger=SIGUSR2 --trigger-limit=2,fast true 2>err && grep -q "64,1s" err'

# What will be kept.
check "doctor names what is missing, and the command" eval '(ulimit -c 0; "$PERF" doctor) >out; [[ $? == 1 ]] && { [[ $pattern != core ]] || grep -A1 "^no   core limit" out | grep -q "ulimit -c unlimited"; }'
check "and what is there" grep -qE "^ok +coredump_filter: 0x[0-9a-f]*: shared memory is dumped" out
check "for a process, too" eval 'echo 0x1 >/proc/$target/coredump_filter; "$PERF" doctor -p $target >out; grep -A1 "^no   coredump_filter" out | grep -q "echo 0x3 > /proc/$target/coredump_filter"'
