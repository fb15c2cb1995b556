#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Data types of the running kernel by its BTF. A context switch is a sample in schedule() or a function near it, which uses
# struct task_struct; so there are samples on any machine, however busy it is.
. "$SRC/tools/perf/tests/live/common"
what="data types of the kernel by BTF"
needs_kernel_types "$what"
if ! "$PERF" record -q -e context-switches -c 1 -o perf.data -- sleep 0.01 2>why; then
	skip_all_refused "$what" why
elif ! "$PERF" check feature -q bpf; then
	skip_all "$what" "reading the kernel's code needs a build with BPF"
elif find /usr/lib/debug /boot /lib/modules -name "vmlinux*" 2>/dev/null | grep -q .; then
	skip_all "$what" "a vmlinux is installed"
fi
plan 7

"$PERF" report -D >dump 2>/dev/null
check "the file has the code of sampled functions" grep -q 'PERF_RECORD_EVENT_TYPE kernel code at 0xf' dump
check "it has at most 3 MB of it" awk '/kernel code at/ { sum += $(NF - 1) } END { exit !(sum <= 3 * 1024 * 1024) }' dump
check "the build-id cache has the types" cmp /sys/kernel/btf/vmlinux "$HOME"/.debug/*kernel.kallsyms*/*/btf

"$PERF" annotate --stdio --code-with-type >code 2>&1
check "annotate shows the code" grep -qE '<(__)?(schedule|.*resched.*|perf_.*)>:$' code
check "its instructions have types" grep -q 'data-type: struct task_struct' code

"$PERF" report -s type --stdio >report 2>&1
check "the report says where the types come from" grep -q 'have their data types by BTF: no locals, no globals' report

what="without BPF, the header says why there is no code"
if setpriv --bounding-set=-bpf,-sys_admin --inh-caps=-bpf,-sys_admin \
	"$PERF" record -q -e context-switches -c 1 -o less.data -- sleep 0.01 2>why; then
	"$PERF" report --header-only -i less.data >found
	check "$what" grep -q '^# kernel.code : .*CAP_BPF' found
else
	skip "$what" "setpriv cannot take capabilities away here"
fi
