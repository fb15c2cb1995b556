/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by sample_stack.bpf.c and its loader. Both define __u32 and __u64 before. */
#ifndef BPF_SAMPLE_STACK_H
#define BPF_SAMPLE_STACK_H

/*
 * Sizes of stack copies: class k has 512 << k bytes. The last used class has the size that the user
 * requested.
 */
#define SAMPLE_STACK_CLASSES 8
#define SAMPLE_STACK_SHIFT   9

/* The raw data of a record. */
struct sample_stack_head {
	__u64 period; /* period of the sample that the record replaces */
};

/* A power of 2. */
#define SAMPLE_STACK_MORE 16384

/* The same in a signal handler on a stack of its own: with the stack that the signal interrupted. Cut to its size. */
struct sample_stack_more {
	struct sample_stack_head head;
	__u64 address;
	__u8 bytes[SAMPLE_STACK_MORE];
};

#endif
