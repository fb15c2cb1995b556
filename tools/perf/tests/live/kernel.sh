#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The ABI of PERF_SAMPLE_TLS_USER on a kernel that has it (tools/kernel), in a virtual machine; only
# where `make kernel-lab` has built one.
"$SRC/tools/kernel/lab" "$O" --cached >out 2>&1
status=$?
if ((status == 77)); then
	echo "ok - the kernel's ABI # skip $(tail -n 1 out)"
	exit 0
fi
cat out
