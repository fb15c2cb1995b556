/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a thread is in user code: the registers with which it has entered the kernel, and the bytes above its stack pointer.
 * For the current thread, and for another thread that is off the CPU: such a thread is in the kernel, so its user registers
 * are at the top of its kernel stack. Its memory is the current thread's, or that of a thread that bpf/read_of.h reads.
 *
 *	kernel stack of a thread	task->stack -> | ... free ... | frames of the kernel | struct pt_regs | padding |
 *
 * The distance from task->stack to struct pt_regs is the same for all threads. It is taken from the current one.
 */
#ifndef BPF_USER_PLACE_H
#define BPF_USER_PLACE_H

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "bpf/offcpu.h"
#include "bpf/read_of.h"

#define USER_PLACE_PAGE 4096
#define USER_PLACE_64	0x33 /* cs of 64-bit code */

static __always_inline void take_user_regs(struct offcpu_regs *to, const struct pt_regs *regs)
{
	to->bx = regs->bx;
	to->bp = regs->bp;
	to->sp = regs->sp;
	to->ip = regs->ip;
	to->r12 = regs->r12;
	to->r13 = regs->r13;
	to->r14 = regs->r14;
	to->r15 = regs->r15;
}

/*
 * Bytes from @sp up that may be stack, at most OFFCPU_STACK. The C library puts a thread's own data, which @tp points to and
 * which begins with its own address, above the stack that it has made for the thread.
 */
static __always_inline __u32 stack_bytes(struct task_struct *task, bool other, __u64 sp, __u64 tp)
{
	__u64 self = 0;

	if (tp <= sp || tp - sp >= OFFCPU_STACK || !peek_of(task, other, &self, sizeof(self), tp) ||
	    self != tp)
		return OFFCPU_STACK;
	return (tp - sp) & ~7ull;
}

/*
 * Copies to @to, which has OFFCPU_STACK bytes, from memory of @task. At the end of a mapping: only up to the page's end.
 * Returns the size.
 */
static __always_inline __u32 copy_user_stack(__u8 *to, struct task_struct *task, bool other,
					     __u64 sp, __u64 tp)
{
	__u32 size = stack_bytes(task, other, sp, tp) & (2 * OFFCPU_STACK - 1);

	if (!sp || size > OFFCPU_STACK)
		return 0;
	if (peek_of(task, other, to, size, sp))
		return size;
	size = (USER_PLACE_PAGE - (sp & (USER_PLACE_PAGE - 1))) & (USER_PLACE_PAGE - 8);
	return size && peek_of(task, other, to, size, sp) ? size : 0;
}

/*
 * The registers of @task, a thread that is off the CPU. @room: memory of a map, in which a
 * pointer becomes a number: the verifier refuses the difference of two pointers.
 */
static __always_inline bool read_user_regs(struct pt_regs *regs, struct task_struct *task,
					   volatile __u64 *room)
{
	struct task_struct *current = bpf_get_current_task_btf();
	__u64 distance;

	*room = bpf_task_pt_regs(current);
	distance = *room - (__u64)BPF_CORE_READ(current, stack);
	return !bpf_probe_read_kernel(regs, sizeof(*regs),
				      (char *)BPF_CORE_READ(task, stack) + distance);
}

#endif
