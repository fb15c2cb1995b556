/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How is V8 built in a process of Node.js, as far as the walk to its thread contexts needs it?
 *
 * Processes state it in their process context (OTEP 4719), in attributes threadlocal.*; many do
 * not, and are built as the defaults of bpf/node.h say. This keeps what each process stated and
 * puts it into the source that the BPF program walks by.
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

/* Takes note of what a process states of itself; true where it now is another walk. */
bool tls_node_take(struct tls_node *n, const struct tls_facts_news *news);

/* The process's part of @source. */
void tls_node_fill(const struct tls_node *n, u32 pid, struct sample_tls_source *source);

#endif
