// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Decodes the thread context of OTEP 4947 at the end of bpf/node.h's walk. Its `valid` has another meaning than
 * elsewhere: the end of a span clears it for good, because callbacks that began in the span still refer to the record.
 * So a record that is not valid is no activity here; elsewhere it is an unfinished change.
 *
 * The walk reads internal structures of V8. A wrong step leads to bytes that are no record, so the record is checked
 * against the specification.
 */
#include <string.h>

#include "activity/decoders.h"

#define HEAD_SIZE 28
#define ATTRS_MAX (640 - HEAD_SIZE)

enum activity_state activity_decode_node(const u8 *bytes, size_t size, struct activity *a)
{
	u16 attrs;

	if (size < HEAD_SIZE)
		return ACTIVITY_TRUNCATED;
	memcpy(&attrs, bytes + 26, sizeof(attrs));
	if (bytes[24] > 1 || attrs > ATTRS_MAX ||
	    activity_all_zero(bytes, 16) != activity_all_zero(bytes + 16, 8))
		return ACTIVITY_UNREADABLE;
	return bytes[24] ? activity_decode_otep(bytes, size, a) : ACTIVITY_NONE;
}
