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
 *
 * An interrupt can come during a hit in a system call, but not the other way round. Equal contexts
 * of one thread follow each other, so the earlier hit gets no more samples.
 */
static bool may_be_inside(const struct tls_output *hit, const struct tls_output *outer)
{
	return hit->head.tid == outer->head.tid && context_of_hit(outer) != SAMPLE_TLS_IN_UNKNOWN &&
	       context_of_hit(hit) > context_of_hit(outer);
}

/*
 * Example, thread 7: a hit in a system call, then one in an interrupt, then the next system call.
 *
 *	add(task)	stack: task
 *	add(hardirq)	stack: task, hardirq		the task's samples may still come
 *	add(task)	stack: task			the first hit is over
 *
 * The stack has at most one hit per context, so TLS_HITS_MAX is never exceeded.
 */
void tls_hits_add(struct tls_hits *h, const struct tls_output *hit)
{
	while (h->nr && !may_be_inside(hit, &h->stack[h->nr - 1]))
		h->nr--;
	if (!h->nr && context_of_hit(hit) <= SAMPLE_TLS_IN_TASK)
		h->lost = false;
	tls_output_copy(&h->stack[h->nr++], hit);
}

/*
 * After a loss, a sample without a hit is either of a hit whose B was lost, or of a thread that has
 * no B at all. As long as it may be the former, its bytes are unknown, and not none. It cannot be
 * the former any more once another thread has a sample, or the same event has a second one in the same
 * context: then a new hit has begun after the loss, and its B would have been written.
 */
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

/* Usually one hit waits, of the task: then the sample need not be decoded to know its context. */
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
