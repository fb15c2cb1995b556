/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stack bytes that the kernel's copy for a sample lacks, because it begins at the stack pointer and ends at the first page
 * that cannot be read (perfdata/more_stack.h).
 *
 * A signal's handler may run on a stack of its own, sigaltstack(). The kernel puts the interrupted registers near the end of
 * that stack, in a ucontext. Above it are only the floating-point registers, whose size depends on the CPU. So the ucontext
 * is searched from the end down: its uc_stack names the signal stack itself.
 */
#ifndef BPF_MORE_STACK_H
#define BPF_MORE_STACK_H

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#define UC_STACK	16  /* bytes from a ucontext to its uc_stack: ss_sp, ss_flags, ss_size */
#define UC_RSP		160 /* to the interrupted rsp */
#define UC_ALIGN	16
#define UC_MOST		1024 /* candidates: with AMX, 11 KiB are above it */
#define MORE_STACK_PAGE 4096
#define MORE_STACK_GAP	64 /* pages of a guard area, and of a large frame */

struct uc_stack {
	__u64 sp, flags, size;
};

__u32 uc_last; /* the candidate that was right last. It is the same for all threads */

static __always_inline __u64 interrupted_at(__u64 uc, __u64 low, __u64 size)
{
	struct uc_stack is = { 0 };
	__u64 sp = 0;

	if (bpf_probe_read_user(&is, sizeof(is), (void *)(uc + UC_STACK)) || is.sp != low ||
	    is.size != size || bpf_probe_read_user(&sp, sizeof(sp), (void *)(uc + UC_RSP)))
		return 0;
	return sp - low < size ? 0 : sp;
}

/*
 * The stack pointer that a signal has interrupted whose handler runs on the signal stack; 0: @sp is on no signal stack.
 * Not inlined, so that the verifier checks the loop only once.
 */
__noinline __u64 interrupted_sp(__u64 sp)
{
	struct task_struct *task = bpf_get_current_task_btf();
	__u64 low = task->sas_ss_sp, size = task->sas_ss_size, top = (low + size) & -UC_ALIGN,
	      found;

	if (!size || sp - low >= size)
		return 0;
	found = interrupted_at(top - (__u64)uc_last * UC_ALIGN, low, size);
	for (__u32 i = 0; i < UC_MOST && !found; i++) {
		__u64 uc = top - (__u64)i * UC_ALIGN;

		if (uc < sp || uc - sp > size)
			break;
		found = interrupted_at(uc, low, size);
		if (found)
			uc_last = i;
	}
	return found;
}

static long more_take_end(struct task_struct *task, struct vm_area_struct *vma, void *end)
{
	*(__u64 *)end = vma->vm_end;
	return 0;
}

/* Copies up to @most bytes, a power of 2, from @sp up. Returns the number. */
static __always_inline __u32 copy_stack(__u8 *to, __u64 sp, __u32 most)
{
	__u64 end = 0, size = most;

	if (!bpf_find_vma(bpf_get_current_task_btf(), sp, more_take_end, &end, 0) &&
	    end - sp < most)
		size = (end - sp) & ~7ull;
	for (__u32 i = 0; i < 8; i++) {
		if (size > most)
			size = most;
		if (!bpf_probe_read_user(to, size & (2 * most - 1), (void *)sp))
			return size & (2 * most - 1);
		size = size / 2 & ~7ull;
	}
	return 0;
}

#endif
