/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the hit of a tracepoint that a sample belongs to.
 *
 * At a hit the BPF program (bpf/sample_tls.bpf.c) runs before the kernel writes the samples of the
 * hit. The program does not know the time or address of these samples. But the records of one CPU
 * nest like its interrupts. If an interrupt comes between a hit and its samples, the CPU finishes
 * the interrupt first, with all records that it writes:
 *
 *	hit of thread 7 in a system call
 *		hit in an interrupt			(same thread, higher context)
 *		the sample of the interrupt's hit
 *	the sample of the system call's hit
 *
 * So the hits that may still get samples form a stack. They are of one thread, and their contexts
 * rise. Every hit of a selected thread writes a record if an earlier record must be replaced. So a
 * sample belongs to the newest hit of its thread in its context. Several events of one tracepoint
 * share the hit.
 */
#ifndef RECORD_TLS_HITS_H
#define RECORD_TLS_HITS_H

#include <linux/perf_event.h>

#include "activity/layout.h"
#include "base/types.h"
#include "bpf/sample_tls.h"

/* The BPF program's output in one record. */
struct tls_output {
	struct sample_tls_head head;
	u8 bytes[SAMPLE_TLS_FRAME_MAX + ACTIVITY_WINDOW_MAX];
};

void tls_output_copy(struct tls_output *to, const struct tls_output *from);

#define TLS_HITS_MAX 4 /* task, softirq, hardirq, NMI */

#define TLS_HITS_SEEN_MAX 16

struct tls_hits {
	u32 nr;
	struct tls_output stack[TLS_HITS_MAX];
	/* After lost records: the samples without a hit since then, all of one thread. */
	bool lost;
	u32 lost_tid, nr_seen;
	struct {
		u64 event;
		u8 context;
	} seen[TLS_HITS_SEEN_MAX];
};

/* Forgets all hits: none of them gets further samples. */
void tls_hits_clear(struct tls_hits *h);

/* As tls_hits_clear(), after lost records: unknown hits may still get samples. */
void tls_hits_lose(struct tls_hits *h);

void tls_hits_add(struct tls_hits *h, const struct tls_output *hit);

/* The context (enum sample_tls_in) that a sample states; SAMPLE_TLS_IN_UNKNOWN: it states none. */
typedef u8 (*tls_hits_context_fn)(const struct perf_event_header *sample, void *arg);

/*
 * The hit of @sample, which is of thread @tid; NULL: none. Calls @context_of only if several hits
 * match.
 */
const struct tls_output *tls_hits_find(const struct tls_hits *h, u32 tid,
				       const struct perf_event_header *sample,
				       tls_hits_context_fn context_of, void *arg);

/*
 * @sample has no hit here. True if its hit may be among the lost records. All events of the
 * tracepoint share the hit, and hits of interrupts may come before their samples. The lost hit is
 * over when the CPU runs another thread, when the task hits again, or when event @event has a
 * second sample in one context.
 */
bool tls_hits_may_be_lost(struct tls_hits *h, u32 tid, u64 event,
			  const struct perf_event_header *sample, tls_hits_context_fn context_of,
			  void *arg);

/* The context that is stated by the first bytes of a tracepoint's raw data. */
u8 tls_hits_context(const void *raw, u32 size);

#endif
