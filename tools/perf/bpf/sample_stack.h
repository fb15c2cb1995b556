/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What sample_stack.bpf.c and its loader share. Both sides have defined __u32 and __u64 before. */
#ifndef BPF_SAMPLE_STACK_H
#define BPF_SAMPLE_STACK_H

/* Sizes of copies: class k has 512 << k bytes; the last one that is used, as many as the user asked for. */
#define SAMPLE_STACK_CLASSES 8
#define SAMPLE_STACK_SHIFT   9

/* The raw data of a record. */
struct sample_stack_head {
	__u64 period; /* of the sample that the record stands for */
};

#endif
