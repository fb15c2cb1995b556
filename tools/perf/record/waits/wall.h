/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf record --wall: wall-clock profiling. It records what every thread does, on a CPU or not.
 *
 *	pass     samples the state of all threads, some 20 times a second: by BPF (wall_bpf.c) or /proc (wall_proc.c)
 *	look     the state of one thread in one pass: struct wall_look
 *	stretch  an interval of one thread's time in one state: wall_account.c makes stretches from looks
 *	sample   a stretch in the file: wall_sample.c; wall_source.c runs the passes and hands the samples on
 *
 * Example, a thread that computes and then waits for a pipe:
 *
 *	look at 0 ms	on a CPU				stretch of 30 ms	on a CPU
 *	look at 50 ms	asleep in read(), since 30 ms		stretch of 20 ms	asleep in read()
 */
#ifndef RECORD_WALL_H
#define RECORD_WALL_H

#include <glib.h>

#include "base/error.h"
#include "base/types.h"
#include "perfdata/wall.h"
#include "perfevent/paths.h"
#include "record/base/options.h"

#define WALL_MAX_FRAMES 32

/* As struct sample_bytes: @size bytes at @data. The first @filled bytes were read. NULL: not requested. */
struct wall_bytes {
	const u8 *data;
	u32 size, filled;
};

/* When a look was taken. All but the first are by the thread's own CPU (bpf/track.h), which reads the activity, too. */
enum wall_moment {
	WALL_AT_PASS,
	WALL_AT_SWITCH, /* the thread leaves its CPU */
	WALL_AT_TICK,	/* it runs */
	WALL_AT_END,	/* it exits */
};

/* The state of one thread in one pass. Times are of the recording's clock. */
struct wall_look {
	u32 pid, tid;
	u64 made;	 /* creation time, by some clock. With the tid it identifies the thread */
	u64 start;	 /* creation time by the recording's clock; may be inexact */
	u64 time;	 /* of the look */
	u64 exec, delay; /* ns on CPUs, and in run queues, since its creation */
	u64 sleeps;	 /* number of voluntary context switches */
	u64 runs;	 /* how often it got a CPU; unchanged: it has not run */
	u64 since;	 /* start of the state; 0: not known */
	u64 ip;		 /* user-space instruction pointer; 0: not known */
	u64 sp;		 /* user-space stack pointer; 0: not known */
	u64 cgroup;
	u64 sequence; /* number of the system call, if calls are counted; else 0 */
	u32 user;     /* effective user id + 1; 0: not known */
	u32 inner_pid,
		inner_tid; /* ids in the thread's pid namespace, if that is another one; else 0 */
	u32 pid_ns;	   /* id of the thread's pid namespace; 0: not known */
	u64 args[6];
	s32 syscall;
	u8 state, flags; /* enum wall_state, enum wall_flag */
	char comm[16];
	const char *wchan, *file, *connection; /* or NULL */
	bool killed;			       /* the wait ended because the thread is killed */
	u32 waker_pid, waker_tid;	       /* thread that ended the wait; 0: not known */
	const char *waker;		       /* its name, or NULL */
	const char *result;		       /* of a call that has ended, as a number; or NULL */
	struct wall_lock lock;		       /* that the thread waits for */
	const char *owner;		       /* of the lock: its name, or NULL */
	struct wall_bytes owner_tls;	       /* its activity */
	bool has_edge;			       /* a wait of --off-cpu: */
	struct wall_edge edge;
	const char *
		ready; /* of several descriptors, which one ended the wait; or a request to a disk; or NULL */
	const struct wall_message *messages; /* edge.nr_messages */
	u64 tp;				     /* thread pointer; 0: not known */
	u64 regs[8];			     /* user registers, those in wall_eye_ops.regs */
	u8 nr_regs;
	bool in_32_bit_code;
	struct wall_bytes stack; /* user stack from sp up, if requested */
	u32 nr;			 /* for wall_stretch_fn: number of stretches that were merged */
	u32 merged; /* earlier runs without a look: between them it slept at the same place */
	bool same; /* it sleeps at the same place as in its previous look: only times and state are set */
	bool left; /* the last look at the thread with this id: it goes on with another one */
	u32 place; /* for wall_account.c */
	u8 moment; /* enum wall_moment */
	/*
	 * Activities are followed: whenever the thread leaves a CPU with another activity than that of the look before,
	 * there is a look. @missed: one before this look was lost.
	 */
	bool tracked, missed;
	bool undecided;		   /* for wall_account.c */
	u64 arrived, exec_then;	   /* tracked: when it last got a CPU, and exec at that time */
	struct wall_bytes tls;	   /* activity of a sleeping thread, in the format of samples */
	struct wall_bytes unknown; /* the same for an interval with unknown activity */
	const u64 *frames;	   /* kernel stack, innermost first */
	u32 nr_frames;
};

/* Counts of one pass, for the closing lines. */
struct wall_pass {
	u64 seen;   /* threads */
	u64 looked; /* threads whose state was read; the others have not run */
	bool partly; /* only threads that switched were visited; the others still sleep, or wait in the run queue */
	u64 skipped;	/* threads that are not selected */
	u64 lost;	/* threads for which there was no room */
	u64 unseen;	/* thread exits without room in the ring, since the recording began */
	u64 unfollowed; /* changes of activities without room in the ring, since the recording began */
	bool put_off; /* some threads ran and sleep at the same place again: a later pass reports them */
	const GArray *
		gone; /* u32: tids of threads that were there in the previous pass, and no longer; NULL: not known */
	u64 faults; /* reads of memory or files that failed */
};

typedef void wall_look_fn(const struct wall_look *look, void *arg);

/*
 * Eye: an implementation of passes, by BPF or by /proc. pass() calls @fn for each thread that has run since the
 * previous pass, is new, or is a zombie. The other threads are unchanged. With @whole it visits all threads, and also
 * reports those whose reports were delayed (wall_bpf_options.merge). False with @error: no further pass is possible.
 */
struct wall_eye;
struct wall_eye_ops {
	const char *name;
	u64 regs;	 /* PERF_REG_X86_* bits of the registers in looks */
	bool tells_ends; /* each thread is sampled when it ends; the next pass reports it */
	bool (*pass)(struct wall_eye *eye, bool whole, wall_look_fn *fn, void *arg,
		     struct wall_pass *pass, GError **error);
	/*
	 * Selects the process, or its thread @tid if threads were requested, until it ends. Not called if all processes are
	 * selected.
	 */
	void (*want)(struct wall_eye *eye, u32 pid, u32 tid);
	void (*close)(struct wall_eye *eye);
};

struct wall_eye {
	const struct wall_eye_ops *ops;
};

/* Converts other clocks into the recording's clock: ns to add. */
struct wall_clock {
	s64 from_monotonic; /* as clock_gettime() says it: in this process's time namespace */
	s64 from_kernel;    /* from bpf_ktime_get_ns(): CLOCK_MONOTONIC in no time namespace */
	s64 from_sched; /* from the scheduler's clock, which is perf's clock; 0 if that is not known */
};

struct wall_bpf_options {
	bool all;    /* all processes are selected */
	bool by_tid; /* single threads are selected, not whole processes */
	enum wall_source how;
	const GArray *cgroups; /* u64: ids of the selected control groups; empty: all */
	u64 merge; /* ns: delay of reports of threads that ran and sleep at the same place again; 0: none */
	u32 latency_of;	     /* enum latency_of; not 0: the maps below count calls */
	int calls, requests; /* fds of the maps, see bpf/latency.h */
	int plans; /* fd of the map of where activities are (tls_source_plans_fd()): they are followed; -1: they are not */
};

/* NULL with @error: not permitted, or not supported by the kernel. */
struct wall_eye *wall_bpf_open(const struct wall_bpf_options *options,
			       const struct wall_clock *clock, GError **error);

struct wall_proc_options {
	bool all, by_tid; /* as in wall_bpf_options */
	const struct kernel_paths *paths;
	const char *cgroups; /* names as in perfevent/cgroups.h; NULL: all */
};
struct wall_eye *wall_proc_open(const struct wall_proc_options *options,
				const struct wall_clock *clock, GError **error);

#endif
