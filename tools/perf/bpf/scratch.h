/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scratch memory in which programs assemble an activity. It is too large for the BPF stack. */
#ifndef BPF_SCRATCH_H
#define BPF_SCRATCH_H

#define SOURCES_GLOBAL __attribute__((noinline))
#include "bpf/sources.h"

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__type(key, __u32);
	__type(value, struct scratch);
	__uint(max_entries, 1);
} scratches SEC(".maps");

#endif
