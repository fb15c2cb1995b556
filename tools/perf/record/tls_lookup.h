/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where do the threads of each recorded process keep the variables that were asked for?
 *
 * The look-up is told of mappings, forks, execs and exits. When a process maps an object that
 * defines one of the variables, or has GOT slots for it, its place is searched:
 *
 *  - in the main program: from the ELF file alone;
 *  - in a library: from what the dynamic linker has written into the process's memory. Until the
 *    linker has done that, the look-up stays open and is tried again.
 *
 * When a library is unloaded, its variable is gone. That shows when something else is mapped at its
 * addresses, or when the memory is looked at, some times a second. A file is read once. For a
 * process that never maps such a file, each mapping costs one search in a table. A forked child has
 * what its parent had; an exec and an exit end it.
 *
 * One thread at a time may use a look-up.
 */
#ifndef RECORD_TLS_LOOKUP_H
#define RECORD_TLS_LOOKUP_H

#include "activity/layout.h"
#include "base/types.h"
#include "dso/go.h"
#include "perfdata/event.h"
#include "perfevent/paths.h"
#include "record/tls_live.h"
#include "record/tls_objects.h"

/* One variable in one process. Its number is that of the layout among those asked for. */
struct tls_publisher {
	bool found;
	struct activity_layout placed; /* with tpoff where the place is a static one */
	struct tls_place place;
	const char *object;   /* path of the file that defines it */
	struct go_program go; /* GO only */
	u64 storage_va;	      /* ELASTIC: where the pointer to the process storage is; 0: nowhere */
};

enum tls_change {
	TLS_FOUND,     /* from now on there, as @publisher says */
	TLS_SETTLED,   /* likewise, and no longer fresh */
	TLS_SOUGHT,    /* a library has it, and where is not known yet */
	TLS_WITHDRAWN, /* no longer: the library that had it was unloaded */
	TLS_ABSENT,    /* none in anything that the process has mapped in its first second */
	TLS_FOREIGN,   /* a file for another machine has one, which is not read */
	TLS_GONE,      /* what was said last no longer holds: an exec, or the process's end */
};

struct tls_news {
	enum tls_change change;
	u32 pid;
	u64 time;			       /* of the record that brought it about, ns */
	u32 number;			       /* of ABSENT, FOREIGN, GONE none: which publisher */
	const struct tls_publisher *publisher; /* FOUND, SETTLED: which; else NULL */
	const struct tls_publisher *all;       /* all TLS_PUBLISHERS of the process */
	bool had_any; /* GONE: one was there or sought, of which this is the end */
	u32 parent;   /* FOUND: by a fork of this process; else 0 */
	bool fresh; /* FOUND: the process was ABSENT, so that its samples were not read till now */
};
typedef void (*tls_news_fn)(const struct tls_news *news, void *arg);

struct tls_lookup;

/*
 * @asked (struct activity_layout, TLS_PUBLISHERS at most) and @paths must outlive it. @fn gets
 * the news from within the functions below.
 */
struct tls_lookup *tls_lookup_new(const GArray *asked, const struct kernel_paths *paths,
				  tls_news_fn fn, void *arg);
void tls_lookup_free(struct tls_lookup *l);

/* Whether anything was found in process @pid. */
bool tls_lookup_has(const struct tls_lookup *l, u32 pid);

/* All TLS_PUBLISHERS of process @pid; NULL where nothing was found. */
const struct tls_publisher *tls_lookup_publishers(const struct tls_lookup *l, u32 pid);

/* Something was mapped for execution; other mappings and other records are no concern. */
void tls_lookup_mmap(struct tls_lookup *l, const struct event_mmap *map, u64 time);
/* An exec of @pid: as a COMM record with the exec flag tells. */
void tls_lookup_exec(struct tls_lookup *l, u32 pid, u64 time);
/* @task of a FORK record; forks of threads are no concern. */
void tls_lookup_fork(struct tls_lookup *l, const struct event_task *task, u64 time);
/* @task of an EXIT record; a process ends with its first thread's. */
void tls_lookup_exit(struct tls_lookup *l, const struct event_task *task, u64 time);

/*
 * What of the variables the program in the file @path would have from its exec on: @all gets
 * TLS_PUBLISHERS, of which those are found that the program itself defines. False where there is no such file
 * that could be read, or it has none.
 */
bool tls_lookup_program(struct tls_lookup *l, const char *path, struct tls_publisher *all, u64 *dev,
			u64 *ino);

/* A process that has been running: all that it has mapped, as of time 0. */
void tls_lookup_process(struct tls_lookup *l, u32 pid);

/* Records were lost: what @pid has mapped and was not told of, as of @time. */
void tls_lookup_missed(struct tls_lookup *l, u32 pid, u64 time);

/*
 * Tries the open look-ups again, and sees whether libraries are still there; to be called some times
 * a second. @now_ns: CLOCK_MONOTONIC. @time: of the newest sample that has passed by now.
 */
void tls_lookup_retry(struct tls_lookup *l, u64 now_ns, u64 time);

/*
 * All that was found, or is sought, and is not gone, as TLS_FOUND and TLS_SOUGHT at time 0: for the
 * head of a further file.
 */
void tls_lookup_each(struct tls_lookup *l, tls_news_fn fn, void *arg);

struct tls_lookup_counts {
	u64 found;	/* variables found in processes, forks not counted */
	u64 unresolved; /* look-ups given up: never a place, or the process ended too soon */
	u64 unfit;	/* the variable is too small for what was asked, see tls_lookup_unfit() */
};
const struct tls_lookup_counts *tls_lookup_counts(const struct tls_lookup *l);
/* Why the first unfit variable was unfit, or NULL. */
const char *tls_lookup_unfit(const struct tls_lookup *l);

#endif
