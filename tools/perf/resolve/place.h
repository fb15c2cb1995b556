/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A place is one sample together with the requested facts about it: thread, code, call chain,
 * branch, data type, activity.
 *
 * The resolver fills places (resolve/resolve.h), the session hands them out
 * (session/session.h), fields read their keys from them. A fact is requested by a NEED_ bit.
 * Without its bit it is NULL or zero and costs nothing.
 *
 * A place and the arrays in it live until the callback that got it returns. `struct code`
 * lives as long as the session: there is one per distinct address of a mapping (and one
 * per inlined call at it), so code is compared by pointer or id.
 */
#ifndef RESOLVE_PLACE_H
#define RESOLVE_PLACE_H

#include "base/types.h"

struct access;	 /* typeflow/typeflow.h */
struct activity; /* activity/activity.h */
struct dso;
struct event;
struct evsel;
struct map;
struct perf_branch_entry;
struct sample;
struct session;
struct symbol;
struct thread;

enum place_need {
	NEED_SYMBOL = 1 << 0,	    /* code->symbol, code->function */
	NEED_CHAIN = 1 << 1,	    /* chain */
	NEED_INLINE = 1 << 2,	    /* inlined calls as frames in chain */
	NEED_ADDR = 1 << 3,	    /* addr: the object at the sampled data address */
	NEED_BRANCH = 1 << 4,	    /* branches */
	NEED_DATA_TYPE = 1 << 5,    /* access */
	NEED_ACTIVITY = 1 << 6,	    /* activity */
	NEED_PARENT = 1 << 7,	    /* parent */
	NEED_LINE = 1 << 8,	    /* code_line() will be called: nothing is read ahead */
	NEED_TRACE = 1 << 9,	    /* the tracepoint's output as text */
	NEED_PARALLELISM = 1 << 10, /* parallelism */
	NEED_CONTEXT = 1 << 11,	    /* context */
	NEED_CPU = 1 << 12,	    /* sample->cpu */
	NEED_THREAD = 1 << 13,	    /* the thread of the process */
	NEED_COMM = 1 << 14,	    /* comm */
	NEED_SAMPLE = 1 << 15,	    /* any other value of the sample, such as its time */
};

/* One address of code or data, as mapped when the sample was taken. */
struct code {
	u32 id;		 /* dense from 1; id 0 is never given */
	u32 function;	 /* dense from 1; equal for two addresses of one symbol, else own to the
			  * address; 0 as long as no symbol was asked for */
	u64 va;		 /* in the process (or kernel) */
	u64 vaddr;	 /* as in the ELF file; the va if nothing is mapped */
	struct dso *dso; /* NULL: no mapping covers va */
	const struct symbol *symbol; /* NULL: unknown; for inlined code, that of the caller */
	const struct map *map;	     /* NULL as dso */
	const char *inlined;	     /* the inlined function, or NULL */
	char level; /* 'k' kernel, '.' user, 'g' guest kernel, 'u' guest user, 'H' hypervisor */
};

/* One taken branch; flags are the record's. */
struct branch {
	const struct code *from, *to;
	const struct perf_branch_entry *entry;
};

struct place {
	const struct event *event;
	const struct sample *sample;
	const struct evsel *evsel;
	const struct thread *thread; /* never NULL */
	const char *comm;	     /* at the sample's time; ":TID" where unknown */
	u64 time;		     /* ns of the file's clock */
	s64 to_wall;		 /* offset that makes times of several files comparable, else 0 */
	struct session *session; /* of the file; set by it */
	u32 parallelism;	 /* threads on a CPU at that time, 1 or more; 0: not asked */
	u8 cpumode;		 /* PERF_RECORD_MISC_KERNEL ... */
	u8 context;		 /* enum cpu_context: what the event hit; 0: not asked */
	const struct code *ip;	 /* never NULL */
	const struct code *addr; /* NULL: the sample has no data address */

	/* Innermost frame first; chain[0] is the sampled address. */
	const struct code *const *chain;
	u32 nr_chain;
	u32 chain_id; /* equal for equal chains of this session; 0: unknown */

	/* Newest first; `branch` is the one that a branch field looks at, set by the report. */
	const struct branch *branches;
	u32 nr_branches;
	const struct branch *branch;

	const struct code *parent;	 /* first frame that --parent matches, or NULL */
	const struct access *access;	 /* type and offset, or the reason why not */
	const struct activity *activity; /* id, or the state with the reason */
};

#endif
