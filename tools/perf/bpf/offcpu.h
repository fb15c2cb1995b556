/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the program that records waits (offcpu.bpf.c) and the recorder (record/waits/offcpu.c). */
#ifndef BPF_OFFCPU_H
#define BPF_OFFCPU_H

#include "bpf/locks.h"
#include "bpf/wall.h"

#define OFFCPU_STACK  4096 /* bytes of a user stack */
#define OFFCPU_TLS    1024 /* bytes of an activity, with its frame */
#define OFFCPU_FRAMES 24   /* frames of the waker in the kernel */
#define OFFCPU_RUN_TLS                                                                             \
	512 /* bytes of the activity of a thread that had a CPU; a longer one is not told */

enum offcpu_kind {
	OFFCPU_WAIT,  /* a finished wait */
	OFFCPU_OPEN,  /* a wait that was unfinished at the end of the recording */
	OFFCPU_SUMS,  /* sums of a thread's shorter waits */
	OFFCPU_TOOK,  /* struct offcpu_took */
	OFFCPU_WAKER, /* struct offcpu_waker */
	OFFCPU_RUN,   /* struct offcpu_run */
};

/* The file that became ready, for which a thread waited in epoll_wait(), poll() or select(). */
struct offcpu_ready {
	__u64 inode;
	__u16 mode;
	__u16 reserved[3];
	char name[24];		       /* of its entry, cut: "[eventfd]" */
	struct wall_bpf_socket socket; /* if @mode says that it is one */
};

/* The request to a disk that ended a wait. */
struct offcpu_request {
	__u32 flags; /* cmd_flags; the low eight bits are the operation */
	__u32 reserved;
	char disk[32]; /* "vda"; "": there is none */
	/* CLOCK_MONOTONIC: it came into its queue; 0: into none. It went to the device; 0: not known. */
	__u64 inserted, issued;
};

/* What was sent, or received, on a TCP connection: bpf/messages.h. Ports are in host byte order. */
struct offcpu_message {
	__u64 time; /* CLOCK_MONOTONIC */
	__u32 end;  /* sequence number of the byte behind it */
	__u16 family, local_port, remote_port;
	__u8 received, reserved[5];
	__u8 local[16], remote[16];
};

#define OFFCPU_SENT 4 /* connections: a power of 2 */
#define OFFCPU_MESSAGES                                                                            \
	512 /* bytes of messages: a power of 2, at least for OFFCPU_SENT and one that was received */
#define OFFCPU_READY 128 /* bytes: a power of 2, at least its size */

/* User registers that unwinding needs: in the order of the bits of PERF_REG_X86_*. */
struct offcpu_regs {
	__u64 bx, bp, sp, ip, r12, r13, r14, r15;
};

/* A thread has ended a wait that is not shorter than the threshold. @bytes are cut to what is there. */
struct offcpu_waker {
	__u32 kind; /* OFFCPU_WAKER */
	__u32 pid, tid;
	__u32 woken_tid;
	__u64 out, woken; /* as in struct offcpu_record */
	char comm[16];
	__u32 nr_kernel, tls_size, stack_size;
	__u8 unsought; /* nobody has looked for the activities of its process */
	__u8 in_64_bit_code;
	__u8 is_other; /* its process is not recorded */
	__u8 reserved;
	struct offcpu_regs regs;
	__u64 kernel[OFFCPU_FRAMES];
	__u8 bytes[OFFCPU_TLS + OFFCPU_STACK]; /* activity, user stack */
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

/*
 * A thread had a CPU, while another one waited for it. A later report of the same run (@cpu, @from) has a later end, or the activity.
 * @tls is cut to its size.
 */
struct offcpu_run {
	__u32 kind; /* OFFCPU_RUN */
	__u32 cpu;
	__u64 from, to;
	__u64 told_to;	/* of the last report; the program's own */
	__u32 pid, tid; /* 0: the CPU was idle, or see @foreign */
	__u32 tls_size;
	__u8 unread;  /* nobody has read the activity */
	__u8 foreign; /* the thread is of a pid namespace that the recorder does not see */
	__u16 reserved;
	char comm[16];
	__u8 tls[OFFCPU_RUN_TLS]; /* the activity with which it left the CPU */
};

/* Short waits of a thread, by their reason. */
struct offcpu_sums {
	__u64 sleep, disk, other, queue; /* ns */
	__u64 nr;
};

/* Where an owner of a lock is (struct offcpu_record). */
enum offcpu_owner {
	OFFCPU_OWNER_UNSEEN,  /* nobody has looked */
	OFFCPU_OWNER_RUNNING, /* on a CPU: its registers are there */
	OFFCPU_OWNER_QUEUED,
	OFFCPU_OWNER_ASLEEP,
	OFFCPU_OWNER_DISK,
};

/*
 * Times are CLOCK_MONOTONIC. @thread is read after the wait; its state is that during the wait. @bytes has, one behind the
 * other: the activity, the owner's activity, struct offcpu_ready, messages (struct offcpu_message), the user stack, the owner's user
 * stack. It is cut to what is there.
 */
struct offcpu_record {
	__u32 kind; /* enum offcpu_kind */
	__u32 waker_pid, waker_tid;
	__u32 waker_context; /* enum sample_tls_in */
	char waker_comm[16];
	struct offcpu_request request;
	__u64 work; /* the waker's: address of the work's function in the kernel; 0: none, or not known */
	__u64 out, woken,
		/*
		 * left the CPU; was woken (= out, if it did not block); is on a CPU again, or now
		 */
		in;
	/*
	 * The run queue in which it waited: of cpu_before from queued to moved, then of cpu. Without a move, moved = queued. What is before
	 * queued is not known. queued 0: it was not in a run queue for as long as the threshold, so no runs are told.
	 */
	__u64 queued, moved;
	__u32 cpu, cpu_before;
	struct offcpu_sums sums;
	__u32 tls_size, owner_tls_size, ready_size, messages_size, stack_size, owner_stack_size;
	struct lock_wait lock;
	__s32 owner_syscall; /* -1: none */
	__u8 owner_at;	     /* enum offcpu_owner: when the wait began */
	__u8 owner_in_64_bit_code;
	__u8 killed; /* the thread was woken to end: it has no waker */
	__u8 by_peer; /* the waker's process has the other end of the socket for which the thread waited */
	__u8 unread; /* the thread's activity: the wait began before the process was looked at */
	struct offcpu_regs owner_regs; /* with a stack only */
	struct wall_bpf_thread thread;
	__u8 bytes[2 * OFFCPU_TLS + OFFCPU_READY + OFFCPU_MESSAGES + 2 * OFFCPU_STACK];
};

#endif
