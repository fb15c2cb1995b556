#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The ABI of PERF_SAMPLE_TLS_USER on a kernel that has it (tools/kernel), in a virtual machine; only
# where `make kernel-lab` has built one, and KERNEL_LAB=DIR says where: the user's home is not looked at.
. "$SRC/tools/perf/tests/live/common"
if [[ ! ${KERNEL_LAB:-} ]]; then
	skip_all "the kernel's ABI" "KERNEL_LAB=DIR names no kernel that make kernel-lab built"
fi
"$SRC/tools/kernel/lab" "$O" --cached >out 2>&1
status=$?
if ((status == 77)); then
	skip_all "the kernel's ABI" "$(tail -n 1 out)"
fi
plan "$(grep -cE '^(not )?ok' out)" # the lab's own, which says at its end how many there were
cat out
