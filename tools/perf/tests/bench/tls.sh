#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What an activity adds to the BPF program per sample, layout by layout, against the limits.
tool=$O/tests/tools/tls_cost
echo "activity: the BPF program's time per sample, by the kernel's statistics"
if [[ -x $tool ]]; then
	"$tool" || true
else
	echo "not measured: this build has no BPF"
fi
