/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What do recorded processes state of themselves: their service, the names of their labels?
 *
 * OTEP 4719's process context is a mapping that begins with "OTEL_CTX"; Elastic's process storage
 * is behind a pointer variable. Both may appear at any time, and the former changes in place. This
 * is told where they may be, reads them from outside as their specifications say (the time of
 * publication before and after, or the pointer once it is set), and tells the news. What the
 * bytes mean is left to activity/process.h.
 *
 * Candidates come from the maps of a process, once or where records were lost, and from the kernel's
 * records of new mappings. A process without any costs nothing.
 *
 * One thread at a time may use it.
 */
#ifndef RECORD_TLS_FACTS_H
#define RECORD_TLS_FACTS_H

#include "activity/process.h"
#include "base/types.h"
#include "perfevent/paths.h"

struct tls_facts_news {
	u32 pid;
	enum activity_process_form form; /* GONE: nothing any more */
	u64 time;			 /* from when on */
	const void *data;
	u32 size;
};
typedef void (*tls_facts_fn)(const struct tls_facts_news *news, void *arg);

struct tls_facts;

/* @fn gets the news from within the functions below. */
struct tls_facts *tls_facts_new(const struct kernel_paths *paths, tls_facts_fn fn, void *arg);
void tls_facts_free(struct tls_facts *f);

/*
 * Process @pid got a mapping: by its @name it is a process context, or, where it has none and is
 * small, it may become one. @tracked: the process publishes activities, so the latter is of
 * interest.
 */
void tls_facts_mapping(struct tls_facts *f, u32 pid, u64 start, u64 size, const char *name,
		       bool tracked, u64 time);

/* All mappings that @pid has now, each as in tls_facts_mapping(). */
void tls_facts_scan(struct tls_facts *f, u32 pid, bool tracked, u64 time);

/* Elastic's pointer to the process storage is at @va, set or yet to be set. */
void tls_facts_storage(struct tls_facts *f, u32 pid, u64 va, u64 time);

/* The child has the names that its parent's labels have, until it says something itself. */
void tls_facts_fork(struct tls_facts *f, u32 parent, u32 child, u64 time);
/* An exec, or the process's end. */
void tls_facts_gone(struct tls_facts *f, u32 pid, u64 time);

/*
 * Looks at all candidates again, some of the contexts if they are many; to be called some times
 * a second. What has changed holds from @time on, a time of the samples' clock before which
 * the last call was made.
 */
void tls_facts_poll(struct tls_facts *f, u64 time);

/* All that is known, as of time 0: for the head of a further file. */
void tls_facts_each(const struct tls_facts *f, tls_facts_fn fn, void *arg);

#endif
