/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The activity of the current thread, by the plans that sample_tls.bpf.c has for its process. For programs that run in the
 * thread itself: at a switch, a wake-up, a tick.
 */
#ifndef BPF_CURRENT_H
#define BPF_CURRENT_H

#include "bpf/vmlinux.h"

static const bool has_obi = false; /* the map of OBI is not read here */

#include "bpf/plans.h"
#include "bpf/scratch.h"
#include "bpf/threads.h"

static __always_inline void read_obi(struct scratch *scratch)
{
}

/*
 * The activity of the thread of this process whose thread pointer is @tp. @room: bytes of @to, a power of two. Returns the
 * size; 0: there is nothing to read.
 */
static __always_inline __u32 read_activity_at(__u8 *to, __u32 room, __u64 tp)
{
	__u32 pid = pid_of(bpf_get_current_task_btf()), zero = 0, size;
	const struct sample_tls_plan *plan = bpf_map_lookup_elem(&plans, &pid);
	struct scratch *scratch = bpf_map_lookup_elem(&scratches, &zero);

	if (!scratch || !tp || !plan || !(plan->window || plan->nr))
		return 0;
	scratch->context = SAMPLE_TLS_IN_TASK;
	size = read_all(scratch, plan, tp);
	if (!size || size > room)
		return 0;
	if (bpf_probe_read_kernel(to, size & (2 * room - 1), scratch->bytes))
		return 0;
	return size;
}

/* The same for the current thread. */
static __always_inline __u32 read_activity(__u8 *to, __u32 room)
{
	return read_activity_at(to, room, bpf_get_current_task_btf()->thread.fsbase);
}

#endif
