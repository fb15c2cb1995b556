// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the walk of bpf/node.h ends at: a thread context of OTEP 4947. What differs is its `valid`: a
 * span that ends clears it for good, because callbacks that began in the span still hold the
 * record. So a record that is not valid is no activity, where it is a half-made change elsewhere.
 *
 * The walk goes through structures that are no interface of V8. A step that went wrong ends at
 * bytes that are no record, so the record is held against what the specification allows.
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
