// SPDX-License-Identifier: GPL-2.0-or-later
/* libactivity's own record: what its check does not confirm is no activity. */
#include <string.h>

#include "activity/decoders.h"
#include "activity/record.h"

enum activity_state activity_decode_inline(const u8 *bytes, size_t size, struct activity *a)
{
	struct activity_record record;

	if (size < sizeof(record))
		return ACTIVITY_TRUNCATED;
	memcpy(&record, bytes, sizeof(record));
	if (activity_all_zero(bytes, sizeof(record)))
		return ACTIVITY_NONE;
	if ((u8)record.head != ACTIVITY_RECORD_VERSION)
		return ACTIVITY_UNREADABLE;
	switch ((u8)(record.head >> 8)) {
	case ACTIVITY_RECORD_NONE:
		return ACTIVITY_NONE;
	case ACTIVITY_RECORD_UPDATING:
		return ACTIVITY_UPDATING;
	case ACTIVITY_RECORD_SET:
		break;
	default:
		return ACTIVITY_UNREADABLE;
	}
	if (record.head >> 32 !=
	    activity_record_check(record.trace[0], record.trace[1], record.span))
		return ACTIVITY_UPDATING;
	memcpy(a->trace_id, record.trace, sizeof(a->trace_id));
	memcpy(a->span_id, &record.span, sizeof(a->span_id));
	a->has = ACTIVITY_HAS_IDS;
	return ACTIVITY_OK;
}
