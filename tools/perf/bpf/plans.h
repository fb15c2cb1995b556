/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plans of processes, by process id. The map is sample_tls.bpf.c's; other programs are loaded with its descriptor in
 * place of theirs, so all have the same definition.
 */
#ifndef BPF_PLANS_H
#define BPF_PLANS_H

#include <bpf/bpf_helpers.h>

#include "bpf/sample_tls.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, __u32);
	__type(value, struct sample_tls_plan);
	__uint(max_entries, 16384);
} plans SEC(".maps");

#endif
