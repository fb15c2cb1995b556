// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A sample whose copy of the stack has its thread's own size.
 *
 * The kernel copies as many bytes as the event was opened with, the same for all threads. So there are several events
 * for what this program puts out, one for each size and CPU. At a sample it chooses one, which writes the sample: with registers, call chain
 * and its own size of stack. Then the sampling event's own sample is not written (the program returns 0).
 *
 * The size is what the recorder has learned of the thread, but not more than lies between the stack pointer and the end of the mapping.
 */
#include "bpf/vmlinux.h"

#include <bpf/bpf_helpers.h>

#include "bpf/sample_stack.h"

char LICENSE[] SEC("license") = "GPL";

#define ENOSPC 28

/* The event of CPU c and class k is number c * SAMPLE_STACK_CLASSES + k. */
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__type(key, __u32);
	__type(value, __u32);
} outputs SEC(".maps");

/* By thread id. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__type(key, __u32);
	__type(value, __u32);
	__uint(max_entries, 32768);
} classes SEC(".maps");

/* Of threads of which nothing is known yet. */
const volatile __u32 first_class;

/* Not all events could be given the program: it does nothing. */
bool off;

static long take_end(struct task_struct *task, struct vm_area_struct *vma, void *end)
{
	*(__u64 *)end = vma->vm_end;
	return 0;
}

/* The thread's stack pointer in user code. */
static __always_inline __u64 stack_pointer(struct bpf_perf_event_data *ctx,
					   struct task_struct *task)
{
	/* volatile: the verifier wants whole words, at fixed offsets. */
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
	/* A lock that is taken, or no mapping: the kernel's copy ends where nothing can be read, too. */
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
	__u32 tid = bpf_get_current_pid_tgid();
	__u64 at = bpf_get_smp_processor_id() * SAMPLE_STACK_CLASSES;
	long err;

	if (off)
		return 1;
	err = bpf_perf_event_output(ctx, &outputs, at + class_for(ctx, tid), &head, sizeof(head));
	/* Without room in the ring it counts as lost. Where there is no such event, the kernel's own sample does. */
	return err && err != -ENOSPC;
}
