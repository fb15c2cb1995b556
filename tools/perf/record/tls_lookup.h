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
	struct activity_layout placed; /* .tpoff is set if the place is static */
	struct tls_place place;
	const char *object;   /* path of the file that defines it */
	struct go_program go; /* GO only */
	u64 storage_va;	      /* ELASTIC: where the pointer to the process storage is; 0: nowhere */
};

enum tls_change {
	TLS_FOUND,     /* the variable is where @publisher says, from now on */
	TLS_SETTLED,   /* the same, and the place is final */
	TLS_SOUGHT,    /* a library defines it; the place is not known yet */
	TLS_WITHDRAWN, /* its library was unloaded */
	TLS_ABSENT,    /* no file that the process mapped in its first second defines it */
	TLS_FOREIGN,   /* only a file for another architecture defines it, which is not read */
	TLS_GONE,      /* earlier news no longer holds: an exec, or the process ended */
};

struct tls_news {
	enum tls_change change;
	u32 pid;
	u64 time;   /* time of the record that caused the news, ns */
	u32 number; /* which publisher; unused for ABSENT, FOREIGN, GONE */
	const struct tls_publisher *publisher; /* FOUND, SETTLED: the publisher; else NULL */
	const struct tls_publisher *all;       /* all TLS_PUBLISHERS of the process */
	bool had_any; /* GONE: a variable had been found, or was being looked for */
	u32 parent;   /* FOUND by a fork: the parent; else 0 */
	bool fresh;   /* FOUND after ABSENT: earlier samples of the process have no bytes */
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

/* An executable mapping. Other mappings need not be passed. */
void tls_lookup_mmap(struct tls_lookup *l, const struct event_mmap *map, u64 time);
/* An exec of @pid: as a COMM record with the exec flag tells. */
void tls_lookup_exec(struct tls_lookup *l, u32 pid, u64 time);
/* @task of a FORK record. Forks of threads are ignored. */
void tls_lookup_fork(struct tls_lookup *l, const struct event_task *task, u64 time);
/* @task of an EXIT record. A process ends when its first thread ends. */
void tls_lookup_exit(struct tls_lookup *l, const struct event_task *task, u64 time);

/*
 * What of the variables the program in the file @path would have from its exec on: @all gets
 * TLS_PUBLISHERS, of which those are found that the program itself defines. False where there is no such file
 * that could be read, or it has none.
 */
bool tls_lookup_program(struct tls_lookup *l, const char *path, struct tls_publisher *all, u64 *dev,
			u64 *ino);

/* A process that ran before the recording: all its mappings, with time 0. */
void tls_lookup_process(struct tls_lookup *l, u32 pid);

/* After lost records: reads the mappings of @pid again; new ones count from @time. */
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
	u64 unresolved; /* look-ups given up: no place was found, or the process ended before */
	u64 unfit;	/* the variable is smaller than the layout needs, see tls_lookup_unfit() */
};
const struct tls_lookup_counts *tls_lookup_counts(const struct tls_lookup *l);
/* Why the first unfit variable is unfit; NULL: there is none. */
const char *tls_lookup_unfit(const struct tls_lookup *l);

#endif
