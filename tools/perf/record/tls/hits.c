// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/tls/hits.h"

#include <string.h>

#include "activity/cpu_context.h"

void tls_output_copy(struct tls_output *to, const struct tls_output *from)
{
	to->head = from->head;
	memcpy(to->bytes, from->bytes, from->head.size);
}

void tls_hits_clear(struct tls_hits *h)
{
	h->nr = 0;
	h->lost = false;
}

void tls_hits_lose(struct tls_hits *h)
{
	h->nr = 0;
	h->lost = true;
	h->lost_tid = h->nr_seen = 0;
}

static u8 context_of_hit(const struct tls_output *hit)
{
	struct sample_tls_frame frame = { 0 };

	if (hit->head.size >= sizeof(frame))
		memcpy(&frame, hit->bytes, sizeof(frame));
	return frame.context <= SAMPLE_TLS_IN_NMI ? frame.context : SAMPLE_TLS_IN_UNKNOWN;
}

/*
 * Can @hit come while @outer still waits for its samples? It must be of the same thread, in a
 * higher context.
 */
static bool may_be_inside(const struct tls_output *hit, const struct tls_output *outer)
{
	return hit->head.tid == outer->head.tid && context_of_hit(outer) != SAMPLE_TLS_IN_UNKNOWN &&
	       context_of_hit(hit) > context_of_hit(outer);
}

void tls_hits_add(struct tls_hits *h, const struct tls_output *hit)
{
	while (h->nr && !may_be_inside(hit, &h->stack[h->nr - 1]))
		h->nr--;
	if (!h->nr && context_of_hit(hit) <= SAMPLE_TLS_IN_TASK)
		h->lost = false;
	tls_output_copy(&h->stack[h->nr++], hit);
}

bool tls_hits_may_be_lost(struct tls_hits *h, u32 tid, u64 event,
			  const struct perf_event_header *sample, tls_hits_context_fn context_of,
			  void *arg)
{
	u8 context;

	if (!h->lost)
		return false;
	context = context_of(sample, arg);
	if (!h->nr_seen)
		h->lost_tid = tid;
	h->lost = tid == h->lost_tid && h->nr_seen < TLS_HITS_SEEN_MAX;
	for (u32 i = 0; i < h->nr_seen; i++)
		h->lost &= h->seen[i].event != event || h->seen[i].context != context;
	if (!h->lost)
		return false;
	h->seen[h->nr_seen].event = event;
	h->seen[h->nr_seen++].context = context;
	return true;
}

const struct tls_output *tls_hits_find(const struct tls_hits *h, u32 tid,
				       const struct perf_event_header *sample,
				       tls_hits_context_fn context_of, void *arg)
{
	u8 context;

	if (!h->nr || h->stack[0].head.tid != tid)
		return NULL;
	if (h->nr == 1 && context_of_hit(&h->stack[0]) <= SAMPLE_TLS_IN_TASK)
		return &h->stack[0];
	context = context_of(sample, arg);
	for (u32 i = h->nr; i-- > 0;)
		if (context_of_hit(&h->stack[i]) == context)
			return &h->stack[i];
	return NULL;
}

u8 tls_hits_context(const void *raw, u32 size)
{
	return (u8)cpu_context_of_tracepoint(raw, size);
}
