/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads and mappings, written by bpf/follow_tasks.h and follow.h, and read by detached/processes.c. */
#ifndef BPF_PROCESSES_H
#define BPF_PROCESSES_H

#define PROCESSES_TASKS 8192 /* slots for threads */
#define PROCESSES_MAPS	2048 /* slots for mappings, of a recording of some processes */
/* Of one of all processes: compilers and shell scripts start hundreds in a second. */
#define PROCESSES_MAPS_ALL 8192
#define PROCESSES_COMMS	   4
#define PROCESSES_RECENT   8
#define PROCESSES_NAME	   256 /* a name in a path, with its NUL */
#define PROCESSES_PATH	   872
#define PROCESSES_ID	   20

struct process_comm {
	__u64 time;
	__u32 exec, zero;
	char text[16];
};

/* Times are CLOCK_MONOTONIC, ns. */
struct process_task {
	__u64 changes; /* odd: being written */
	__u64 id;      /* unique; 0: the slot was never used */
	__u64 forked;  /* 0: it is older than its first sample */
	__u64 ended;   /* 0: it lives */
	__u64 began;   /* start of its present program: the exec() or fork; 0: not known */
	__u32 pid, tid, ppid, ptid;
	__u32 execs, recent; /* recent: it ended after the last search visited the slot */
	__u64 nr_comms;
	__u64 nr_maps; /* number of mappings found; slots of the last ones: */
	__u32 maps[PROCESSES_RECENT];
	struct process_comm comms[PROCESSES_COMMS];
};

enum {
	PROCESS_MAP_DELETED = 1, /* the file was deleted */
	PROCESS_MAP_CUT = 2,	 /* its path is too long */
	PROCESS_MAP_ASKED = 4,	 /* the build-id was requested */
};

struct process_map {
	__u64 changes;
	__u64 time;	    /* of its first sample; 0: the slot was never used */
	__u64 seen;	    /* of the last check */
	__u64 began;	    /* struct process_task */
	__u64 owner_id;	    /* struct process_task */
	__u32 owner, epoch; /* its slot; its number of execs then */
	__u32 pid, state, recent, zero;
	__u64 start, len, pgoff;
	__u64 ino;
	__s64 ctime_s;
	__u32 ctime_ns, generation;
	__u32 dev, prot; /* kernel's format: the minor number is in the low 20 bits */
	__u32 flags, path_size;
	__u32 build_id_size;
	__u8 build_id[PROCESSES_ID];
	char path[PROCESSES_PATH]; /* names from last to first, each with its NUL */
};

struct processes_counts {
	__u32 next_task, next_map; /* where the next search for a free slot begins */
	__u64 ids;
	__u64 tasks_lost, maps_lost; /* slots taken from living owners */
};

#endif
