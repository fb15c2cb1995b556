/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by crash_stack.bpf.c and its loader. */
#ifndef BPF_CRASH_STACK_H
#define BPF_CRASH_STACK_H

#define CRASH_STACK_MORE 16384 /* a power of 2 */

struct crash_stack_key {
	__u64 sp; /* the stack pointer: a thread may get several signals before the recorder looks */
	__u32 tid, zero;
};

/* A thread that got a signal which dumps core, and whose stack is not where its stack pointer is. */
struct crash_stack {
	__u64 own_end; /* the end of its signal stack, if it is there; else the stack pointer */
	__u64 address; /* of the bytes */
	__u64 size;
	__u8 bytes[CRASH_STACK_MORE];
};

#endif
