/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the layout of V8 in each Node.js process, as far as the walk to the thread contexts needs
 * it.
 *
 * A process states the layout in its process context (OTEP 4719), in attributes threadlocal.*. Many
 * processes do not; for them the defaults of bpf/node.h hold. This module keeps the stated values,
 * and puts them into the source that the BPF program walks by.
 *
 * A process has the variable before it publishes its context. If V8 is built in another way, a walk
 * by the defaults would return wrong ids. So no walk starts until the process has stated a layout,
 * or has stated nothing for a second. Until then a thread that has a context is "not looked up
 * yet".
 *
 * One thread at a time may use it.
 */
#ifndef RECORD_TLS_NODE_H
#define RECORD_TLS_NODE_H

#include "base/types.h"

struct sample_tls_source; /* bpf/sample_tls.h */
struct tls_facts_news;	  /* record/tls/facts.h */
struct tls_node;

struct tls_node *tls_node_new(void);
void tls_node_free(struct tls_node *n);

/*
 * The variable was found in process @pid. @parent: the process that forked @pid, if it was found by
 * a fork; 0 otherwise. @now_ns: CLOCK_MONOTONIC.
 */
void tls_node_found(struct tls_node *n, u32 pid, u32 parent, u64 now_ns);
/* There was an exec, or the process ended. */
void tls_node_gone(struct tls_node *n, u32 pid);

/* Takes what a process states. True: the walk has changed. */
bool tls_node_take(struct tls_node *n, const struct tls_facts_news *news);

/*
 * Called once for each process that has not stated anything in time: the defaults hold from now on.
 */
typedef void (*tls_node_fn)(u32 pid, void *arg);
void tls_node_due(struct tls_node *n, u64 now_ns, tls_node_fn fn, void *arg);

/* Fills in the part of @source that depends on process @pid; 0: a process that is yet to begin. */
void tls_node_fill(const struct tls_node *n, u32 pid, struct sample_tls_source *source);

#endif
