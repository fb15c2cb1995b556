/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What bpf/follow.h writes down of threads and mappings, and detached/processes.c reads. */
#ifndef BPF_PROCESSES_H
#define BPF_PROCESSES_H

#define PROCESSES_TASKS	 8192 /* slots for threads */
#define PROCESSES_MAPS	 2048 /* slots for mappings */
#define PROCESSES_COMMS	 4
#define PROCESSES_RECENT 8
#define PROCESSES_NAME	 256 /* a name in a path, with its NUL */
#define PROCESSES_PATH	 872
#define PROCESSES_ID	 20

struct process_comm {
	__u64 time;
	__u32 exec, zero;
	char text[16];
};

/* Times are CLOCK_MONOTONIC, ns. */
struct process_task {
	__u64 changes; /* odd: it is being written */
	__u64 id;      /* 0: the slot was never used; no two threads have the same */
	__u64 forked;  /* 0: it lived before it was noticed */
	__u64 ended;   /* 0: it lives */
	__u64 began; /* its present program: at exec(), or when it was forked; 0: before it was noticed */
	__u32 pid, tid, ppid, ptid;
	__u32 execs, recent; /* recent: it ended after the last look for a free slot */
	__u64 nr_comms;
	__u64 nr_maps; /* that were found so far; slots of the last ones: */
	__u32 maps[PROCESSES_RECENT];
	struct process_comm comms[PROCESSES_COMMS];
};

enum {
	PROCESS_MAP_DELETED = 1, /* the file had no name any more */
	PROCESS_MAP_CUT = 2,	 /* there is no room for its path */
	PROCESS_MAP_ASKED = 4,	 /* for its build-id */
};

struct process_map {
	__u64 changes;
	__u64 time;	    /* of the first sample there; 0: the slot was never used */
	__u64 seen;	    /* of the last look */
	__u64 began;	    /* struct process_task */
	__u64 owner_id;	    /* struct process_task */
	__u32 owner, epoch; /* its slot, its execs at that time */
	__u32 pid, state, recent, zero;
	__u64 start, len, pgoff;
	__u64 ino;
	__s64 ctime_s;
	__u32 ctime_ns, generation;
	__u32 dev, prot; /* as the kernel has it: the minor number in the low 20 bits */
	__u32 flags, path_size;
	__u32 build_id_size;
	__u8 build_id[PROCESSES_ID];
	char path[PROCESSES_PATH]; /* names, the last one first, each with its NUL */
};

struct processes_counts {
	__u32 next_task, next_map; /* where the search for a free slot begins */
	__u64 ids;
	__u64 tasks_lost, maps_lost; /* slots taken from what lives */
};

#endif
