/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How is V8 built in a process of Node.js, as far as the walk to its thread contexts needs it?
 *
 * Processes state it in their process context (OTEP 4719), in attributes threadlocal.*; many do
 * not, and are built as the defaults of bpf/node.h say. This keeps what each process stated and
 * puts it into the source that the BPF program walks by.
 *
 * A process has the variable before it has published its context. A walk by the defaults would then
 * show ids that are none where V8 is built in another way. So nothing is walked until the process has
 * stated something, or has stated nothing for a second: a thread that has something by then is "not
 * looked up yet".
 *
 * One thread at a time may use it.
 */
#ifndef RECORD_TLS_NODE_H
#define RECORD_TLS_NODE_H

#include "base/types.h"

struct sample_tls_source; /* bpf/sample_tls.h */
struct tls_facts_news;	  /* record/tls_facts.h */
struct tls_node;

struct tls_node *tls_node_new(void);
void tls_node_free(struct tls_node *n);

/*
 * The variable was found in process @pid, a fork of @parent (0: by other means than a fork). @now_ns:
 * CLOCK_MONOTONIC.
 */
void tls_node_found(struct tls_node *n, u32 pid, u32 parent, u64 now_ns);
/* An exec, or the process's end. */
void tls_node_gone(struct tls_node *n, u32 pid);

/* Takes note of what a process states of itself; true where it now is another walk. */
bool tls_node_take(struct tls_node *n, const struct tls_facts_news *news);

/* Each process that has not stated anything in time, once: from now on the defaults hold. */
typedef void (*tls_node_fn)(u32 pid, void *arg);
void tls_node_due(struct tls_node *n, u64 now_ns, tls_node_fn fn, void *arg);

/* The part of @source that is of process @pid; 0: of one that has yet to begin. */
void tls_node_fill(const struct tls_node *n, u32 pid, struct sample_tls_source *source);

#endif
