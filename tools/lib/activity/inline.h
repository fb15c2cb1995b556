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

extern ACTIVITY_THREAD_LOCAL struct activity_record activity_record;
extern ACTIVITY_THREAD_LOCAL void *volatile otel_thread_ctx_v1;

typedef uint64_t activity_pair __attribute__((vector_size(16), aligned(8), may_alias));
typedef uint32_t activity_word __attribute__((may_alias));
typedef uint8_t activity_byte __attribute__((may_alias));

#define ACTIVITY_ORDER	     __asm__ volatile("" ::: "memory")
#define ACTIVITY_UNLIKELY(x) __builtin_expect(!!(x), 0)

/*
 * Stores are volatile, and loads of what a handler may have changed are not, so that they can
 * be part of a comparison: ACTIVITY_ORDER keeps both in place.
 */
#define ACTIVITY_STATE	    (*(volatile activity_byte *)&activity_record.tail)
#define ACTIVITY_IS_SPECIAL ACTIVITY_UNLIKELY(*(const int8_t *)&activity_record.tail <= 0)
#define ACTIVITY_MARK                                                                              \
	do {                                                                                       \
		ACTIVITY_STATE = (uint8_t)ACTIVITY_RECORD_UPDATING;                                \
		ACTIVITY_ORDER;                                                                    \
	} while (0)

/* Version and depth as a number: its lowest byte tells whether the pointer is elsewhere. */
#define ACTIVITY_SHAPE	   (*((const activity_word *)&activity_record.tail + 1))
#define ACTIVITY_ELSEWHERE ACTIVITY_UNLIKELY((uint8_t)ACTIVITY_SHAPE != ACTIVITY_RECORD_VERSION)

/* What makes a change valid: the span and the tail, in one instruction where there is one. */
#ifdef __x86_64__
#define ACTIVITY_WRITE_END(record, end) (*(volatile activity_pair *)&(record)->span = (end))
#else
#define ACTIVITY_WRITE_END(record, end)                                                            \
	do {                                                                                       \
		(record)->span = (end)[0];                                                         \
		ACTIVITY_ORDER;                                                                    \
		(record)->tail = (end)[1];                                                         \
	} while (0)
#endif

/*
 * Trace, span and tail of a record or a struct activity_whole, in as few instructions as there
 * are; the tail is written last. Read in more than one, they are whole only if the span is the
 * same afterwards.
 */
#ifdef __AVX__
typedef uint64_t activity_four __attribute__((vector_size(32), aligned(8), may_alias));
#define ACTIVITY_FOUR(record)		   (*(const activity_four *)(record)->trace)
#define ACTIVITY_IS_WHOLE(four)		   true
#define ACTIVITY_WRITE_FOUR(record, value) (*(volatile activity_four *)(record)->trace = (value))
#else
typedef struct {
	activity_pair end, trace;
} activity_four;
#define ACTIVITY_FOUR(record)                                                                      \
	{                                                                                          \
		*(const activity_pair *)&(record)->span, *(const activity_pair *)(record)->trace   \
	}
#define ACTIVITY_IS_WHOLE(four) (activity_record.span == (four).end[0])
#define ACTIVITY_WRITE_FOUR(record, value)                                                         \
	do {                                                                                       \
		*(volatile activity_pair *)(record)->trace = (value).trace;                        \
		ACTIVITY_ORDER;                                                                    \
		ACTIVITY_WRITE_END(record, (value).end);                                           \
	} while (0)
#endif

/*
 * The long way, in slow.h; @marked: the caller has marked the record. @to is a whole activity as
 * saved in the structs of activity.h.
 */
void activity_slow_change(const struct activity_whole *to, bool marked);
struct activity_span activity_slow_push(const uint8_t span_id[8], bool marked);
void activity_slow_pop(uint64_t root, uint64_t parent, uint64_t span, uint64_t tail, bool marked);
void activity_slow_swap(struct activity_context *save, const struct activity_context *next,
			bool marked);

ACTIVITY_HELPER void activity_slow_set(activity_pair trace, uint64_t span, uint64_t tail,
				       bool marked)
{
	struct activity_whole to = { 0, 0, { trace[0], trace[1] }, span, tail };

	activity_slow_change(&to, marked);
}

ACTIVITY_HELPER void activity_change_ids(activity_pair trace, uint64_t span, uint64_t tail)
{
	volatile struct activity_record *r = &activity_record;

	if (ACTIVITY_IS_SPECIAL) {
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

/*
 * One by one, here and in the call for pop: as a whole, the struct would be kept in memory, or in
 * vectors, for calls that are hardly ever made.
 */
ACTIVITY_HELPER void activity_push_slowly(struct activity_span *before, const uint8_t span_id[8],
					  bool marked)
{
	struct activity_span copy = activity_slow_push(span_id, marked);

	before->root = copy.root;
	before->parent = copy.parent;
	before->span = copy.span;
	before->tail = copy.tail;
}

ACTIVITY_HELPER void activity_pop_slowly(const struct activity_span *before, bool marked)
{
	activity_slow_pop(before->root, before->parent, before->span, before->tail, marked);
}

ACTIVITY_FAST void activity_push(struct activity_span *before, const uint8_t span_id[8])
{
	volatile struct activity_record *r = &activity_record;
	uint64_t tail = activity_record.tail, span, child;
	uint32_t shape = (uint32_t)(tail >> 32);

	if (ACTIVITY_UNLIKELY((uint8_t)tail != ACTIVITY_RECORD_SET)) {
		activity_push_slowly(before, span_id, false);
		return;
	}
	ACTIVITY_MARK;
	/* A handler may have left another activity before the mark: then only its flags are lost. */
	if (ACTIVITY_UNLIKELY(ACTIVITY_SHAPE != shape)) {
		activity_push_slowly(before, span_id, true);
		return;
	}
	span = activity_record.span;
	before->root = activity_record.root;
	before->parent = activity_record.parent;
	before->span = span;
	before->tail = tail;
	memcpy(&child, span_id, sizeof(child));
	if (ACTIVITY_UNLIKELY(shape == (2 << 8 | ACTIVITY_RECORD_VERSION)))
		r->root = before->parent;
	r->parent = span;
	r->span = child;
	ACTIVITY_ORDER;
	r->tail = tail + ACTIVITY_TAIL_ONE_DEEPER;
	ACTIVITY_ORDER;
}

ACTIVITY_FAST void activity_pop(const struct activity_span *before)
{
	volatile struct activity_record *r = &activity_record;

	if (ACTIVITY_UNLIKELY((uint8_t)before->tail != ACTIVITY_RECORD_SET) ||
	    ACTIVITY_IS_SPECIAL) {
		activity_pop_slowly(before, false);
		return;
	}
	ACTIVITY_MARK;
	/* One deeper and in a child of the span as it was: nobody set anything else in between. */
	if (ACTIVITY_UNLIKELY(ACTIVITY_SHAPE != (uint32_t)(before->tail >> 32) + 0x100) ||
	    ACTIVITY_UNLIKELY(activity_record.parent != before->span)) {
		activity_pop_slowly(before, true);
		return;
	}
	r->parent = before->parent;
	r->span = before->span;
	ACTIVITY_ORDER;
	r->tail = before->tail;
	ACTIVITY_ORDER;
}

/* From a marked record with @tail before the mark: one of the two is in a child span. */
ACTIVITY_HELPER void activity_exchange_deep(struct activity_context *save,
					    const struct activity_context *next, uint64_t tail)
{
	volatile struct activity_record *r = &activity_record;
	volatile struct activity_whole *to = &save->ids;
	activity_pair trace = *(const activity_pair *)next->ids.trace;
	activity_pair end = *(const activity_pair *)&next->ids.span;
	uint64_t root = next->ids.root, parent = next->ids.parent;

	to->root = activity_record.root;
	to->parent = activity_record.parent;
	*(volatile activity_pair *)to->trace = *(const activity_pair *)activity_record.trace;
	to->span = activity_record.span;
	to->tail = tail;
	r->root = root;
	r->parent = parent;
	*(volatile activity_pair *)r->trace = trace;
	ACTIVITY_ORDER;
	ACTIVITY_WRITE_END(r, end);
	ACTIVITY_ORDER;
}

ACTIVITY_HELPER void activity_swap_deep(struct activity_context *save,
					const struct activity_context *next)
{
	uint32_t shape = ACTIVITY_SHAPE;
	uint64_t tail;

	/* In this order: what a handler changes in between does not pass the look after the mark. */
	ACTIVITY_ORDER;
	tail = activity_record.tail;
	if ((int8_t)(tail | next->ids.tail) < 0) {
		activity_slow_swap(save, next, false);
		return;
	}
	ACTIVITY_MARK;
	if (ACTIVITY_UNLIKELY(ACTIVITY_SHAPE != shape))
		activity_slow_swap(save, next, true);
	else
		activity_exchange_deep(save, next, tail);
}

/*
 * Of a tail: the activity is special or in a child span. The lower half alone, of a shape: the
 * pointer is elsewhere.
 */
#define ACTIVITY_NOT_FLAT ((uint64_t)0xfffffe0000000080)

/* Is one of @bits set in @word? Compilers take two instructions for it, or three. */
ACTIVITY_HELPER bool activity_any(const uint64_t *word, uint64_t bits)
{
#ifdef __x86_64__
	bool any;

	__asm__("testq %2, %1" : "=@ccnz"(any) : "m"(*word), "r"(bits));
	return any;
#else
	return *word & bits;
#endif
}

/*
 * Flat, the record's ids lie in 32 bytes, all of which are read before the mark: what a handler
 * leaves behind in between is not saved, or seen and done the long way.
 */
ACTIVITY_HELPER void activity_swap_flat(struct activity_context *save,
					const struct activity_context *next, uint64_t not_flat)
{
	volatile struct activity_record *r = &activity_record;
	activity_four here = ACTIVITY_FOUR(&activity_record), there = ACTIVITY_FOUR(&next->ids);

	ACTIVITY_MARK;
	if (ACTIVITY_UNLIKELY(ACTIVITY_SHAPE & (uint32_t)not_flat) ||
	    ACTIVITY_UNLIKELY(!ACTIVITY_IS_WHOLE(here))) {
		activity_slow_swap(save, next, true);
		return;
	}
	ACTIVITY_WRITE_FOUR(&save->ids, here);
	ACTIVITY_WRITE_FOUR(r, there);
	ACTIVITY_ORDER;
}

ACTIVITY_FAST void activity_swap(struct activity_context *save, const struct activity_context *next)
{
	uint64_t not_flat = ACTIVITY_NOT_FLAT;

	__asm__("" : "+r"(not_flat)); /* in a register for all three tests */
	if (ACTIVITY_UNLIKELY(activity_any(&activity_record.tail, not_flat)) ||
	    ACTIVITY_UNLIKELY(activity_any(&next->ids.tail, not_flat))) {
		activity_swap_deep(save, next);
		return;
	}
	ACTIVITY_ORDER;
	activity_swap_flat(save, next, not_flat);
}

#ifdef __cplusplus
}
#endif

#endif
