#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf mem on a machine without hardware events of memory: it says what is missing, and reports computed addresses.
. "$SRC/tools/perf/tests/live/common"
alone_with perf_map_files
devices=/sys/bus/event_source/devices
if compgen -G "$devices/*/events/mem-loads" >/dev/null || [[ -e $devices/ibs_op ]] || compgen -G "$devices/arm_spe*" >/dev/null; then
	skip_all "perf mem without hardware" "this machine has memory events"
fi
if ! "$PERF" mem record -F 999 -U -o try.data -- "$WORKLOADS/sharing" 1.5 >out 2>why; then
	skip_all_refused "perf mem" why
fi
plan 6

check "a line says what is computed, and what is missing" grep -q '^note: no hardware event .* compute data addresses .* no cache level' why
check "-q does not" eval '"$PERF" mem -v record -q -F 99 -o quiet.data -- "$WORKLOADS/sharing" 0.1 >/dev/null 2>err; ! grep "^note: no hardware" err'
"$PERF" mem report --stdio -i try.data >found 2>err
check "the report has computed addresses" eval 'grep -q "static .* computed" found && grep -q "^note: Data addresses: [0-9.]* % computed" err && grep -q "^note: no cache level" err'
check "an event's own default keys are not for it" eval '! grep -q "Local Weight" found'
at=$(printf '0x%x' "$(awk '$1 == "hits" { print $2 }' out)")
check "a line for each sample" eval '(($("$PERF" mem report -D -i try.data -x" " 2>err | grep -c "^[0-9]* [0-9]* 0x[0-9a-f]* $at 0 ") > 0))'
check "the list of memory events is empty" eval '"$PERF" mem record -e list 2>err | grep -q "No hardware event"'
