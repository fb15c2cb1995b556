/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The record behind activity.h as it lies in a thread's memory, for its writer and its decoder.
 * Documentation/formats/activity-record.md describes it to everybody else.
 *
 *	offset  size
 *	0       1     version: 1, or 0 in a thread that never set anything
 *	1       1     state: 0 none, 1 an activity, 2 being updated
 *	2       2     zero
 *	4       4     check: of the ids below, activity_record_check()
 *	8       16    trace id
 *	24      8     span id
 *
 * The first eight bytes are written by one store. The check is there for one case: a signal
 * handler sets an activity in the middle of an update, and the interrupted update goes on
 * writing its ids under the handler's state. Without it the mix would look whole.
 */
#ifndef ACTIVITY_RECORD_H
#define ACTIVITY_RECORD_H

#include <stdint.h>

#define ACTIVITY_RECORD_SYMBOL	"activity_record"
#define ACTIVITY_RECORD_SIZE	32
#define ACTIVITY_RECORD_VERSION 1

enum activity_record_state {
	ACTIVITY_RECORD_NONE = 0,
	ACTIVITY_RECORD_SET = 1,
	ACTIVITY_RECORD_UPDATING = 2,
};

struct activity_record {
	uint64_t head; /* version, state, zero, check: see above */
	uint64_t trace[2];
	uint64_t span;
};

/* Of the ids as words of the machine. A mix of two activities passes for whole once in 2^32. */
static inline uint32_t activity_record_check(uint64_t trace0, uint64_t trace1, uint64_t span)
{
	uint64_t mix = trace0 * 0x9e3779b97f4a7c15u + trace1 * 0xc2b2ae3d27d4eb4fu +
		       span * 0x165667b19e3779f9u;

	return (uint32_t)(mix ^ mix >> 32);
}

static inline uint64_t activity_record_head(enum activity_record_state state, uint32_t check)
{
	return ACTIVITY_RECORD_VERSION | (uint64_t)state << 8 | (uint64_t)check << 32;
}

#endif
