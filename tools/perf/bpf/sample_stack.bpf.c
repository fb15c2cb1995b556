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
 *
 * In a signal handler on a stack of its own, the program copies the interrupted stack, too.
 */
#include "bpf/vmlinux.h"

#include <bpf/bpf_helpers.h>

#include "bpf/more_stack.h"
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

/* The mapping that a thread's stack pointer was in. It is looked up again after some samples: it may have changed. */
struct stack_range {
	__u64 start, end;
	__u64 left; /* samples for which it is used */
};

#define RANGE_SAMPLES 256

/* Key: thread id in the recorder's namespace. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__type(key, __u32);
	__type(value, struct stack_range);
	__uint(max_entries, 32768);
} ranges SEC(".maps");

/* Per CPU: the record that is being made. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__type(key, __u32);
	__type(value, struct sample_stack_more);
	__uint(max_entries, 1);
} mores SEC(".maps");

/* The class of unknown threads. */
const volatile __u32 first_class;

/* True: the program could not be attached to all events, and does nothing. */
bool off;

static long take_range(struct task_struct *task, struct vm_area_struct *vma, void *arg)
{
	struct stack_range *range = arg;

	range->start = vma->vm_start;
	range->end = vma->vm_end;
	return 0;
}

/*
 * The end of the mapping that @sp is in; 0: not known. bpf_find_vma() interrupts the CPU once more to release the
 * mapping's lock, which costs as much as the rest of a sample. So the mapping is remembered.
 */
static __always_inline __u64 end_of_stack(struct task_struct *task, __u32 tid, __u64 sp)
{
	struct stack_range *known = bpf_map_lookup_elem(&ranges, &tid), range = { 0 };

	if (known && known->left && sp >= known->start && sp < known->end) {
		known->left--;
		return known->end;
	}
	if (bpf_find_vma(task, sp, take_range, &range, 0))
		return 0;
	range.left = RANGE_SAMPLES;
	bpf_map_update_elem(&ranges, &tid, &range, BPF_ANY);
	return range.end;
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

/* @end: of what can be copied from @sp on; 0: not known. */
static __always_inline __u32 class_for(__u32 tid, __u64 sp, __u64 end)
{
	__u32 *known = bpf_map_lookup_elem(&classes, &tid);
	__u32 class = known ? *known : first_class;

	if (class >= SAMPLE_STACK_CLASSES)
		class = SAMPLE_STACK_CLASSES - 1;
	/* The kernel's copy also stops at unreadable memory. */
	for (__u32 i = 0; end && i < SAMPLE_STACK_CLASSES; i++)
		if (i < class && end - sp <= 1ull << (SAMPLE_STACK_SHIFT + i))
			return i;
	return class;
}

/*
 * In a signal handler on a stack of its own: a record with the stack from @interrupted up, too. Returns its error.
 */
static __always_inline long put_both(struct bpf_perf_event_data *ctx, __u64 at,
				     const struct sample_stack_head *head, __u64 interrupted)
{
	__u32 zero = 0, size;
	struct sample_stack_more *more = bpf_map_lookup_elem(&mores, &zero);

	if (!more)
		return -ENOSPC;
	more->head = *head;
	more->address = interrupted;
	size = copy_stack(more->bytes, interrupted, SAMPLE_STACK_MORE) +
	       __builtin_offsetof(struct sample_stack_more, bytes);
	if (size > sizeof(*more))
		size = sizeof(*more);
	return bpf_perf_event_output(ctx, &outputs, at, more, size);
}

/*
 * Returns 1 if the kernel shall write the sample itself: the program is switched off, or could not
 * write. 0: it was written, or lost and counted by the output event.
 */
SEC("perf_event")
int sample_stack(struct bpf_perf_event_data *ctx)
{
	struct sample_stack_head head = { .period = ctx->sample_period };
	struct task_struct *task = bpf_get_current_task_btf();
	__u64 sp = stack_pointer(ctx, task), interrupted;
	__u32 tid = tid_of(task);
	__u64 at = bpf_get_smp_processor_id() * SAMPLE_STACK_CLASSES;
	long err;

	if (off)
		return 1;
	interrupted = interrupted_sp(sp);
	if (interrupted)
		err = put_both(ctx, at + class_for(tid, sp, task->sas_ss_sp + task->sas_ss_size),
			       &head, interrupted);
	else
		err = bpf_perf_event_output(ctx, &outputs,
					    at + class_for(tid, sp, end_of_stack(task, tid, sp)),
					    &head, sizeof(head));
	/*
	 * If the ring is full, the sample counts as lost. If the event does not exist, the kernel
	 * writes its own sample.
	 */
	return err && err != -ENOSPC;
}
