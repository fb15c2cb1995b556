/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the programs that sample threads (wall.bpf.c, offcpu.bpf.c) and the recorder (record/).
 */
#ifndef BPF_WALL_H
#define BPF_WALL_H

#define WALL_BPF_FRAMES 32

/* A socket. Ports are in host byte order. */
struct wall_bpf_socket {
	char protocol[16]; /* the kernel's name: "TCP", "UDPv6"; "": not known */
	__u16 family;	   /* of the other members; 0: they are not known */
	__u16 number;	   /* of a netlink protocol */
	__u16 local_port, remote_port;
	__u8 local[16], remote[16];
	__u8 state;
	__u8 reserved[3];
	__u32 peer_pid;	  /* Unix socket */
	__u64 peer_inode; /* inode of the other end; 0: none */
};

/*
 * A thread's state, in the kernel's units and flags. With @same, only the members before cgroup are
 * filled in and sent: the thread sleeps at the same place as when it was sampled before.
 */
struct wall_bpf_thread {
	__u32 pid, tid;		 /* in the recorder's pid namespace */
	__u64 start;		 /* CLOCK_MONOTONIC */
	__u64 time;		 /* CLOCK_MONOTONIC, when it was sampled */
	__u64 exec, exec_before; /* sum_exec_runtime: now; when it last got the CPU */
	__u64 delay, runs;	 /* sched_info's run_delay and pcount */
	__u64 sleeps;		 /* nvcsw */
	__u64 arrival, queued;	 /* sched_clock: last got the CPU; began to wait for one, or 0 */
	__u64 jobctl;
	__u64 sequence; /* number of the call or request, if they are counted */
	__u32 state, exit_state, flags;
	__u8 on_cpu, on_rq, delayed, in_io;
	__u8 same;
	__u8 faults; /* the registers could not be read */
	__u8 left; /* the thread goes on with another id: it has executed a program, and was not the first thread */
	__u8 moment;  /* enum wall_bpf_kind */
	__u32 merged; /* runs of the thread before this one that were not sent */
	__u64 cgroup;
	__u64 args[6];
	__u64 ip;
	__u64 sp, bp, bx, r12, r13, r14, r15; /* user registers that unwinding needs, besides @ip */
	__u64 tp;			      /* fsbase */
	__s64 syscall;			      /* orig_ax */
	__u8 in_64_bit_code;
	__u8 missed; /* of a moment: one before it was lost */
	__u8 reserved2[6];
	__u32 inner_pid, inner_tid; /* ids in its own pid namespace; 0: it is in the recorder's */
	__u32 pid_ns;		    /* id of its pid namespace; 0: not known */
	__u32 reserved4;
	char comm[16];
	/* The file of descriptor args[0], if the system call has one. */
	__u64 inode;
	__u32 dev;
	__u16 mode; /* 0: none */
	__u16 reserved3;
	struct wall_bpf_socket socket; /* if @mode says that it is one */
	__u32 nr_frames;
	__u32 user;		       /* effective user id + 1 */
	__u64 frames[WALL_BPF_FRAMES]; /* innermost first; only nr_frames are sent */
};

/* What a record is of. */
enum wall_bpf_kind {
	WALL_BPF_PASS = 0,   /* a pass looked at the thread */
	WALL_BPF_SWITCH = 1, /* it leaves its CPU (bpf/track.h) */
	WALL_BPF_TICK = 2,   /* it runs, and its CPU has a tick */
	WALL_BPF_END = 3,    /* it exits */
};

/* The most bytes of an activity, with its frame. A power of 2. */
#define WALL_BPF_TLS 4096

/* A record of a moment, read by the thread's own CPU: @thread has no frames, and @tls is cut to its size. */
struct wall_bpf_moment {
	struct wall_bpf_thread thread;
	__u32 tls_size; /* 0: nothing is known to be there */
	__u32 reserved;
	__u8 tls[WALL_BPF_TLS];
};

/* Progress of one program run. */
struct wall_bpf_pass {
	__u64 seen, looked, skipped;
	__u64 known; /* threads not sampled again: they sleep, and have not run */
	__u64 full;  /* threads without room in the ring: for another run of this pass */
	__u64 faults;
};

/*
 * Maximum number of listed threads that switched between two passes. If there are more, the pass
 * visits all threads.
 */
#define WALL_BPF_LIST 16384

/* A thread that switched. The address is not a reference: the thread may have ended since. */
struct wall_bpf_listed {
	__u64 task;
	__u32 tid, reserved;
};

/*
 * The last sleep of a thread in a call: enough to see that it sleeps there again, without a reference to the thread.
 * Most threads of the list do. One cache line.
 */
struct wall_bpf_nap {
	__u64 task;
	__u64 regs;  /* address of its user registers, on its kernel stack */
	__u64 place; /* hash of the place; 0: the thread slept elsewhere since, or was awake */
	__u32 tid;
	__u32 pass;   /* the last one that found it there */
	__u32 merged; /* its runs that were not sent. Not 0: no other thread may take this entry */
	__u32 reserved;
	__u64 runs; /* its number of runs when it was found there */
	__u64 reserved2[2];
};

/*
 * Powers of 2. CPUs with higher numbers share these entries, so some of their running threads are
 * missed.
 */
#define WALL_BPF_CPUS	128
#define WALL_BPF_RECENT 64

/* Per CPU: the threads that it listed last (tid << 32 | pass), and the running thread. */
struct wall_bpf_cpu {
	__u64 recent[WALL_BPF_RECENT];
	__u32 running;
	__u32 reserved[15];
};

#endif
