/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the program that sees each wait (offcpu.bpf.c) and its user (record/offcpu.c) share. */
#ifndef BPF_OFFCPU_H
#define BPF_OFFCPU_H

#include "bpf/wall.h"

#define OFFCPU_STACK  4096 /* bytes of a user stack */
#define OFFCPU_TLS    1024 /* bytes of an activity, with its frame */
#define OFFCPU_FRAMES 24   /* of the waker, in the kernel and in user space each */

enum offcpu_kind {
	OFFCPU_WAIT, /* one wait that is over */
	OFFCPU_OPEN, /* one that still went on when the recording ended */
	OFFCPU_SUMS, /* what a thread's shorter waits add up to */
};

/* Short waits of a thread, by what it waited for. */
struct offcpu_sums {
	__u64 sleep, disk, other, queue; /* ns */
	__u64 nr;
};

/*
 * Times are CLOCK_MONOTONIC. @thread is looked at when the wait is over; its state is that of the wait.
 * Of the arrays behind @sums the ring has what is needed: all up to the last one that is not empty.
 */
struct offcpu_record {
	__u32 kind; /* enum offcpu_kind */
	__u32 waker_pid, waker_tid;
	__u32 waker_context; /* enum sample_tls_in */
	char waker_comm[16];
	__u64 out, woken,
		in; /* off the CPU; woken, or out where it did not block; on a CPU again, or now */
	struct offcpu_sums sums;
	__u32 nr_waker_kernel, nr_waker_user;
	__u32 tls_size, waker_tls_size, stack_size;
	__u32 reserved;
	struct wall_bpf_thread thread;
	__u64 waker_kernel[OFFCPU_FRAMES], waker_user[OFFCPU_FRAMES];
	__u8 tls[OFFCPU_TLS], waker_tls[OFFCPU_TLS];
	__u8 stack[OFFCPU_STACK];
};

#endif
