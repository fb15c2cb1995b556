#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Files that stock perf records with many options: our reader finds in them the records, events
# and header facts that stock perf finds.
. "$SRC/tools/perf/tests/compat/common"
if ! "$STOCK_PERF" record -q -e cpu-clock -o try.data true 2>why; then
	skip_all_refused "perfdata" why
fi
plan 92
load='i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'

# Every record's line, in the order of the file. What is left out: remarks that depend on what
# the command does with a record, and words that only newer versions add.
records() {
	grep -a 'PERF_RECORD_' | sed -E -e 's/: unhandled!//; s/ +$//' -e 's/ \(PERF_CONTEXT_.*//' \
		-e 's/^.*(0x[0-9a-f]+ \[0x[0-9a-f]+\]: PERF_RECORD)/\1/' |
		grep -v 'PERF_RECORD_COMPRESSED' | LC_ALL=C sort
}

# The lines of a sample's fields: registers, chain, stack, addresses.
fields() {
	grep -aE '^ ?\.\.+ ?(FP chain|\.* ?[0-9]+: [0-9a-f]{16}|user regs|intr regs|[A-Z0-9]+ +0x|ustack|weight|data_src|phys_addr|data page|code page|(\.\.)?. (id|value))' |
		sed -E 's/ \(PERF_CONTEXT_.*//; s/ +$//' | LC_ALL=C sort
}

# Lines of the header that both versions print, and in the same words. Newer versions say that there are no
# BPF programs.
header() {
	grep -vE '^# (missing features|event :|captured on|bpf_prog_info empty|btf info empty|e_machine|  e_flags|cacheline|#)' |
		grep -vE '^#    e_flags'
}

# Of files of one name, as processes of another root have them, the header's table has each; stock perf
# (6.1 to 7.3) keeps the last.
as_stock_keeps_them() { # file
	if "$STOCK_PERF" report --header-only -i "$1" 2>/dev/null | grep -q '^# missing features:.* BUILD_ID '; then
		cat
	else
		tac | awk '{ id = $1; sub(/^[0-9a-f]+ /, "") } !seen[$0]++ { print id, $0 }'
	fi
}

compare() { # name, file
	"$STOCK_PERF" report -D -i "$2" >stock.dump 2>/dev/null
	"$PERF" script -D -i "$2" >our.dump 2>our.err || cat our.err
	records <stock.dump >stock.records
	records <our.dump >our.records
	same "$1: records" stock.records our.records
	fields <stock.dump >stock.fields
	fields <our.dump >our.fields
	same "$1: fields" stock.fields our.fields
	"$STOCK_PERF" report --header-only -I -i "$2" 2>/dev/null | header >stock.header
	"$PERF" report --header-only -I -i "$2" | header >our.header
	same "$1: header" stock.header our.header
	"$STOCK_PERF" evlist -F -i "$2" 2>/dev/null | grep -v '^# Tip' >stock.events
	"$PERF" evlist -F -i "$2" | grep -v '^# Tip' >our.events
	same "$1: events" stock.events our.events
	"$STOCK_PERF" buildid-list -i "$2" 2>/dev/null | LC_ALL=C sort >stock.ids
	"$PERF" buildid-list -i "$2" | as_stock_keeps_them "$2" | LC_ALL=C sort >our.ids
	# Of compressed files with build-ids in their records 6.1 lists names without them.
	if grep -q '^ ' stock.ids; then
		skip "$1: build-ids" "this stock perf lists names without them"
	else
		same "$1: build-ids" stock.ids our.ids
	fi
}

# What the kernel here does not record is not a failure of the reader.
try() { # name, options...
	local name=$1
	shift
	if "$STOCK_PERF" record -q -o "$name.data" "$@" -- sh -c "$load" >/dev/null 2>why; then
		compare "$name" "$name.data"
	else
		skip_refused "$name" why 5
	fi
	rm -rf "$name.data"
}

try plain -e cpu-clock
try frames -e cpu-clock -g
try stacks -e cpu-clock --call-graph dwarf,1024
try registers -e cpu-clock --intr-regs=ax,bx,sp --user-regs=ip,sp,r8
try addresses -e cpu-clock -d --phys-data --data-page-size --code-page-size -W
try events -e cpu-clock -e task-clock -e page-faults -e context-switches
try group -e '{cpu-clock,task-clock}'
try group-read -e '{cpu-clock,task-clock}:S'
try breakpoint -e mem:0x1000:rw -e cpu-clock
try system -e cpu-clock -a --namespaces --all-cgroups --switch-events
try no-inherit -e cpu-clock -i -s -T
try no-samples -e cpu-clock -c 1000000000000
try clock -e cpu-clock -k CLOCK_MONOTONIC
try build-ids -e cpu-clock --buildid-mmap
try zstd -e cpu-clock -F 10000 -g -z
try tracepoint -e sched:sched_switch -R
try threads -e cpu-clock -a --threads=cpu

# A table with two files of one name, and one whose linker makes short ids (lld: 8 bytes).
"$FORGE" >names.data <<'END'
event cpu-clock
buildid file=/usr/lib/libc.so.6 id=0101010101010101010101010101010101010101 pid=-1 misc=user
buildid file=/usr/bin/x id=0303030303030303 pid=-1 misc=user
buildid file=/usr/lib/libc.so.6 id=0202020202020202020202020202020202020202 pid=-1 misc=user
END
"$STOCK_PERF" buildid-list -i names.data 2>/dev/null | LC_ALL=C sort >stock.ids
"$PERF" buildid-list -i names.data | as_stock_keeps_them names.data | LC_ALL=C sort >our.ids
same "two files of one name, and a short id: build-ids" stock.ids our.ids

# The pipe form: names and ids come in records. Stock perf counts offsets from behind the header.
no_offsets() {
	records | sed -E 's/^.*(\[0x[0-9a-f]+\]: PERF_RECORD)/\1/' | LC_ALL=C sort
}

for options in '' '-g' '-e task-clock -e page-faults'; do
	"$STOCK_PERF" record -q -e cpu-clock $options -o - -- sh -c "$load" >pipe.data 2>/dev/null
	"$STOCK_PERF" report -D -i - <pipe.data 2>/dev/null | no_offsets >stock.records
	"$PERF" script -D -i - <pipe.data | no_offsets >our.records
	same "pipe $options: records" stock.records our.records
	"$STOCK_PERF" evlist -F -i - <pipe.data >stock.events 2>/dev/null
	cat pipe.data | "$PERF" evlist -F -i - >our.events
	same "pipe $options: events" stock.events our.events
done
