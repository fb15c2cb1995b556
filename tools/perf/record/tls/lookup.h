/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds where the threads of each recorded process keep the requested variables.
 *
 * The caller passes mappings, forks, execs and exits. When a process maps an object that defines a
 * variable, or has GOT slots for it, the look-up searches the variable's place:
 *
 *  - in the main program: the ELF file is enough;
 *  - in a library: the dynamic linker has written the place into the process's memory. Until it
 *    has, the look-up stays open and is tried again.
 *
 * Example: a program with "__thread int a" in a library. The linker gives the library's block the
 * distance 0x80 below the thread pointer; the symbol's value in the block is 0x10; the place is TP
 * - 0x70.
 *
 * When a library is unloaded, its variable is gone. The look-up detects this when another object is
 * mapped at the same addresses, or when it checks the process's memory, some times a second. Each
 * file is read once. In a process that never maps such a file, each mapping costs one table search.
 * A forked child inherits what its parent had; an exec and an exit end it.
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
#include "record/tls/placement.h"
#include "record/tls/objects.h"

/* One variable in one process. Its number is the index of its layout in the array @asked. */
struct tls_publisher {
	bool found;
	struct activity_layout placed; /* .tpoff is set if the place is static */
	struct tls_place place;
	const char *object;   /* path of the file that defines it */
	struct go_program go; /* GO only */
	u64 storage_va;	      /* ELASTIC: address of the pointer to the process storage; 0: none */
};

enum tls_change {
	TLS_FOUND,     /* the variable is at @publisher's place from now on */
	TLS_SETTLED,   /* as TLS_FOUND, and the place is final */
	TLS_SOUGHT,    /* a library defines it; the place is not known yet */
	TLS_WITHDRAWN, /* its library was unloaded */
	TLS_ABSENT,    /* no file that the process mapped in its first second defines a variable */
	TLS_FOREIGN,   /* only a file for another architecture defines a variable; it is not read */
	TLS_GONE,      /* earlier news no longer holds: there was an exec, or the process ended */
};

struct tls_news {
	enum tls_change change;
	u32 pid;
	u64 time;			       /* time of the record that caused the news, ns */
	u32 number;			       /* publisher; unused for ABSENT, FOREIGN, GONE */
	const struct tls_publisher *publisher; /* FOUND, SETTLED: the publisher; else NULL */
	const struct tls_publisher *all;       /* all TLS_PUBLISHERS of the process */
	bool had_any;			       /* GONE: a variable was found or sought before */
	u32 parent;			       /* FOUND by a fork: the parent; else 0 */
	bool fresh; /* FOUND after ABSENT: earlier samples of the process have no bytes */
};
typedef void (*tls_news_fn)(const struct tls_news *news, void *arg);

struct tls_lookup;

/*
 * @asked (at most TLS_PUBLISHERS of struct activity_layout) and @paths must outlive the look-up.
 * The functions below call @fn for each piece of news.
 */
struct tls_lookup *tls_lookup_new(const GArray *asked, const struct kernel_paths *paths,
				  tls_news_fn fn, void *arg);
void tls_lookup_free(struct tls_lookup *l);

/* True if any variable was found in process @pid. */
bool tls_lookup_has(const struct tls_lookup *l, u32 pid);

/* Array of all TLS_PUBLISHERS of process @pid; NULL: nothing was found. */
const struct tls_publisher *tls_lookup_publishers(const struct tls_lookup *l, u32 pid);

/* An executable mapping. Other mappings need not be passed. */
void tls_lookup_mmap(struct tls_lookup *l, const struct event_mmap *map, u64 time);
/* An exec of @pid: a COMM record with the exec flag. */
void tls_lookup_exec(struct tls_lookup *l, u32 pid, u64 time);
/* @task of a FORK record. Forks of threads are ignored. */
void tls_lookup_fork(struct tls_lookup *l, const struct event_task *task, u64 time);
/* @task of an EXIT record. A process ends when its first thread ends. */
void tls_lookup_exit(struct tls_lookup *l, const struct event_task *task, u64 time);

/*
 * Predicts the variables of the program in file @path from its exec on. out: TLS_PUBLISHERS in
 * @all; found are those that the program itself defines. False: the file cannot be read, or defines
 * none.
 */
bool tls_lookup_program(struct tls_lookup *l, const char *path, struct tls_publisher *all, u64 *dev,
			u64 *ino);

/* A process that ran before the recording: reads all its mappings, with time 0. */
void tls_lookup_process(struct tls_lookup *l, u32 pid);

/* To be called after lost records: reads the mappings of @pid again. New ones count from @time. */
void tls_lookup_missed(struct tls_lookup *l, u32 pid, u64 time);

/*
 * Tries the open look-ups again, and checks whether libraries are still mapped. To be called some
 * times a second. @now_ns: CLOCK_MONOTONIC. @time: time of the newest sample that has passed.
 */
void tls_lookup_retry(struct tls_lookup *l, u64 now_ns, u64 time);

/*
 * Reports everything that is found or sought as TLS_FOUND and TLS_SOUGHT at time 0, for the head of
 * a further file.
 */
void tls_lookup_each(struct tls_lookup *l, tls_news_fn fn, void *arg);

struct tls_lookup_counts {
	u64 found;	/* variables found in processes; forks are not counted */
	u64 unresolved; /* look-ups that ended without a place, or with the process */
	u64 unfit;	/* the variable is smaller than the layout needs, see tls_lookup_unfit() */
};
const struct tls_lookup_counts *tls_lookup_counts(const struct tls_lookup *l);
/* Why the first unfit variable is unfit; NULL: no variable is unfit. */
const char *tls_lookup_unfit(const struct tls_lookup *l);

#endif
