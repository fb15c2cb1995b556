/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fast paths of activity.h's functions, inlined into the caller. activity.h includes this. Rare cases are in
 * slow.h.
 *
 * The record is plain thread-local memory. Its readers are signal handlers of this thread and sampling interrupts on
 * this thread's CPU. They stop the thread between two instructions, so they see a prefix of its stores. Therefore only
 * the compiler must keep the order of the stores; no CPU barrier is needed.
 *
 * A change has four steps: read the state, mark the record, write the ids, overwrite the mark with the tail. A handler
 * that finds the mark does not change the record. But a handler that runs between the first two steps may change
 * everything. So the values that were read before the mark are compared again after it.
 *
 * Each load here reads bytes of only one store: a load that spans two recent stores would wait until the store buffer
 * is drained.
 */
#ifndef ACTIVITY_INLINE_H
#define ACTIVITY_INLINE_H

#include <string.h>

#include "activity/record.h"

/*
 * For a plug-in that is loaded late, when the static thread-local block may have no room: compile the header-only
 * variant with "global-dynamic". It is slower, and the variable is not in a plain window.
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

/* ACTIVITY_FLAT if the CPU has AVX-512's registers of 32 bytes, else 0. Set once, at start. */
extern uint32_t activity_flat_at_once;

typedef uint64_t activity_pair __attribute__((vector_size(16), aligned(8), may_alias));
typedef uint32_t activity_word __attribute__((may_alias));
typedef uint8_t activity_byte __attribute__((may_alias));

#define ACTIVITY_ORDER	     __asm__ volatile("" ::: "memory")
#define ACTIVITY_UNLIKELY(x) __builtin_expect(!!(x), 0)

/*
 * Stores are volatile. Loads of values that a handler may have changed are not volatile, so that they can be memory
 * operands of a comparison. ACTIVITY_ORDER keeps the order of both.
 */
#define ACTIVITY_STATE	    (*(volatile activity_byte *)&activity_record.tail)
#define ACTIVITY_IS_SPECIAL ACTIVITY_UNLIKELY(*(const int8_t *)&activity_record.tail <= 0)
#define ACTIVITY_MARK                                                                              \
	do {                                                                                       \
		ACTIVITY_STATE = (uint8_t)ACTIVITY_RECORD_UPDATING;                                \
		ACTIVITY_ORDER;                                                                    \
	} while (0)

/*
 * The upper half of the tail: version and depth. Its lowest byte is not ACTIVITY_RECORD_VERSION if otel_thread_ctx_v1
 * points to the second record. An activity is flat if it is in no child span and has no attributes; no activity is
 * flat, too.
 */
#define ACTIVITY_SHAPE_OF(whole) (*((const activity_word *)&(whole)->tail + 1))
#define ACTIVITY_SHAPE		 ACTIVITY_SHAPE_OF(&activity_record)
#define ACTIVITY_FLAT		 (1 << 8 | ACTIVITY_RECORD_VERSION)
/* These bits of a tail are set in a child span, with attributes, or in the middle of a change. */
#define ACTIVITY_NOT_FLAT  ((uint64_t)0xfffffe0000000080)
#define ACTIVITY_ELSEWHERE ACTIVITY_UNLIKELY((uint8_t)ACTIVITY_SHAPE != ACTIVITY_RECORD_VERSION)

/* Writes span and tail, which make a change valid. On x86-64 it is one instruction. */
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
 * The slow paths, in slow.h. @marked: the caller has marked the record. @to is a whole activity, as in the structs of
 * activity.h.
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

	activity_change_ids(none, 0, ACTIVITY_TAIL(ACTIVITY_RECORD_NONE, 0, 1));
}

/*
 * The fields are passed one by one, here and for pop. If the struct were passed, compilers would keep it in memory or
 * in vector registers also on the fast path.
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
	/* A handler may have left another activity before the mark. In this case only its flags are lost. */
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
	/* The depth is one more, and the parent is the saved span: so nothing else was set in between. */
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

/*
 * Jumps to @label if they differ. In C, compilers that need @word again at @label would load it first, for all cases.
 */
#ifdef __x86_64__
#define ACTIVITY_UNLESS(word, value, label)                                                        \
	__asm__ goto("cmpl %1, %0\n\tjne %l2" ::"m"(word), "r"(value) : "cc", "memory" : label)
#else
#define ACTIVITY_UNLESS(word, value, label)                                                        \
	do {                                                                                       \
		if (ACTIVITY_UNLIKELY((word) != (value)))                                          \
			goto label;                                                                \
	} while (0)
#endif

/*
 * Saves the marked record, whose tail was @tail, to @save, and writes @next to the record. Roots and parents are not
 * copied.
 */
ACTIVITY_HELPER void activity_exchange(volatile struct activity_whole *save,
				       const struct activity_whole *next, uint64_t tail)
{
	volatile struct activity_record *r = &activity_record;
	activity_pair trace = *(const activity_pair *)next->trace;
	activity_pair end = *(const activity_pair *)&next->span;

	*(volatile activity_pair *)save->trace = *(const activity_pair *)activity_record.trace;
	save->span = activity_record.span;
	save->tail = tail;
	*(volatile activity_pair *)r->trace = trace;
	ACTIVITY_ORDER;
	ACTIVITY_WRITE_END(r, end);
	ACTIVITY_ORDER;
}

/* Like activity_exchange(), if one of the two activities is not flat. */
ACTIVITY_HELPER void activity_swap_deep(struct activity_context *save,
					const struct activity_context *next, uint64_t tail)
{
	volatile struct activity_record *r = &activity_record;
	volatile struct activity_whole *to = &save->ids;
	uint64_t root = next->ids.root, parent = next->ids.parent;

	/* A handler may have left another activity after the tail was read and before the mark. */
	if (ACTIVITY_UNLIKELY(ACTIVITY_SHAPE != (uint32_t)(tail >> 32)) || ACTIVITY_ELSEWHERE ||
	    ACTIVITY_UNLIKELY(ACTIVITY_TAIL_VERSION(next->ids.tail) != ACTIVITY_RECORD_VERSION)) {
		activity_slow_swap(save, next, true);
		return;
	}
	to->root = activity_record.root;
	to->parent = activity_record.parent;
	r->root = root;
	r->parent = parent;
	activity_exchange(to, &next->ids, tail);
}

/*
 * A flat activity has 32 bytes, which one instruction can move. This is used if the program is compiled for AVX, or if
 * the CPU has AVX-512's additional registers. Baseline code never uses these registers. Writing AVX's own registers
 * would slow down SSE instructions that follow.
 */
#ifdef __AVX__
#define ACTIVITY_FLAT_AT_ONCE ACTIVITY_FLAT
#define ACTIVITY_MOVE	      "vmovdqu "
#define ACTIVITY_YMM_HERE     "%%ymm14"
#define ACTIVITY_YMM_THERE    "%%ymm15"
#define ACTIVITY_CLOBBERED    "cc", "memory", "xmm14", "xmm15"
#else
#define ACTIVITY_FLAT_AT_ONCE activity_flat_at_once
#define ACTIVITY_MOVE	      "vmovdqu64 "
#define ACTIVITY_YMM_HERE     "%%ymm24"
#define ACTIVITY_YMM_THERE    "%%ymm25"
#define ACTIVITY_CLOBBERED    "cc", "memory"
#endif

ACTIVITY_FAST void activity_swap(struct activity_context *save, const struct activity_context *next)
{
	uint64_t tail = activity_record.tail;
	uint32_t flat;

	if (ACTIVITY_UNLIKELY(tail & ACTIVITY_NOT_FLAT)) {
		if ((int8_t)tail >= 0)
			goto unmarked;
		activity_slow_swap(save, next, false);
		return;
	}
#ifdef __x86_64__
	flat = ACTIVITY_FLAT_AT_ONCE;
	ACTIVITY_UNLESS(ACTIVITY_SHAPE_OF(&next->ids), flat, in_parts);
	__asm__ goto("" ACTIVITY_MOVE "%[here], " ACTIVITY_YMM_HERE "\n\t"
		     "movb %[mark], %[state]\n\t"
		     "cmpl %[flat], %[shape]\n\t"
		     "jne %l[deep]\n\t"
		     "" ACTIVITY_MOVE "%[there], " ACTIVITY_YMM_THERE "\n\t"
		     "" ACTIVITY_MOVE ACTIVITY_YMM_HERE ", %[save]\n\t"
		     "" ACTIVITY_MOVE ACTIVITY_YMM_THERE ", %[here]"
		     :
		     : [here] "m"(activity_record.trace), [there] "m"(next->ids.trace),
		       [save] "m"(save->ids.trace), [state] "m"(activity_record.tail),
		       [shape] "m"(ACTIVITY_SHAPE), [flat] "r"(flat),
		       [mark] "i"((int8_t)ACTIVITY_RECORD_UPDATING)
		     : ACTIVITY_CLOBBERED
		     : deep);
	return;
in_parts:
#endif
	flat = ACTIVITY_FLAT;
	if (ACTIVITY_UNLIKELY(ACTIVITY_SHAPE_OF(&next->ids) != ACTIVITY_FLAT))
		goto unmarked;
	ACTIVITY_ORDER;
	ACTIVITY_MARK;
	ACTIVITY_UNLESS(ACTIVITY_SHAPE, flat, deep);
	activity_exchange(&save->ids, &next->ids, tail);
	return;
unmarked:
	ACTIVITY_ORDER;
	ACTIVITY_MARK;
deep:
	activity_swap_deep(save, next, tail);
}

#ifdef __cplusplus
}
#endif

#endif
