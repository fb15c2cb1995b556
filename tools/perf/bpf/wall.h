/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the program that looks at all threads (wall.bpf.c) and its user (record/wall_bpf.c) share. */
#ifndef BPF_WALL_H
#define BPF_WALL_H

#define WALL_BPF_FRAMES 32

/* The kernel's own words for a thread's state, as they are. */
struct wall_bpf_thread {
	__u32 pid, tid;
	__u64 start;		 /* CLOCK_MONOTONIC */
	__u64 time;		 /* CLOCK_MONOTONIC, of the look */
	__u64 exec, exec_before; /* sum_exec_runtime now, and when it got the CPU last */
	__u64 delay, runs;	 /* of sched_info */
	__u64 sleeps;		 /* nvcsw */
	__u64 arrival, queued;	 /* sched_clock: got the CPU last; began to wait for one, or 0 */
	__u64 jobctl, cgroup;
	__u64 args[6];
	__u64 ip;
	__u64 tp;      /* fsbase */
	__s64 syscall; /* orig_ax */
	__u32 state, exit_state, flags;
	__u8 on_cpu, on_rq, delayed, in_io;
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
	__u8 reserved[7];
	__u32 nr_frames;
	__u32 reserved2;
	__u64 frames[WALL_BPF_FRAMES]; /* innermost first; those in front of nr_frames are sent */
};

/* One per program run: how far it came. */
struct wall_bpf_pass {
	__u64 seen, looked, skipped;
	__u64 full; /* threads that found no room: to be looked at in another run of this pass */
	__u64 faults;
};

#endif
