/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of the look-up share: tls_lookup.c takes records; tls_find.c finds the places of variables;
 * tls_check.c tries again, and sees what was unloaded; tls_scan.c reads what no record tells.
 */
#ifndef RECORD_TLS_LOOKUP_PRIVATE_H
#define RECORD_TLS_LOOKUP_PRIVATE_H

#include <glib.h>

#include "record/tls_lookup.h"
#include "record/tls_objects.h"
#include "record/tls_recall.h"

#define TLS_MAX_MAPPED 256 /* objects of a process that mention a variable */

/* An object that mentions a variable, in a process since @time; its code is at @start. */
struct tls_in_process {
	const struct tls_object *object;
	char *path;
	u64 bias, start, time;
	bool is_main;
};

/* A file with thread-local storage that a process has loaded. */
struct tls_block {
	const struct tls_object *object;
	u64 time;
};

/* Where a found variable is from. */
struct tls_origin {
	u64 time, bias;
	const struct tls_object *object; /* NULL: the main program, which stays */
};

/*
 * Records of several CPUs arrive CPU by CPU. So the exec of a process may arrive before its fork,
 * and its mappings before both. Only the times in the records tell the order.
 */
struct tls_process {
	u32 pid;
	u64 began;		   /* the time of its fork or last exec; 0: not known */
	u64 first_time, last_time; /* of what it has mapped; 0: nothing, or before the recording */
	bool started;	/* its exec was seen, and no mapping since: the next is the main program */
	bool fresh;	/* is in the queue of those that may turn out to be absent */
	bool absent;	/* and did */
	bool foreign;	/* it was said that it has a foreign one */
	bool unordered; /* it was there before: nobody knows in which order it loaded what */
	GArray *blocks; /* struct tls_block, ascending by time; or NULL */
	struct tls_publisher publishers[TLS_PUBLISHERS];
	struct tls_origin origins[TLS_PUBLISHERS]; /* of those that are found */
	u32 sought;	  /* bits: publishers of which it was said that they are */
	u32 fresh_found;  /* likewise */
	u32 settles_in;	  /* retries, of what is fresh */
	u64 checked_time; /* of samples: its libraries were all there */
	u64 missed_ns;	  /* CLOCK_MONOTONIC when one was not there; 0: none is missed */
	u64 missed_time;  /* of samples: it was not there from then on; 0: not known yet */
	GArray *mapped;	  /* struct tls_in_process, or NULL */
};

/* A child of late: what its parent had mapped before may be heard of after the fork. */
struct tls_fork {
	u32 parent;
	u64 time, settled_ns;
};

/* A variable that libraries mention, and whose place is not known yet, or provisionally. */
struct tls_open {
	u32 pid, publisher;
	u64 time;	/* of the mapping's record */
	u64 give_up_ns; /* CLOCK_MONOTONIC */
	u64 next_ns;	/* when it is worth another try */
};

struct tls_fresh {
	u32 pid;
	u64 settled_ns;
};

struct tls_lookup {
	const GArray *asked;
	const struct kernel_paths *paths;
	tls_news_fn fn;
	void *arg;
	struct tls_objects *objects;
	GHashTable *libraries; /* for tls_live_find() */
	struct tls_recall *recall;
	GHashTable *processes; /* pid -> struct tls_process */
	GHashTable *forks;     /* pid of the child -> struct tls_fork */
	GHashTable *unsettled; /* pid: of processes in which something is fresh */
	GHashTable *missing;   /* pid: of processes whose missed_time is not known yet */
	GPtrArray *lookups;    /* struct tls_open */
	GQueue fresh;	       /* struct tls_fresh, oldest first */
	u64 now_ns, time;      /* as of the last retry */
	u64 checked_ns;	       /* when libraries were looked at last */
	u32 next_check;	       /* which processes are due */
	struct tls_lookup_counts counts;
	char *unfit;
};

/* NULL: nothing is known of it. */
struct tls_process *tls_process_find(const struct tls_lookup *l, u32 pid);
struct tls_process *tls_process_get(struct tls_lookup *l, u32 pid);
/* Whether any variable is found in it. */
bool tls_process_has_any(const struct tls_process *p);
/* News; @number: of the publisher, or 0 where all are meant. */
void tls_tell(struct tls_lookup *l, const struct tls_process *p, enum tls_change change, u32 number,
	      u64 time, u32 parent);
const struct activity_layout *tls_asked_at(const struct tls_lookup *l, u32 i);
/* The first object of @p that defines variable @i, or NULL. */
const struct tls_in_process *tls_find_definer(const struct tls_process *p, u32 i);
/* The layout of variable @i at @place. */
bool tls_place_layout(const struct tls_lookup *l, u32 i, const struct tls_mention *m,
		      const struct tls_place *place, struct activity_layout *placed,
		      GError **error);
/* Of what the main program's file @object defines, from the thread pointer. */
s64 tls_main_offset(const struct tls_lookup *l, const struct tls_object *object, u32 i);
/* Variable @i of @p, defined by @by, is at @place. */
void tls_set_found(struct tls_lookup *l, struct tls_process *p, u32 i,
		   const struct tls_in_process *by, const struct tls_place *place, u64 time);
/* One try; true when the look-up is over, one way or the other. */
bool tls_try_lookup(struct tls_lookup *l, const struct tls_open *o);
/* Looks for variable @publisher of @pid now, and again by tls_lookup_retry() until it is found. */
void tls_open_lookup(struct tls_lookup *l, u32 pid, u32 publisher, u64 time);
/* Whether the variable of an open look-up is found. */
bool tls_lookup_is_found(const struct tls_lookup *l, const struct tls_open *o);
/* Of a process that ends: what is still open is recalled from other processes, or counted as unresolved. */
void tls_close_lookups(struct tls_lookup *l, struct tls_process *p);
/* Its library is not there any more. */
bool tls_is_unloaded(const struct tls_process *p, u32 i);
/*
 * The library of variable @i of @p was unloaded, at @time or earlier. Between the last time the
 * library was seen and @time, the variable may or may not have existed.
 */
void tls_withdraw(struct tls_lookup *l, struct tls_process *p, u32 i, u64 time);
/* What @p has of the object @gone with load @bias is not there any more. */
void tls_unload(struct tls_lookup *l, struct tls_process *p, const struct tls_object *gone,
		u64 bias, u64 time);

#endif
