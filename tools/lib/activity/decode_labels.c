// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Labels that a BPF program gathered from behind pointers: {u8 key size, u8 value size, key,
 * value}, one behind the other. They have no ids, so all of them together are the activity.
 */
#include "activity/decoders.h"

enum activity_state activity_decode_labels(const u8 *bytes, size_t size, struct activity *a)
{
	if (size == 0)
		return ACTIVITY_NONE;
	a->labels.form = ACTIVITY_LABELS_PAIRS;
	a->labels.data = bytes;
	a->labels.size = (u32)size;
	activity_value_of_labels(a);
	return a->value_size ? ACTIVITY_OK : ACTIVITY_UNREADABLE;
}
