/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every thread does, on a CPU or not: perf record --wall. A pass looks at all threads some 20 times a second, by BPF
 * (wall_bpf.c) or by /proc (wall_proc.c); wall_account.c makes stretches of time of what passes saw;
 * wall_source.c makes samples of these.
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

/* As struct sample_bytes: @size bytes at @data, of which the first @filled were read. NULL: nobody asks. */
struct wall_bytes {
	const u8 *data;
	u32 size, filled;
};

/* What one pass saw of one thread. Times are of the recording's clock. */
struct wall_look {
	u32 pid, tid;
	u64 made;	 /* with the tid, who it is: when it was made, by some clock */
	u64 start;	 /* the same by the recording's clock, as good as it can be told */
	u64 time;	 /* of the look */
	u64 exec, delay; /* ns on CPUs, and waiting for one, since it was made */
	u64 sleeps;	 /* how often it gave its CPU away by itself */
	u64 runs;	 /* how often it got a CPU: if this is the same, it has not run */
	u64 since;	 /* when the state began; 0: not known */
	u64 ip;		 /* of user space; 0: not known */
	u64 sp;		 /* the same */
	u64 cgroup;
	u64 sequence;		  /* of the call, where they are counted; else 0 */
	u32 user;		  /* effective user id + 1; 0: not known */
	u32 inner_pid, inner_tid; /* in its own pid namespace, where that is another; else 0 */
	u64 args[6];
	s32 syscall;
	u8 state, flags; /* enum wall_state, enum wall_flag */
	char comm[16];
	const char *wchan, *file, *connection; /* or NULL */
	u32 waker_pid, waker_tid;	       /* who ended the wait; 0: not known */
	const char *waker;		       /* its name, or NULL */
	const char *result;		       /* of a call that has ended, as a number; or NULL */
	u64 tp;				       /* thread pointer; 0: not known */
	u64 regs[8];			       /* of user space, those of the eye's mask */
	u8 nr_regs;
	bool in_32_bit_code;
	struct wall_bytes stack; /* of user space, from sp up, as far as it was asked for */
	u32 nr;			 /* stretches that were added up: for wall_stretch_fn */
	u32 merged; /* runs before it that no look told: it slept at the same place in between */
	bool same; /* it sleeps where the look before found it: times and state are all that is here */
	u32 place;		   /* for wall_account.c */
	struct wall_bytes tls;	   /* of a sleeper, as samples have it */
	struct wall_bytes unknown; /* the same for a time of which nothing is known */
	const u64 *frames;	   /* of the kernel's stack, innermost first */
	u32 nr_frames;
};

/* How much a pass did, for the closing lines. */
struct wall_pass {
	u64 seen;    /* threads */
	u64 looked;  /* those of which more was taken than that they have not run */
	bool partly; /* only threads that switched were seen: of all others nothing is new */
	u64 skipped; /* threads of others */
	u64 lost;    /* threads for which there was no room */
	u64 unseen;  /* ends of threads for which there was none, of the whole recording */
	bool put_off; /* of some threads that ran a later pass will tell: they sleep where they slept */
	u64 faults; /* reads of memory or files that failed */
};

typedef void wall_look_fn(const struct wall_look *look, void *arg);

/*
 * One of the two ways to look. pass() calls @fn for each thread that has run since the pass before, is new, or is a
 * zombie; of the others there is nothing to tell. With @whole it also calls it for those that have been on a CPU since
 * then. False with @error where nothing can be seen any more.
 */
struct wall_eye;
struct wall_eye_ops {
	const char *name;
	u64 regs;	 /* PERF_REG_X86_* bits of what looks have of registers */
	bool tells_ends; /* a last look at each thread that ends is part of the next pass */
	bool (*pass)(struct wall_eye *eye, bool whole, wall_look_fn *fn, void *arg,
		     struct wall_pass *pass, GError **error);
	/* From now on the process counts, or its thread @tid where threads were asked for. Not called where all do. */
	void (*want)(struct wall_eye *eye, u32 pid, u32 tid);
	void (*close)(struct wall_eye *eye);
};

struct wall_eye {
	const struct wall_eye_ops *ops;
};

/* The recording's clock, for who has to turn the kernel's monotonic time into it. */
struct wall_clock {
	s64 from_monotonic; /* to be added */
};

struct wall_bpf_options {
	bool all;    /* every process counts */
	bool by_tid; /* threads were asked for, and not whole processes */
	enum wall_source how;
	const GArray
		*cgroups; /* u64: ids of the control groups whose threads count; empty: of all */
	u64 merge; /* ns; a thread that ran and sleeps at the same place again is told so late; 0: at once */
	u32 latency_of;	     /* enum latency_of; not 0: by what is in these maps */
	int calls, requests; /* of bpf/latency.h */
};

/* NULL with @error where it is not permitted, or the kernel cannot. */
struct wall_eye *wall_bpf_open(const struct wall_bpf_options *options,
			       const struct wall_clock *clock, GError **error);

struct wall_proc_options {
	bool all, by_tid; /* as above */
	const struct kernel_paths *paths;
	const char *cgroups; /* names, as perfevent/cgroups.h has them; NULL: all count */
};
struct wall_eye *wall_proc_open(const struct wall_proc_options *options,
				const struct wall_clock *clock, GError **error);

#endif
