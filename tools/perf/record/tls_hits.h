/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which hit of a tracepoint does this sample belong to?
 *
 * At a hit the BPF program (bpf/sample_tls.bpf.c) reads before the kernel makes the samples of the hit; it
 * does not know their time or address. But the records of one CPU nest as its interrupts do. An interrupt that
 * comes between a hit and its samples is served to its end there, with all records that it makes:
 *
 *	hit of thread 7 in a system call
 *		hit in an interrupt			(same thread, higher context)
 *		the sample of the interrupt's hit
 *	the sample of the system call's hit
 *
 * So the hits that may still get samples form a stack, of one thread and of rising contexts. Every hit of a
 * thread that is looked at makes a record, if there was one before that it must replace. So a sample belongs to
 * the newest hit of its thread in its context, and several events of one tracepoint share their hit.
 */
#ifndef RECORD_TLS_HITS_H
#define RECORD_TLS_HITS_H

#include <linux/perf_event.h>

#include "activity/layout.h"
#include "base/types.h"
#include "bpf/sample_tls.h"

/* What the program wrote into one record. */
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
	/* Behind a loss: samples without a hit that came since, of one thread. */
	bool lost;
	u32 lost_tid, nr_seen;
	struct {
		u64 event;
		u8 context;
	} seen[TLS_HITS_SEEN_MAX];
};

/* Nothing that was hit so far gets a sample any more. */
void tls_hits_clear(struct tls_hits *h);

/* Likewise, and hits that are not known may still get samples: records were lost. */
void tls_hits_lose(struct tls_hits *h);

void tls_hits_add(struct tls_hits *h, const struct tls_output *hit);

/* The context (enum sample_tls_in) that a sample states; SAMPLE_TLS_IN_UNKNOWN: it states none. */
typedef u8 (*tls_hits_context_fn)(const struct perf_event_header *sample, void *arg);

/* The hit of @sample, of thread @tid, or NULL. @context_of is only asked where there is a choice. */
const struct tls_output *tls_hits_find(const struct tls_hits *h, u32 tid,
				       const struct perf_event_header *sample,
				       tls_hits_context_fn context_of, void *arg);

/*
 * May the hit of @sample, which has none here, be one that was lost? All events of the tracepoint share it, and
 * hits of interrupts may come before their samples. It is none of those when its thread goes on: the CPU runs
 * another, the task hits again, or an event @event has its second sample in one context.
 */
bool tls_hits_may_be_lost(struct tls_hits *h, u32 tid, u64 event,
			  const struct perf_event_header *sample, tls_hits_context_fn context_of,
			  void *arg);

/* The context that the first bytes of a tracepoint's raw data state. */
u8 tls_hits_context(const void *raw, u32 size);

#endif
