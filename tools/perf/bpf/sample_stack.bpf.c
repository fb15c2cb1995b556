// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Samples whose stack copy has a size chosen per thread.
 *
 * The kernel copies as many bytes as the event's attribute says, the same for all threads. So this
 * program has several output events, one per size and CPU. At a sample it chooses one of them. That
 * event writes the sample, with registers, call chain and its own stack size. The program returns
 * 0, so the sampling event's own sample is not written.
 *
 * The recorder learns the size from the thread's earlier samples. The size is limited to the
 * distance between the stack pointer and the end of the mapping.
 */
#include "bpf/vmlinux.h"

#include <bpf/bpf_helpers.h>

#include "bpf/numbers.h"
#include "bpf/sample_stack.h"

char LICENSE[] SEC("license") = "GPL";

#define ENOSPC 28

/* The event of CPU c and class k is number c * SAMPLE_STACK_CLASSES + k. */
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__type(key, __u32);
	__type(value, __u32);
} outputs SEC(".maps");

/* Key: thread id in the recorder's namespace. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__type(key, __u32);
	__type(value, __u32);
	__uint(max_entries, 32768);
} classes SEC(".maps");

/* The class of unknown threads. */
const volatile __u32 first_class;

/* True: the program could not be attached to all events, and does nothing. */
bool off;

static long take_end(struct task_struct *task, struct vm_area_struct *vma, void *end)
{
	*(__u64 *)end = vma->vm_end;
	return 0;
}

/* The thread's stack pointer in user mode. */
static __always_inline __u64 stack_pointer(struct bpf_perf_event_data *ctx,
					   struct task_struct *task)
{
	/* volatile: the verifier accepts only whole words at fixed offsets. */
	__u64 sp = *(volatile __u64 *)&ctx->regs.sp;
	struct pt_regs *regs;

	if ((*(volatile __u64 *)&ctx->regs.cs & 3) == 3)
		return sp;
	regs = (struct pt_regs *)bpf_task_pt_regs(task);
	return regs->sp;
}

static __always_inline __u32 class_for(struct bpf_perf_event_data *ctx, __u32 tid)
{
	struct task_struct *task = bpf_get_current_task_btf();
	__u32 *known = bpf_map_lookup_elem(&classes, &tid);
	__u32 class = known ? *known : first_class;
	__u64 sp = stack_pointer(ctx, task), end = 0;

	if (class >= SAMPLE_STACK_CLASSES)
		class = SAMPLE_STACK_CLASSES - 1;
	/*
	 * The lock is taken, or there is no mapping. The kernel's copy also stops at unreadable
	 * memory.
	 */
	if (bpf_find_vma(task, sp, take_end, &end, 0))
		return class;
	for (__u32 i = 0; i < SAMPLE_STACK_CLASSES; i++)
		if (i < class && end - sp <= 1ull << (SAMPLE_STACK_SHIFT + i))
			return i;
	return class;
}

SEC("perf_event")
int sample_stack(struct bpf_perf_event_data *ctx)
{
	struct sample_stack_head head = { .period = ctx->sample_period };
	__u32 tid = tid_of(bpf_get_current_task_btf());
	__u64 at = bpf_get_smp_processor_id() * SAMPLE_STACK_CLASSES;
	long err;

	if (off)
		return 1;
	err = bpf_perf_event_output(ctx, &outputs, at + class_for(ctx, tid), &head, sizeof(head));
	/*
	 * If the ring is full, the sample counts as lost. If the event does not exist, the kernel
	 * writes its own sample.
	 */
	return err && err != -ENOSPC;
}
