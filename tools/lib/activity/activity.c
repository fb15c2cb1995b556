// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The record is plain thread-local memory. Whoever reads it, a signal handler of this thread or
 * a sampling interrupt on this thread's CPU, stops the thread between two instructions and so
 * sees a prefix of its stores: the order of the stores, kept by the compiler, is all that
 * counts, and no barrier of the CPU is needed.
 *
 * An update marks the record, writes the ids, and puts the new state with their check over the
 * mark. A handler that sets an activity in between leaves a whole record behind, of which the
 * update then overwrites a part: the check no longer fits until the update, which looks at what
 * it finds in the end, has written everything anew.
 */
#include "activity/activity.h"

#include <stdatomic.h>
#include <string.h>

#include "activity/record.h"

#define EXPORT __attribute__((visibility("default")))

/* Not initialized, so that it lies in .tbss, which is closer to the thread pointer than .tdata. */
EXPORT extern __thread volatile struct activity_record activity_record;
EXPORT __thread volatile struct activity_record activity_record
	__attribute__((tls_model("initial-exec"), aligned(ACTIVITY_RECORD_SIZE)));

static inline void publish(uint64_t trace0, uint64_t trace1, uint64_t span, uint64_t head)
{
	volatile struct activity_record *record = &activity_record;

	do {
		record->head = activity_record_head(ACTIVITY_RECORD_UPDATING, 0);
		atomic_signal_fence(memory_order_seq_cst);
		record->trace[0] = trace0;
		record->trace[1] = trace1;
		record->span = span;
		atomic_signal_fence(memory_order_seq_cst);
		record->head = head;
		atomic_signal_fence(memory_order_seq_cst);
	} while (record->trace[0] != trace0 || record->trace[1] != trace1 || record->span != span ||
		 record->head != head);
}

EXPORT void activity_set(const uint8_t trace_id[ACTIVITY_TRACE_ID_SIZE],
			 const uint8_t span_id[ACTIVITY_SPAN_ID_SIZE])
{
	uint64_t trace[2], span;

	memcpy(trace, trace_id, sizeof(trace));
	memcpy(&span, span_id, sizeof(span));
	if (!(trace[0] | trace[1] | span)) {
		activity_clear();
		return;
	}
	publish(trace[0], trace[1], span,
		activity_record_head(ACTIVITY_RECORD_SET,
				     activity_record_check(trace[0], trace[1], span)));
}

EXPORT void activity_clear(void)
{
	publish(0, 0, 0, activity_record_head(ACTIVITY_RECORD_NONE, 0));
}

EXPORT bool activity_get(uint8_t trace_id[ACTIVITY_TRACE_ID_SIZE],
			 uint8_t span_id[ACTIVITY_SPAN_ID_SIZE])
{
	volatile struct activity_record *record = &activity_record;
	uint64_t head, trace[2], span;
	bool whole;

	/* A handler that comes in between may change the record: then look again. */
	do {
		head = record->head;
		trace[0] = record->trace[0];
		trace[1] = record->trace[1];
		span = record->span;
	} while (head != record->head);
	whole = head == activity_record_head(ACTIVITY_RECORD_SET,
					     activity_record_check(trace[0], trace[1], span));
	if (!whole)
		trace[0] = trace[1] = span = 0;
	memcpy(trace_id, trace, sizeof(trace));
	memcpy(span_id, &span, sizeof(span));
	return whole;
}
