// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The stack of a thread that crashes, where the kernel's copy for the sample has nothing of it:
 *
 *	after a stack overflow			the bytes from the first page above the stack pointer on that
 *						can be read: the stack pointer is in a guard page
 *	in a handler on a signal stack		the stack that the signal interrupted
 *
 * The recorder looks them up when it has the sample of signal:signal_deliver.
 *
 * Example, infinite recursion. The mapping of the stack begins at 0x7ffd1000, and below it is the
 * guard gap:
 *
 *	0x7ffd0ff8	the stack pointer: the write here was the fault, and nothing can be read
 *	0x7ffd1000	the first page that can be read: up to 16 KiB of it are kept, by thread and stack pointer
 *
 * The program runs at signal:signal_deliver, before the kernel changes the stack for a handler.
 */
#include "bpf/vmlinux.h"

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "bpf/crash_stack.h"
#include "bpf/more_stack.h"
#include "bpf/numbers.h"

char LICENSE[] SEC("license") = "GPL";

const volatile __u64 signals; /* bit n: signal n */

/* Thread ids are those in the recorder's namespace. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__type(key, struct crash_stack_key);
	__type(value, struct crash_stack);
	__uint(max_entries, 64);
} crashes SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__type(key, __u32);
	__type(value, struct crash_stack);
	__uint(max_entries, 1);
} scratch SEC(".maps");

/* @sp, or the start of the first page above it that can be read; 0: none is near. Not inlined, for the verifier. */
__noinline __u64 first_readable(__u64 sp)
{
	__u64 page = sp & -MORE_STACK_PAGE, word;

	if (!bpf_probe_read_user(&word, sizeof(word), (void *)sp))
		return sp;
	for (__u32 i = 1; i <= MORE_STACK_GAP; i++)
		if (!bpf_probe_read_user(&word, sizeof(word), (void *)(page + i * MORE_STACK_PAGE)))
			return page + i * MORE_STACK_PAGE;
	return 0;
}

SEC("tp_btf/signal_deliver")
int BPF_PROG(keep_stack, int signal)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
	struct crash_stack_key key = { .sp = regs->sp, .tid = tid_of(task) };
	__u32 zero = 0;
	struct crash_stack *c = bpf_map_lookup_elem(&scratch, &zero);
	__u64 interrupted;

	if (!c || signal < 0 || signal > 63 || !(signals >> signal & 1) || !key.tid)
		return 0;
	c->own_end = key.sp;
	interrupted = interrupted_sp(key.sp);
	if (interrupted)
		c->own_end = task->sas_ss_sp + task->sas_ss_size;
	c->address = first_readable(interrupted ?: key.sp);
	if (!c->address || c->address == key.sp)
		return 0;
	c->size = copy_stack(c->bytes, c->address, CRASH_STACK_MORE);
	if (c->size)
		bpf_map_update_elem(&crashes, &key, c, BPF_ANY);
	return 0;
}
