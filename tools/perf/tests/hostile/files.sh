#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Damaged perf.data files of every form, through every command that reads one. The damage is
# the same in each run; HOSTILE_RUNS is how many of each file are tried.
set -u
. "$SRC/tools/perf/tests/hostile/common.bash"
runs=${HOSTILE_RUNS:-12}

commands=(
	"report --stdio"
	"report --stdio -s type,typeoff,typecln,symoff -g none"
	"report --stdio -s activity,type,trace_id,span_id"
	"report --stdio -s srcline,srcfile -g none"
	"report --stdio --hierarchy -s comm,dso,sym"
	"report --stdio --mem-mode -s mem,symbol_daddr,dso_daddr,tlb,locked,snoop,dcacheline,phys_daddr"
	"report --stdio --group -s comm,pid,tgid,cpu,time,weight,addr,cgroup,parent,trace -g none"
	"report --stdio -b"
	"report --stdio --no-children -g flat,0.1,caller"
	"report --stdio --no-children -g folded"
	"report --stdio -g fractal,0.5,callee,address"
	"report --stdio -s daddr,daddr_how,segment,object,index,node"
	"c2c report"
	"c2c report --show-all -NN -c pid,tid,iaddr,dso"
	"mem report --stdio"
	"mem report -D -p --data-page-size"
	"report --mmaps"
	"report --tasks"
	"report --stats"
	"report --stdio --header -I"
	"report -D"
	"script"
	"script -D"
	"script -F comm,tid,pid,time,cpu,event,ip,sym,dso,symoff,addr,period,srcline"
	"script --show-mmap-events --show-task-events --show-lost-events"
	"annotate --stdio"
	"annotate --data-type --stdio"
	"annotate --data-type --type-stat --stdio"
	"report --format=json -g graph,0"
	"report --format=csv --hierarchy -s comm,dso,sym"
	"report --html=- -s tid,cpu,weight,addr,mem,trace_id"
	"report --panels --format=json --mem-mode"
	"script --format=json -F +type,+srcline"
	"annotate --format=json --code-with-type"
	"evlist -v"
	"diff -s sym,typeoff,span,state"
	"diff --format=json -s comm,tid,dso --per=second"
	"buildid-list"
	"buildid-list --with-hits"
	"inject"
	"inject --addresses"
	"inject -b"
	"inject -B"
	"inject --convert-callchain --stats"
	"inject --jit"
	"data convert --to=sysprof -o -"
	"data convert --to=pprof -o -"
	"data convert --to=otlp -o -"
	"data convert --to=firefox -o -"
	"data convert --to=perfetto -o -"
	"data convert --to=parquet --table=samples -o -"
	"data convert --to=native --table=stacks -o -"
	"stacktrace -f perf -v"
	"query about"
	"query top keys=comm,symbol,type"
)

mkdir inputs
texts=()
for text in "$SRC"/tools/perf/tests/cases/*/in.txt; do
	# The many programs whose types are known have recordings that are all alike.
	[[ $text == */types-of-* && $text != */types-of-chains/* ]] || texts+=("$text")
done
recorded=(tls fields trace compressed stacks)
plan $((2 + 2 * ${#texts[@]} + ${#recorded[@]}))

cp "$SRC"/tools/perf/tests/data/orders/orders.data inputs/
"$PERF" report --stdio -q -g none -s sym -f -i inputs/orders.data --symfs "$SRC/tools/perf/tests/data/orders" 2>err |
	grep -q '%.*place' && pass "a recording without damage is read" || { cat err; fail "a recording without damage is read"; }
for text in "${texts[@]}"; do
	name=$(basename "$(dirname "$text")")
	"$FORGE" <"$text" >"inputs/$name.data" || rm "inputs/$name.data"
	sed '1i file pipe' "$text" >pipe.txt
	"$FORGE" <pipe.txt >"inputs/$name-pipe.data" || rm "inputs/$name-pipe.data"
done
# What the forge does not make: trace formats, every kind of sample field, compressed records.
record() { # name, perf record's words...
	local name=$1
	shift
	"$PERF" record -o "inputs/recorded-$name.data" "$@" -- "$WORKLOADS/orders" 0.1 >/dev/null 2>"$name.err" && return
	rm -f "inputs/recorded-$name.data"
	skip_refused "$name: $runs damaged copies" "$name.err"
}
PERF=$STOCK_PERF record stacks -e cpu-clock -F 400 --call-graph dwarf,4096
record tls -e cpu-clock -F 400 -g --sample-tls
record fields -e '{cpu-clock,task-clock}' -e page-faults -F 300 -R -T -s -d -W --phys-data
record trace -e sched:sched_switch -R
record compressed -e cpu-clock -F 400 -g -z

# A pipe differs from a file in how its records come, so half as many are tried, with other damage.
damaged_copies() { # input
	local input=$1 name seed damage command files first=1 last=$runs
	name=$(basename "$input" .data)
	[[ $name != *-pipe ]] || first=$((runs + 1)) last=$((runs + (runs + 1) / 2))
	for ((seed = first; seed <= last; seed++)); do
		damage "$input" damaged.data "$seed" || continue
		# buildid-list reads no more than the header's list where there is one.
		command=${commands[(seed * 7 + ${#name}) % ${#commands[@]}]}
		[[ $command != buildid-list ]] || damage=${damage#must be refused:}
		[[ $command =~ ^(evlist|buildid-list|inject|data|stacktrace) ]] ||
			command+=" --symfs $SRC/tools/perf/tests/data/orders"
		files="-i damaged.data"
		[[ $command != diff* ]] || files="$input damaged.data"
		judge "$name-$seed" "$damage" damaged.data $command $files
	done
	verdict "$name: $((last - first + 1)) damaged copies"
}

# Every JOBS-th input is for the same of JOBS shells, each in a folder of its own.
inputs=("$PWD"/inputs/*.data)
jobs=${JOBS:-$(nproc)}
for ((shell = 0; shell < jobs; shell++)); do
	mkdir "shell$shell"
	(
		cd "shell$shell" || exit
		for ((i = shell; i < ${#inputs[@]}; i += jobs)); do
			damaged_copies "${inputs[i]}"
		done
	) >"said$shell" 2>&1 &
done
wait
cat said*
