/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the program that records waits (offcpu.bpf.c) and the recorder (record/waits/offcpu.c). */
#ifndef BPF_OFFCPU_H
#define BPF_OFFCPU_H

#include "bpf/locks.h"
#include "bpf/wall.h"

#define OFFCPU_STACK  4096 /* bytes of a user stack */
#define OFFCPU_TLS    1024 /* bytes of an activity, with its frame */
#define OFFCPU_FRAMES 24   /* frames of the waker: in the kernel and in user space each */

enum offcpu_kind {
	OFFCPU_WAIT, /* a finished wait */
	OFFCPU_OPEN, /* a wait that was unfinished at the end of the recording */
	OFFCPU_SUMS, /* sums of a thread's shorter waits */
	OFFCPU_TOOK, /* struct offcpu_took */
};

/*
 * A thread's shorter wait for a lock is over, because another thread gave it up: from now on the thread has the lock. Others
 * may still wait for it. @tls is cut to its size.
 */
struct offcpu_took {
	__u32 kind; /* OFFCPU_TOOK */
	__u32 pid, tid;
	__u32 tls_size;
	__u32 unread; /* the thread's activity, as in struct offcpu_record */
	__u32 reserved;
	__u64 woken;
	struct lock_wait lock; /* its owner is the one before */
	char comm[16];
	__u8 tls[OFFCPU_TLS]; /* the thread's activity when it began to wait */
};

/* Short waits of a thread, by their reason. */
struct offcpu_sums {
	__u64 sleep, disk, other, queue; /* ns */
	__u64 nr;
};

/*
 * Times are CLOCK_MONOTONIC. @thread is read after the wait; its state is that during the wait. The
 * arrays after @sums are cut in the ring: they are sent up to the last one that is not empty.
 */
struct offcpu_record {
	__u32 kind; /* enum offcpu_kind */
	__u32 waker_pid, waker_tid;
	__u32 waker_context; /* enum sample_tls_in */
	char waker_comm[16];
	__u64 out, woken,
		/*
		 * left the CPU; was woken (= out, if it did not block); is on a CPU again, or now
		 */
		in;
	struct offcpu_sums sums;
	__u32 nr_waker_kernel, nr_waker_user;
	__u32 tls_size, waker_tls_size, owner_tls_size, stack_size;
	__u32 reserved;
	struct lock_wait lock;
	__u16 killed; /* the thread was woken to end: it has no waker */
	__u8 unread;  /* the thread's activity: the wait began before the process was looked at */
	__u8 waker_unsought; /* nobody has looked for the activities of the waker's process */
	struct wall_bpf_thread thread;
	__u64 waker_kernel[OFFCPU_FRAMES], waker_user[OFFCPU_FRAMES];
	__u8 tls[OFFCPU_TLS], waker_tls[OFFCPU_TLS], owner_tls[OFFCPU_TLS];
	__u8 stack[OFFCPU_STACK];
};

#endif
