// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Elastic's profiling correlation, thread storage, byte-packed:
 *
 *	0  u16 minor version      5   trace id, 16 bytes
 *	2  valid, 0 in a change   21  span id, 8 bytes
 *	3  trace present          29  transaction id, 8 bytes: the outermost span of the service
 *	4  trace flags
 *
 * Later minor versions append to it.
 */
#include <string.h>

#include "activity/decoders.h"

#define RECORD_SIZE 37

enum activity_state activity_decode_elastic(const u8 *bytes, size_t size, struct activity *a)
{
	u16 minor;

	if (size < RECORD_SIZE)
		return ACTIVITY_TRUNCATED;
	memcpy(&minor, bytes, sizeof(minor));
	if (minor == 0)
		return ACTIVITY_UNREADABLE;
	if (!bytes[2])
		return ACTIVITY_UPDATING;
	if (!bytes[3])
		return ACTIVITY_NONE;
	a->flags = bytes[4];
	memcpy(a->trace_id, bytes + 5, sizeof(a->trace_id));
	memcpy(a->span_id, bytes + 21, sizeof(a->span_id));
	memcpy(a->root_span, bytes + 29, sizeof(a->root_span));
	a->has = ACTIVITY_HAS_IDS | ACTIVITY_HAS_FLAGS | ACTIVITY_HAS_ROOT;
	return ACTIVITY_OK;
}
