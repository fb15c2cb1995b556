// SPDX-License-Identifier: GPL-2.0-or-later
/* libactivity's own record, activity/record.h. */
#include <string.h>

#include "activity/decoders.h"
#include "activity/record.h"

enum activity_state activity_decode_inline(const u8 *bytes, size_t size, struct activity *a)
{
	struct activity_record record;

	if (size < sizeof(record))
		return ACTIVITY_TRUNCATED;
	memcpy(&record, bytes, sizeof(record));
	if (ACTIVITY_TAIL_STATE(record.tail) == ACTIVITY_RECORD_NEVER)
		return ACTIVITY_NONE;
	if (ACTIVITY_TAIL_STATE(record.tail) == ACTIVITY_RECORD_UPDATING)
		return ACTIVITY_UPDATING;
	if ((ACTIVITY_TAIL_VERSION(record.tail) & ~ACTIVITY_RECORD_ELSEWHERE) !=
	    ACTIVITY_RECORD_VERSION)
		return ACTIVITY_UNREADABLE;
	switch (ACTIVITY_TAIL_STATE(record.tail)) {
	case ACTIVITY_RECORD_NONE:
		return ACTIVITY_NONE;
	case ACTIVITY_RECORD_SET:
	case ACTIVITY_RECORD_WIDE:
		break;
	default:
		return ACTIVITY_UNREADABLE;
	}
	if (!(record.trace[0] | record.trace[1] | record.span))
		return ACTIVITY_NONE;
	memcpy(a->trace_id, record.trace, sizeof(a->trace_id));
	memcpy(a->span_id, &record.span, sizeof(a->span_id));
	memcpy(a->root_span, &record.span, sizeof(a->root_span));
	a->flags = ACTIVITY_TAIL_FLAGS(record.tail);
	a->has = ACTIVITY_HAS_IDS | ACTIVITY_HAS_ROOT | ACTIVITY_HAS_FLAGS;
	if (ACTIVITY_TAIL_DEPTH(record.tail) >= 2) {
		memcpy(a->parent_id, &record.parent, sizeof(a->parent_id));
		memcpy(a->root_span, &record.parent, sizeof(a->root_span));
		a->has |= ACTIVITY_HAS_PARENT;
	}
	if (ACTIVITY_TAIL_DEPTH(record.tail) >= 3)
		memcpy(a->root_span, &record.root, sizeof(a->root_span));
	return ACTIVITY_OK;
}
