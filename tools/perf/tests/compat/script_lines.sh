#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf script prints stock perf's recordings as stock perf does, line by line. perf 6.1 pads the
# tid to five columns, perf 7 to seven: runs of blanks count as one.
set -u
. "$SRC/tools/perf/tests/compat/common"
plan 17

cat >work.awk <<'AWK'
BEGIN { for (i = 0; i < 400000; i++) { s += length(sprintf("%d", i)); a[i % 1000] = s } print s }
AWK

# Newer than 6.1, stock perf forgets a thread's name when it exits, though the scheduler still switches away
# from it: ":12 12" there is what the thread's sched_process_exit calls it.
name_exited() {
	if [[ $("$STOCK_PERF" --version) == "perf version 6.1".* ]]; then
		cat
		return
	fi
	perl -pe '$name{$2} = $1 if /^(.+) (\d+) \[\d+\] [\d.]+: sched:sched_process_exit: /;
		s/^:(\d+) (\1 )/$name{$1} $2/ if /^:(\d+) / && $name{$1}'
}

squeeze() {
	sed -E 's/ +/ /g; s/^ //; s/ $//'
}

# compare NAME SCRIPT-OPTIONS...: both perfs print ./perf.data.
compare() {
	local name=$1
	shift
	"$STOCK_PERF" script -i perf.data "$@" 2>/dev/null | squeeze | ${exited:-cat} >stock.txt
	"$PERF" script -i perf.data "$@" 2>ours.err | squeeze >ours.txt
	# perf 6.1 gives stubs of the PLT other names or none.
	sed -i -E 's/ ([^ ]*@plt[^ ]*|\.plt[^ ]*|\[unknown\])( |$)/ STUB\2/' stock.txt ours.txt
	if diff -u stock.txt ours.txt >difference && (($(wc -l <stock.txt) > 5)); then
		echo "ok - script $name: $(wc -l <stock.txt) lines"
	else
		head -20 difference
		head -3 ours.err
		echo "not ok - script $name"
	fi
}

record() { # ROWS that need it, options...
	"$STOCK_PERF" record -q -o perf.data "${@:2}" >/dev/null 2>record.log && return
	skip_refused "script: ${*:2}" record.log "$1"
	return 1
}

if record 5 -e cpu-clock -F 5000 awk -f work.awk; then
	compare "default"
	compare "of some fields" -F comm,pid,time,event,ip,sym,dso
	compare "with relative times" --reltime
	compare "with nanoseconds" --ns
	compare "with tasks" --show-task-events --ns -F comm,tid,time,event
fi
if record 5 -e cpu-clock,page-faults -d -W --sample-cpu --phys-data --intr-regs=ax,sp,ip awk -f work.awk; then
	compare "two events"
	compare "from one event to another" --switch-on page-faults --switch-off cpu-clock --show-on-off-events
	compare "of data addresses" -F tid,time,event,addr,phys_addr
	compare "of registers" -F comm,event,iregs
	compare "with maps" --show-mmap-events -F comm,tid,cpu,time,event,sym,ip
fi
if record 1 -e kmem:kmalloc,kmem:kfree awk -f work.awk; then
	compare "functions in the text of tracepoints" -F time,event,trace
fi
if record 1 -a -e 'sched:sched_switch,sched:sched_process_*' awk -f work.awk; then
	exited=name_exited compare "tracepoints"
fi

# From one event to another, on and off several times.
"$FORGE" <"$SRC/tools/perf/tests/cases/switch-events/in.txt" >perf.data
compare "from an event on" --ns --switch-on dummy
compare "from an event to another" --ns --switch-on dummy --switch-off page-faults --show-on-off-events

# No machine without such a processor records branch stacks: these are forged.
"$FORGE" <"$SRC/tools/perf/tests/cases/script-blocks/in.txt" >perf.data
at=(--symfs "$SRC/tools/perf/tests/data/types")
compare "of instructions between branches" "${at[@]}" -F ip,sym,brstackinsn
compare "of the newest of them" "${at[@]}" -F brstackinsn --max-blocks 1
if "$STOCK_PERF" script "${at[@]}" -F brstackinsnlen >/dev/null 2>&1; then
	compare "of them with their lengths" "${at[@]}" -F brstackinsnlen
else
	skip "script of them with their lengths" "this stock perf does not know brstackinsnlen"
fi
