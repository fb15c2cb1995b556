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
struct waited; /* resolve/waited.h */

enum place_need {
	NEED_SYMBOL = 1 << 0,	    /* code->symbol, code->function */
	NEED_CHAIN = 1 << 1,	    /* chain */
	NEED_INLINE = 1 << 2,	    /* inlined calls as frames in chain */
	NEED_ADDR = 1 << 3,	    /* addr and addr_how: the object at the data address */
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
	NEED_WAITED = 1 << 16,	    /* waited */
	NEED_CHARGED = 1 << 17,	    /* ip is what the sample is charged to */
	NEED_INSN = 1 << 18,	    /* keys depend on the instruction, not only on its function */
	NEED_BESIDE = 1 << 19,	    /* session_beside() will be called */
	NEED_CLASS = 1 << 20,	    /* request_keys_prepare() was called, for classes ... */
	NEED_CRITICAL = 1 << 21,    /* ... and for critical paths */
};

/* Needs for which place->waited is found. */
#define NEED_CHARGE (NEED_DATA_TYPE | NEED_WAITED | NEED_CHARGED)
/* Is an address of a call chain that of the code, or the one to which a call returns? */
enum code_caller {
	CODE_HIT, /* the address of the code: it was sampled, or the recorder looked the call up */
	CODE_RETURN,	   /* a return address: the call before it was found */
	CODE_MAYBE_RETURN, /* stated as a return address; the bytes before it are not known */
	CODE_NO_RETURN,	   /* stated as one, but no call can return there: the chain is broken */
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
	u8 caller;  /* enum code_caller */
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
	/*
	 * The sampled instruction, or with NEED_CHARGED the one that took the time. If all needs are about types, threads,
	 * CPUs or activities, it may be another one of that function. Never NULL.
	 */
	const struct code *ip;
	const struct code *sampled;  /* the sampled instruction; never NULL */
	const struct waited *waited; /* how @ip was found; NULL: not asked */
	const struct code *addr;     /* NULL: the sample has no data address */
	u8 addr_how;		     /* enum address_how (data_address.h) */
	u8 addr_access; /* what the instruction did there: bits of enum insn_access; 0: not known */
	u16 addr_width; /* bytes; 0: not known */
	bool has_value; /* the registers tell what the instruction has moved there or from there */
	u64 value;	/* that: its low @addr_width bytes */

	/* Innermost frame first; chain[0] is the sampled address. */
	const struct code *const *chain;
	u32 nr_chain;
	u32 chain_id; /* equal for equal chains of this session; 0: unknown */
	bool broken;  /* the recorded chain went on with an address that is no caller */

	/* Newest first; `branch` is the one that a branch field looks at, set by the report. */
	const struct branch *branches;
	u32 nr_branches;
	const struct branch *branch;

	const struct code *parent;	 /* first frame that --parent matches, or NULL */
	const struct access *access;	 /* type and offset, or the reason why not */
	const struct activity *activity; /* id, or the state with the reason */
};

#endif
