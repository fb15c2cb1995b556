#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf c2c of data of the kernel: workloads/kernel_lines.c has pairs of threads whose system calls write to one object, or to one each.
. "$SRC/tools/perf/tests/live/common"
what="c2c of data of the kernel"
needs_kernel_types "$what"
if ! "$PERF" c2c record -q -e cpu-clock -o try.data -- true 2>why; then
	skip_all_refused "$what" why
elif ! "$PERF" check feature -q bpf; then
	skip_all "$what" "reading the kernel's code needs a build with BPF"
fi
for objects in shared own; do
	if ! "$PERF" c2c record -q -e cpu-clock -F 4000 -o $objects.data -- "$WORKLOADS/kernel_lines" 100 $objects >$objects 2>why; then
		skip_all_refused "$what" why
	fi
	"$PERF" c2c report -i $objects.data --format=csv >$objects.csv 2>err
done
plan 10

# how OBJECTS TYPE: how objects of the kernel's type are shared, each once.
how() { awk -F, -v type="struct $2 " 'index($0, type) { gsub(/"/, "", $3); print $3 }' "$1.csv" | sort -u; }
declare -A words=([same]="same bytes" [none]="" [irq]="")
for objects in shared own; do
	while read -r type kind; do
		check "$objects: $type: $kind" eval '[[ $(how $objects $type) == "${words[$kind]}" ]]'
	done <$objects
done
# A timer has no samples while interrupts are off; the one behind them is no access. Some kernels have no function of the unlocking.
"$PERF" report -i shared.data -s sym,type --format=csv >found 2>err
check "sighand_struct: samples say that interrupts were off" grep -Eq '(_raw_spin_unlock_irq|set_current_blocked|sigprocmask),.interrupts were off' found
