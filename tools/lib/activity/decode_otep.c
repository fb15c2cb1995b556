// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * OTEP 4947's thread context, byte-packed:
 *
 *	0   trace id, 16 bytes       24  valid: 1, or the rest is not to be used
 *	16  span id, 8 bytes         25  trace flags
 *	                             26  u16: bytes of attributes, {u8 key, u8 size, value}
 *
 * A writer that edits a record in place clears `valid` for the time being, and leaves it cleared
 * while the thread has no context. Only zero ids tell the latter from the former.
 */
#include <string.h>

#include "activity/decoders.h"
#include "activity/process.h"

#define HEAD_SIZE	28
#define OTEP_VALID	1
#define LOCAL_ROOT_SPAN "datadog.local_root_span_id"

/* The outermost span of the service, where it is stated as 16 hexadecimal digits. */
static void find_root(struct activity *a)
{
	const char *text;
	size_t size;

	if (!activity_label(a, LOCAL_ROOT_SPAN, &text, &size) || size != 16)
		return;
	for (size_t i = 0; i < size; i++) {
		if (!g_ascii_isxdigit(text[i]))
			return;
	}
	for (size_t i = 0; i < sizeof(a->root_span); i++)
		a->root_span[i] = (u8)(g_ascii_xdigit_value(text[2 * i]) << 4 |
				       g_ascii_xdigit_value(text[2 * i + 1]));
	a->has |= ACTIVITY_HAS_ROOT;
}

enum activity_state activity_decode_otep(const u8 *bytes, size_t size, struct activity *a)
{
	bool no_ids;
	u16 attrs;

	if (size < HEAD_SIZE)
		return ACTIVITY_TRUNCATED;
	no_ids = activity_all_zero(bytes, 24);
	if (bytes[24] != OTEP_VALID)
		return no_ids ? ACTIVITY_NONE : ACTIVITY_UPDATING;
	memcpy(&attrs, bytes + 26, sizeof(attrs));
	if (attrs) {
		a->labels.form = ACTIVITY_LABELS_OTEP;
		a->labels.data = bytes + HEAD_SIZE;
		a->labels.size = (u32)MIN(attrs, size - HEAD_SIZE);
		a->labels.cut |= attrs > size - HEAD_SIZE;
		a->labels.keys = a->process ? &a->process->keys : NULL;
	}
	if (no_ids) {
		if (!attrs)
			return ACTIVITY_NONE;
		activity_value_of_labels(a);
		return a->value_size ? ACTIVITY_OK : ACTIVITY_NONE;
	}
	memcpy(a->trace_id, bytes, sizeof(a->trace_id));
	memcpy(a->span_id, bytes + 16, sizeof(a->span_id));
	a->flags = bytes[25];
	a->has = ACTIVITY_HAS_IDS | ACTIVITY_HAS_FLAGS;
	find_root(a);
	return ACTIVITY_OK;
}
