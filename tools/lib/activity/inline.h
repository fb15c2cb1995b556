/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The short way through activity.h's functions, compiled into the caller; activity.h includes
 * it. What is rare is in slow.h.
 *
 * The record is plain thread-local memory. Whoever reads it, a signal handler of this thread or
 * a sampling interrupt on this thread's CPU, stops the thread between two instructions and so
 * sees a prefix of its stores: the order of the stores, kept by the compiler, is all that
 * counts, and no barrier of the CPU is needed.
 *
 * A change looks at the state, marks the record, writes the ids, and writes the tail over the
 * mark. A handler that finds the mark leaves the record alone, so that nothing changes under a
 * change; one that comes between the look and the mark may have changed everything, so what
 * was read before the mark is compared after it.
 *
 * Each load here is of bytes that one store wrote: loads that span two recent stores would wait
 * for the store buffer to drain.
 */
#ifndef ACTIVITY_INLINE_H
#define ACTIVITY_INLINE_H

#include <string.h>

#include "activity/activity.h"
#include "activity/record.h"

/*
 * A plug-in that is loaded late into processes with no room in their static thread-local block
 * compiles the header-only variant with "global-dynamic": slower, and out of a plain window.
 */
#ifndef ACTIVITY_TLS_MODEL
#define ACTIVITY_TLS_MODEL "initial-exec"
#endif
#define ACTIVITY_THREAD_LOCAL __thread __attribute__((tls_model(ACTIVITY_TLS_MODEL)))

#ifdef __cplusplus
extern "C" {
#endif

extern ACTIVITY_THREAD_LOCAL volatile struct activity_record activity_record;
extern ACTIVITY_THREAD_LOCAL void *volatile otel_thread_ctx_v1;

typedef uint64_t activity_pair __attribute__((vector_size(16), aligned(8), may_alias));
typedef uint8_t activity_byte __attribute__((may_alias));

#define ACTIVITY_ORDER	       __asm__ volatile("" ::: "memory")
#define ACTIVITY_UNLIKELY(x)   __builtin_expect(!!(x), 0)
#define ACTIVITY_STATE	       (*(volatile activity_byte *)&activity_record.tail)
#define ACTIVITY_IS_SPECIAL(s) ((int8_t)(s) <= 0)
#define ACTIVITY_MARK                                              \
	do {                                                       \
		ACTIVITY_STATE = (uint8_t)ACTIVITY_RECORD_UPDATING; \
		ACTIVITY_ORDER;                                    \
	} while (0)
/* The pointer is elsewhere: before a thread's first change, and where there are attributes. */
#define ACTIVITY_ELSEWHERE \
	ACTIVITY_UNLIKELY(otel_thread_ctx_v1 != (const volatile void *)activity_record.trace)

/*
 * The long way, in slow.h; @marked: the caller has marked the record. @to is a whole activity as
 * saved in the structs of activity.h.
 */
void activity_slow_change(const struct activity_span *to, bool marked);
struct activity_span activity_slow_push(const uint8_t span_id[8], bool marked);
void activity_slow_pop(const struct activity_span *before, bool marked);
void activity_slow_swap(struct activity_context *save, const struct activity_context *next,
			bool marked);

enum { ACTIVITY_SAVED_ROOT, ACTIVITY_SAVED_PARENT, ACTIVITY_SAVED_TRACE,
       ACTIVITY_SAVED_SPAN = 4, ACTIVITY_SAVED_TAIL = 5 };

ACTIVITY_HELPER void activity_slow_set(activity_pair trace, uint64_t span, uint64_t tail,
				       bool marked)
{
	struct activity_span to = { { 0, 0, trace[0], trace[1], span, tail } };

	activity_slow_change(&to, marked);
}

ACTIVITY_HELPER void activity_change_ids(activity_pair trace, uint64_t span, uint64_t tail)
{
	volatile struct activity_record *r = &activity_record;

	if (ACTIVITY_UNLIKELY(ACTIVITY_IS_SPECIAL(ACTIVITY_STATE))) {
		activity_slow_set(trace, span, tail, false);
		return;
	}
	ACTIVITY_MARK;
	if (ACTIVITY_ELSEWHERE) {
		activity_slow_set(trace, span, tail, true);
		return;
	}
	*(volatile activity_pair *)r->trace = trace;
	r->span = span;
	ACTIVITY_ORDER;
	r->tail = tail;
	ACTIVITY_ORDER;
}

ACTIVITY_FAST void activity_set(const uint8_t trace_id[16], const uint8_t span_id[8])
{
	activity_pair trace;
	uint64_t span;

	memcpy(&trace, trace_id, sizeof(trace));
	memcpy(&span, span_id, sizeof(span));
	activity_change_ids(trace, span, ACTIVITY_TAIL(ACTIVITY_RECORD_SET, 0, 1));
}

ACTIVITY_FAST void activity_clear(void)
{
	activity_pair none = { 0, 0 };

	activity_change_ids(none, 0, ACTIVITY_TAIL(ACTIVITY_RECORD_NONE, 0, 0));
}

ACTIVITY_FAST void activity_push(struct activity_span *before, const uint8_t span_id[8])
{
	volatile struct activity_record *r = &activity_record;
	uint64_t tail = r->tail, span = r->span, child;
	activity_pair trace = *(volatile activity_pair *)r->trace;

	before->saved[ACTIVITY_SAVED_ROOT] = r->root;
	before->saved[ACTIVITY_SAVED_PARENT] = r->parent;
	before->saved[ACTIVITY_SAVED_TRACE] = trace[0];
	before->saved[ACTIVITY_SAVED_TRACE + 1] = trace[1];
	before->saved[ACTIVITY_SAVED_SPAN] = span;
	before->saved[ACTIVITY_SAVED_TAIL] = tail;
	memcpy(&child, span_id, sizeof(child));
	if (ACTIVITY_UNLIKELY((uint8_t)tail != ACTIVITY_RECORD_SET)) {
		*before = activity_slow_push(span_id, false);
		return;
	}
	ACTIVITY_MARK;
	if (ACTIVITY_UNLIKELY(r->span != span) || ACTIVITY_ELSEWHERE) {
		*before = activity_slow_push(span_id, true);
		return;
	}
	if (ACTIVITY_TAIL_DEPTH(tail) == 1)
		r->root = span;
	r->parent = span;
	r->span = child;
	ACTIVITY_ORDER;
	r->tail = tail + ACTIVITY_TAIL_ONE_DEEPER;
	ACTIVITY_ORDER;
}

ACTIVITY_FAST void activity_pop(const struct activity_span *before)
{
	volatile struct activity_record *r = &activity_record;

	if (ACTIVITY_UNLIKELY((uint8_t)before->saved[ACTIVITY_SAVED_TAIL] != ACTIVITY_RECORD_SET) ||
	    ACTIVITY_UNLIKELY(ACTIVITY_IS_SPECIAL(ACTIVITY_STATE))) {
		struct activity_span copy = *before; /* the caller's may stay in registers */

		activity_slow_pop(&copy, false);
		return;
	}
	ACTIVITY_MARK;
	/* In a child of the span as it was: nobody set anything else in between. */
	if (ACTIVITY_UNLIKELY(r->parent != before->saved[ACTIVITY_SAVED_SPAN]) ||
	    ACTIVITY_ELSEWHERE) {
		struct activity_span copy = *before;

		activity_slow_pop(&copy, true);
		return;
	}
	r->parent = before->saved[ACTIVITY_SAVED_PARENT];
	r->span = before->saved[ACTIVITY_SAVED_SPAN];
	ACTIVITY_ORDER;
	r->tail = before->saved[ACTIVITY_SAVED_TAIL];
	ACTIVITY_ORDER;
}

/* Activities that were set and not pushed have no root and parent to carry. */
ACTIVITY_FAST void activity_swap(struct activity_context *save, const struct activity_context *next)
{
	volatile struct activity_record *r = &activity_record;
	activity_pair trace, tail, next_trace, next_tail;
	uint64_t span = r->span, both = r->tail | next->ids.saved[ACTIVITY_SAVED_TAIL];

	trace = *(volatile activity_pair *)r->trace;
	tail = *(volatile activity_pair *)&r->span;
	memcpy(&next_trace, &next->ids.saved[ACTIVITY_SAVED_TRACE], sizeof(next_trace));
	memcpy(&next_tail, &next->ids.saved[ACTIVITY_SAVED_SPAN], sizeof(next_tail));
	if (ACTIVITY_UNLIKELY((int8_t)both < 0) || ACTIVITY_UNLIKELY(both >> 41)) {
		activity_slow_swap(save, next, false);
		return;
	}
	ACTIVITY_MARK;
	if (ACTIVITY_UNLIKELY(r->span != span) || ACTIVITY_ELSEWHERE) {
		activity_slow_swap(save, next, true);
		return;
	}
	memcpy(&save->ids.saved[ACTIVITY_SAVED_TRACE], &trace, sizeof(trace));
	memcpy(&save->ids.saved[ACTIVITY_SAVED_SPAN], &tail, sizeof(tail));
	*(volatile activity_pair *)r->trace = next_trace;
	ACTIVITY_ORDER;
#ifdef __x86_64__
	*(volatile activity_pair *)&r->span = next_tail; /* one instruction */
#else
	r->span = next_tail[0];
	ACTIVITY_ORDER;
	r->tail = next_tail[1];
#endif
	ACTIVITY_ORDER;
}

#ifdef __cplusplus
}
#endif

#endif
