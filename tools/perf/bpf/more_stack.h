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

/* What is searched, from candidate to candidate. */
struct uc_search {
	__u64 top, sp, low, size;
	__u64 found;
};

static long try_candidate(__u32 i, void *arg)
{
	struct uc_search *s = arg;
	__u64 uc = s->top - (__u64)i * UC_ALIGN;

	if (uc < s->sp || uc - s->sp > s->size)
		return 1;
	s->found = interrupted_at(uc, s->low, s->size);
	if (s->found)
		uc_last = i;
	return s->found != 0;
}

/*
 * The stack pointer that a signal has interrupted whose handler runs on the signal stack; 0: @sp is on no signal stack.
 * Not inlined, so that the verifier checks the loop only once. It follows each round of a loop, here 110,000 instructions or 90 ms.
 * Of bpf_loop() (Linux 5.17), it follows one.
 */
__noinline __u64 interrupted_sp(__u64 sp)
{
	struct task_struct *task = bpf_get_current_task_btf();
	__u64 low = task->sas_ss_sp, size = task->sas_ss_size;
	struct uc_search s = {
		.top = (low + size) & -UC_ALIGN,
		.sp = sp,
		.low = low,
		.size = size,
	};

	if (!size || sp - low >= size)
		return 0;
	s.found = interrupted_at(s.top - (__u64)uc_last * UC_ALIGN, low, size);
	if (s.found)
		return s.found;
	if (bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_loop)) {
		bpf_loop(UC_MOST, try_candidate, &s, 0);
		return s.found;
	}
	for (__u32 i = 0; i < UC_MOST; i++)
		if (try_candidate(i, &s))
			break;
	return s.found;
}

/*
 * Copies up to @most bytes from @sp up, whole pages, at least @most - MORE_STACK_PAGE. Returns the number. It stops at the
 * first page that cannot be read: the end of the mapping, or a page that was never written. The kernel puts a program's
 * first stack pointer at random up to 8 KiB below its environment, and a page between them may never be touched.
 */
static __always_inline __u32 copy_stack(__u8 *to, __u64 sp, __u32 most)
{
	__u32 size = MORE_STACK_PAGE - (sp & (MORE_STACK_PAGE - 1));

	if (bpf_probe_read_user(to, size, (void *)sp))
		return 0;
	to += size;
	for (__u32 i = 1; i < most / MORE_STACK_PAGE; i++, to += MORE_STACK_PAGE) {
		if (bpf_probe_read_user(to, MORE_STACK_PAGE, (void *)(sp + size)))
			break;
		size += MORE_STACK_PAGE;
	}
	return size;
}

#endif
