/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the programs that look at threads (wall.bpf.c, offcpu.bpf.c) and their users in record/ share. */
#ifndef BPF_WALL_H
#define BPF_WALL_H

#define WALL_BPF_FRAMES 32

/*
 * The kernel's own words for a thread's state, as they are. With @same only what stands in front of cgroup was taken and sent: the
 * thread sleeps at the same place as at its look before.
 */
struct wall_bpf_thread {
	__u32 pid, tid;
	__u64 start;		 /* CLOCK_MONOTONIC */
	__u64 time;		 /* CLOCK_MONOTONIC, of the look */
	__u64 exec, exec_before; /* sum_exec_runtime now, and when it got the CPU last */
	__u64 delay, runs;	 /* of sched_info */
	__u64 sleeps;		 /* nvcsw */
	__u64 arrival, queued;	 /* sched_clock: got the CPU last; began to wait for one, or 0 */
	__u64 jobctl;
	__u64 sequence; /* of the call or request, where they are counted */
	__u32 state, exit_state, flags;
	__u8 on_cpu, on_rq, delayed, in_io;
	__u8 same;
	__u8 faults; /* its registers could not be read */
	__u8 reserved[6];
	__u64 cgroup;
	__u64 args[6];
	__u64 ip;
	__u64 sp, bp, bx, r12, r13, r14, r15; /* of user space, with @ip: what unwinding needs */
	__u64 tp;			      /* fsbase */
	__s64 syscall;			      /* orig_ax */
	__u8 in_64_bit_code;
	__u8 reserved2[7];
	__u32 inner_pid, inner_tid; /* in its own pid namespace, if that is not the first; else 0 */
	char comm[16];
	/* The file behind args[0], where the system call has one. */
	__u64 inode;
	__u32 dev;
	__u16 mode; /* 0: none */
	/* Of an internet socket; ports in the byte order of the machine. */
	__u16 family; /* 0: none */
	__u8 local[16], remote[16];
	__u16 local_port, remote_port;
	__u8 sock_state;
	__u8 reserved3[3];
	__u32 peer_pid;	  /* of a Unix socket */
	__u64 peer_inode; /* of the file that is its other end; 0: none */
	__u32 nr_frames;
	__u32 reserved4;
	__u64 frames[WALL_BPF_FRAMES]; /* innermost first; those in front of nr_frames are sent */
};

/* One per program run: how far it came. */
struct wall_bpf_pass {
	__u64 seen, looked, skipped;
	__u64 known; /* threads whose last look is still good: they are asleep, and have not run */
	__u64 full;  /* threads that found no room: to be looked at in another run of this pass */
	__u64 faults;
};

/* Threads that switched between two passes, at most: with more, all threads are looked at. */
#define WALL_BPF_LIST 16384

/* Powers of 2. CPUs beyond the first share the room of others, so that of those that run now some are missed. */
#define WALL_BPF_CPUS	128
#define WALL_BPF_RECENT 64

/* Of a CPU: which threads it has listed last, tid << 32 | pass, and who is on it now. */
struct wall_bpf_cpu {
	__u64 recent[WALL_BPF_RECENT];
	__u32 running;
	__u32 reserved[15];
};

#endif
