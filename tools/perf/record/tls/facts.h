/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads what recorded processes publish about themselves: the service name, the names of labels.
 *
 * OTEP 4719's process context is a mapping that begins with "OTEL_CTX". It may appear at any time,
 * and its contents may change in place. Elastic's process storage is reached through a pointer
 * variable, which may be set at any time. The caller passes the candidate addresses. This module
 * reads them from outside the process, as the specifications demand: for a context it compares the
 * publication time before and after reading; for the storage it waits until the pointer is set. It
 * then reports the news. activity/process.h decodes the bytes.
 *
 * Candidates come from the kernel's records of new mappings, and from /proc/PID/maps, which is read
 * once and after lost records. A process without candidates costs nothing.
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
	enum activity_process_form form; /* GONE: the process no longer publishes */
	u64 time;			 /* the news holds from then on */
	const void *data;
	u32 size;
};
typedef void (*tls_facts_fn)(const struct tls_facts_news *news, void *arg);

struct tls_facts;

/* The functions below call @fn for each piece of news. */
struct tls_facts *tls_facts_new(const struct kernel_paths *paths, tls_facts_fn fn, void *arg);
void tls_facts_free(struct tls_facts *f);

/*
 * Process @pid has a new mapping. Its @name may say that it is a process context. A small unnamed
 * mapping may become one; it is only kept if @tracked, i.e. if the process publishes activities.
 */
void tls_facts_mapping(struct tls_facts *f, u32 pid, u64 start, u64 size, const char *name,
		       bool tracked, u64 time);

/* Passes all current mappings of @pid to tls_facts_mapping(). */
void tls_facts_scan(struct tls_facts *f, u32 pid, bool tracked, u64 time);

/* Elastic's pointer to the process storage is at @va. It may not be set yet. */
void tls_facts_storage(struct tls_facts *f, u32 pid, u64 va, u64 time);

/* The child has its parent's label names, until it publishes something itself. */
void tls_facts_fork(struct tls_facts *f, u32 parent, u32 child, u64 time);
/* There was an exec, or the process ended. */
void tls_facts_gone(struct tls_facts *f, u32 pid, u64 time);

/*
 * Reads all candidates again; if there are many contexts, only some of them. To be called some
 * times a second. Changes hold from @time on. @time is of the samples' clock, and the previous call
 * was made after it.
 */
void tls_facts_poll(struct tls_facts *f, u64 time);

/* Reports everything known, with time 0: for the head of a further file. */
void tls_facts_each(const struct tls_facts *f, tls_facts_fn fn, void *arg);

#endif
