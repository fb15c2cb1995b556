#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The ABI of PERF_SAMPLE_TLS_USER on a kernel that has it (tools/kernel), in a virtual machine; only
# where `make kernel-lab` has built one, and KERNEL_LAB=DIR says where: the user's home is not looked at.
if [[ ! ${KERNEL_LAB:-} ]]; then
	echo "ok - the kernel's ABI # skip KERNEL_LAB=DIR names no kernel that make kernel-lab built"
	exit 0
fi
"$SRC/tools/kernel/lab" "$O" --cached >out 2>&1
status=$?
if ((status == 77)); then
	echo "ok - the kernel's ABI # skip $(tail -n 1 out)"
	exit 0
fi
cat out
