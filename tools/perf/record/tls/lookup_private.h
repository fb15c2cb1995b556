/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the files of the look-up. tls/lookup.c takes records, tls/find.c finds the places of
 * variables, tls/check.c repeats open look-ups and detects unloaded libraries, and tls/scan.c reads
 * what no record reports.
 */
#ifndef RECORD_TLS_LOOKUP_PRIVATE_H
#define RECORD_TLS_LOOKUP_PRIVATE_H

#include <glib.h>

#include "record/tls/lookup.h"
#include "record/tls/objects.h"
#include "record/tls/recall.h"

#define TLS_MAX_MAPPED 256 /* objects of a process that mention a variable */

/*
 * An object that refers to a variable, mapped in a process since @time. Its code starts at @start.
 */
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

/* The object that defines a found variable. */
struct tls_origin {
	u64 time, bias;
	const struct tls_object *object; /* NULL: the main program, never unloaded */
};

/*
 * Records arrive ring by ring, and each ring is of one CPU. So the exec of a process may arrive
 * before its fork, and its mappings before both. Only the times in the records give the order.
 */
struct tls_process {
	u32 pid;
	u64 began; /* time of its fork or last exec; 0: not known */
	/* time of the last mapping; 0: none, or it was before the recording */
	u64 first_time, last_time;
	bool started;	/* an exec and no mapping since: the next mapping is the main program */
	bool fresh;	/* it is in the queue of processes that may be ABSENT */
	bool absent;	/* ABSENT was reported */
	bool foreign;	/* FOREIGN was reported */
	bool unordered; /* it ran before the recording, so the order of loading is unknown */
	GArray *blocks; /* struct tls_block, ascending by time; or NULL */
	struct tls_publisher publishers[TLS_PUBLISHERS];
	struct tls_origin origins[TLS_PUBLISHERS]; /* of the found variables */
	u32 sought;				   /* bit per publisher: SOUGHT was reported */
	u32 fresh_found;			   /* bit per publisher: FOUND after ABSENT */
	u32 settles_in;	  /* retries for variables whose place may still change */
	u64 checked_time; /* time of samples at which all libraries were still mapped */
	u64 missed_ns;	  /* CLOCK_MONOTONIC when a library was found missing; 0: none is missing */
	u64 missed_time;  /* time of samples from which on it was missing; 0: not known yet */
	GArray *mapped;	  /* struct tls_in_process, or NULL */
};

/* A recent fork: records of its parent's earlier mappings may still arrive. */
struct tls_fork {
	u32 parent;
	u64 time, settled_ns;
};

/* A variable that a library defines or uses, and whose place is not known, or not final. */
struct tls_open {
	u32 pid, publisher;
	u64 time;	/* time of the mapping's record */
	u64 give_up_ns; /* CLOCK_MONOTONIC */
	u64 next_ns;	/* time of the next try */
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
	GHashTable *libraries; /* for tls_placement_find() */
	struct tls_recall *recall;
	GHashTable *processes; /* pid -> struct tls_process */
	GHashTable *forks;     /* pid of the child -> struct tls_fork */
	GHashTable *unsettled; /* pid: processes with a place that is not final */
	GHashTable *missing;   /* pid: processes whose missed_time is not known yet */
	GPtrArray *lookups;    /* struct tls_open */
	GQueue fresh;	       /* struct tls_fresh, oldest first */
	u64 now_ns, time;      /* as of the last retry */
	u64 checked_ns;	       /* when mapped libraries were checked last */
	u32 next_check;	       /* which processes are checked next */
	struct tls_lookup_counts counts;
	char *unfit;
};

/* NULL: unknown process. */
struct tls_process *tls_process_find(const struct tls_lookup *l, u32 pid);
struct tls_process *tls_process_get(struct tls_lookup *l, u32 pid);
/* True if any variable is found in @p. */
bool tls_process_has_any(const struct tls_process *p);
/* Reports news. @number: the publisher; 0 with news of all publishers. */
void tls_tell(struct tls_lookup *l, const struct tls_process *p, enum tls_change change, u32 number,
	      u64 time, u32 parent);
const struct activity_layout *tls_asked_at(const struct tls_lookup *l, u32 i);
/* The first object of @p that defines variable @i, or NULL. */
const struct tls_in_process *tls_find_definer(const struct tls_process *p, u32 i);
/* The layout of variable @i at @place. */
bool tls_place_layout(const struct tls_lookup *l, u32 i, const struct tls_mention *m,
		      const struct tls_place *place, struct activity_layout *placed,
		      GError **error);
/* The distance from the thread pointer to a variable that the main program's file @object defines. */
s64 tls_main_offset(const struct tls_lookup *l, const struct tls_object *object, u32 i);
/* Variable @i of @p, defined by @by, is at @place. */
void tls_set_found(struct tls_lookup *l, struct tls_process *p, u32 i,
		   const struct tls_in_process *by, const struct tls_place *place, u64 time);
/* Tries once. True: the look-up has ended, with or without a place. */
bool tls_try_lookup(struct tls_lookup *l, const struct tls_open *o);
/* Looks for variable @publisher of @pid now, and again by tls_lookup_retry() until it is found. */
void tls_open_lookup(struct tls_lookup *l, u32 pid, u32 publisher, u64 time);
/* True if the variable of the open look-up is found. */
bool tls_lookup_is_found(const struct tls_lookup *l, const struct tls_open *o);
/*
 * Process @p ends. Its open look-ups take the place from a similar process (tls/recall.h), or count
 * as unresolved.
 */
void tls_close_lookups(struct tls_lookup *l, struct tls_process *p);
/* True if the library of variable @i was unloaded. */
bool tls_is_unloaded(const struct tls_process *p, u32 i);
/*
 * The library of variable @i of @p was unloaded, at @time or earlier. Between the last check that
 * found the library and @time, the variable may or may not exist.
 */
void tls_withdraw(struct tls_lookup *l, struct tls_process *p, u32 i, u64 time);
/* @p has unloaded the object @gone, whose load bias was @bias. */
void tls_unload(struct tls_lookup *l, struct tls_process *p, const struct tls_object *gone,
		u64 bias, u64 time);

#endif
