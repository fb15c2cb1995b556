/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds what the CPU ran when the sampling event hit: the task's own code, or a softirq, an
 * interrupt or an NMI above it.
 *
 * The kernel counts nested contexts in one word per CPU, preempt_count: bits 8-15 count softirqs
 * and sections with softirqs disabled (bit 8: a softirq is served), bits 16-19 interrupts, bits
 * 20-23 NMIs. While the BPF program runs, the word also counts the interrupt of the sampling event
 * itself. The program must subtract it:
 *
 *  - a timer: one interrupt;
 *  - a counter: one NMI, which also counts as one interrupt; or one interrupt on platforms that
 *    deliver counters as interrupts.
 *
 * Example: a timer samples a task in a system call. The word is 0x10000: one interrupt, the timer's
 * own. Without it the word is 0, so the context is the task.
 *
 * The word is a per-CPU variable, and many kernels hide the addresses of variables. So the program
 * starts at another variable of the same CPU: task -> scheduling entity -> run queue of the CPU.
 * The kernel's BTF gives the distance between the two (record/tls/count.h). The pointer to the
 * current task is at a known distance as well. If it does not point to the current task, the
 * distance is wrong, and the context is unknown.
 */
#ifndef BPF_CONTEXT_H
#define BPF_CONTEXT_H

#include <bpf/bpf_core_read.h>

#include "bpf/sample_tls.h"

/* Set by the loader: the distances from the run queue, if known. */
const volatile bool has_count;
const volatile __s64 count_from_rq, current_from_rq;

/*
 * Set by the loader: the kind of all sampling events, for kernels that hide the event from the
 * program.
 */
__u8 own_of_all;

#define COUNT_SOFTIRQ 0x00000100u
#define COUNT_HARDIRQ 0x00010000u
#define MASK_HARDIRQ  0x000f0000u
#define MASK_NMI      0x00f00000u

static __always_inline bool read_preempt_count(__u32 *count)
{
	struct task_struct *task = bpf_get_current_task_btf();
	__u64 rq, current = 0;

	if (!has_count || !bpf_core_field_exists(struct cfs_rq, rq))
		return false;
	/* Not task->se.cfs_rq->rq: for each pointer that is taken so, the verifier searches all types of the kernel. */
	rq = (__u64)BPF_CORE_READ(task, se.cfs_rq, rq);
	return bpf_probe_read_kernel(&current, sizeof(current), (void *)(rq + current_from_rq)) ==
		       0 &&
	       current == (__u64)task &&
	       bpf_probe_read_kernel(count, sizeof(*count), (void *)(rq + count_from_rq)) == 0;
}

/*
 * Before Linux 6.4 a clock event has the type and config with which it was opened; since 6.4 it has
 * those of its PMU.
 */
static __always_inline __u8 own_of(const struct perf_event *event)
{
	__u32 type = event->attr.type;

	if (type == PERF_TYPE_SOFTWARE)
		return event->attr.config <= PERF_COUNT_SW_TASK_CLOCK ? SAMPLE_TLS_OWN_TIMER
								      : SAMPLE_TLS_OWN_NONE;
	if (type == PERF_TYPE_TRACEPOINT)
		return SAMPLE_TLS_OWN_NONE;
	if (type > PERF_TYPE_BREAKPOINT && event->pmu->task_ctx_nr == PERF_SW_CONTEXT)
		return SAMPLE_TLS_OWN_TIMER;
	return SAMPLE_TLS_OWN_COUNTER;
}

static __always_inline __u32 without_own(__u32 count, __u8 own)
{
	if (own == SAMPLE_TLS_OWN_NONE)
		return count;
	if (own == SAMPLE_TLS_OWN_COUNTER && count & MASK_NMI)
		count -= 1u << 20;
	return count & MASK_HARDIRQ ? count - COUNT_HARDIRQ : count;
}

static __always_inline __u8 find_context(__u8 own, bool user)
{
	__u32 count;

	if (user)
		return SAMPLE_TLS_IN_TASK;
	if (own == SAMPLE_TLS_OWN_UNKNOWN || !read_preempt_count(&count))
		return SAMPLE_TLS_IN_UNKNOWN;
	count = without_own(count, own);
	if (count & MASK_NMI)
		return SAMPLE_TLS_IN_NMI;
	if (count & MASK_HARDIRQ)
		return SAMPLE_TLS_IN_HARDIRQ;
	return count & COUNT_SOFTIRQ ? SAMPLE_TLS_IN_SOFTIRQ : SAMPLE_TLS_IN_TASK;
}

#endif
