/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The record behind activity.h as it lies in a thread's memory, for its writer and its decoder.
 * Documentation/formats/activity-record.md describes it to everybody else.
 *
 *	offset  size
 *	0       8     root span: the outermost one of this process; counts from depth 3 on
 *	8       8     parent span: counts from depth 2 on; at depth 2 it is the root, at 1 the span is
 *	16      16    trace id						\
 *	32      8     span id						|
 *	40      1     state: enum activity_record_state			| an OTEP 4947 record, to
 *	41      1     trace flags					| which otel_thread_ctx_v1
 *	42      2     zero: bytes of attributes in here			/ points
 *	44      1     version: 2, 0x82 with attributes, 0 in a thread that never set anything
 *	45      3     depth: 1 for what was set and for none, one more for each push; modulo 2^24
 *	48      16    zero
 *
 * The eight bytes from 40 on, the tail, are written by one store to make a change valid.
 */
#ifndef ACTIVITY_RECORD_H
#define ACTIVITY_RECORD_H

#include <stdint.h>

#define ACTIVITY_RECORD_SYMBOL	  "activity_record"
#define ACTIVITY_RECORD_SIZE	  64
#define ACTIVITY_RECORD_VERSION	  2
#define ACTIVITY_RECORD_ELSEWHERE 0x80 /* in the version: otel_thread_ctx_v1 points elsewhere */

/* The state is OTEP's `valid`: for its readers 1 is a context, and everything else is none. */
enum activity_record_state {
	ACTIVITY_RECORD_NEVER = 0, /* nothing was ever set */
	ACTIVITY_RECORD_SET = 1,
	ACTIVITY_RECORD_NONE = 2,
	ACTIVITY_RECORD_WIDE = 0xfd, /* an activity whose attributes are elsewhere */
	ACTIVITY_RECORD_UPDATING = 0xff,
};

struct activity_record {
	uint64_t root, parent;
	uint64_t trace[2];
	uint64_t span;
	uint64_t tail;
	uint64_t zero[2];
};

/* The tail as a number; the machine is a little-endian one. */
#define ACTIVITY_TAIL_STATE(tail)   ((uint8_t)(tail))
#define ACTIVITY_TAIL_FLAGS(tail)   ((uint8_t)((tail) >> 8))
#define ACTIVITY_TAIL_VERSION(tail) ((uint8_t)((tail) >> 32))
#define ACTIVITY_TAIL_DEPTH(tail)   ((uint32_t)((tail) >> 40))
#define ACTIVITY_TAIL_ELSEWHERE	    ((uint64_t)ACTIVITY_RECORD_ELSEWHERE << 32)
#define ACTIVITY_TAIL_ONE_DEEPER    ((uint64_t)1 << 40)
#define ACTIVITY_TAIL(state, flags, depth)                                                         \
	((uint64_t)(state) | (uint64_t)(uint8_t)(flags) << 8 |                                     \
	 (uint64_t)ACTIVITY_RECORD_VERSION << 32 | (uint64_t)(depth) << 40)

#endif
