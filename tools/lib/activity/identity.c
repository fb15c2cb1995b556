// SPDX-License-Identifier: GPL-2.0-or-later
#include "activity/identity.h"

#include <stdio.h>
#include <string.h>

static const char *const state_names[] = {
	[ACTIVITY_NONE] = "none",
	[ACTIVITY_OK] = "ok",
	[ACTIVITY_UPDATING] = "being updated",
	[ACTIVITY_UNREADABLE] = "unreadable",
	[ACTIVITY_TRUNCATED] = "truncated",
	[ACTIVITY_INEXACT] = "inexact",
	[ACTIVITY_NOT_YET] = "not looked up yet",
	[ACTIVITY_INTERRUPT] = "interrupt",
	[ACTIVITY_NOT_READ] = "not read",
};

/* The size of the bytes that identify the activity among those of its state, and their kind. */
static u32 id_size(const struct activity *a)
{
	return a->has & ACTIVITY_HAS_IDS ? sizeof(a->trace_id) + sizeof(a->span_id) : a->value_size;
}

static u32 id_kind(const struct activity *a)
{
	u32 format = a->has & ACTIVITY_HAS_IDS ? ACTIVITY_NR_FORMATS : a->format;

	return (u32)a->state << 16 | format << 8 | id_size(a);
}

bool activity_equal(const struct activity *a, const struct activity *b)
{
	return id_kind(a) == id_kind(b) && memcmp(a->value, b->value, id_size(a)) == 0;
}

u32 activity_hash(const struct activity *activity)
{
	u64 words[ACTIVITY_VALUE_MAX / sizeof(u64)] = { 0 }, hash = id_kind(activity);
	u32 size = id_size(activity);

	memcpy(words, activity->value, MIN(size, sizeof(words)));
	for (size_t i = 0; i * sizeof(u64) < size; i++) {
		hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u;
		hash ^= hash >> 32;
	}
	return (u32)hash;
}

int activity_compare(const struct activity *a, const struct activity *b)
{
	bool a_ok = a->state == ACTIVITY_OK, b_ok = b->state == ACTIVITY_OK;
	u32 size = MIN(id_size(a), id_size(b));
	int order;

	if (a_ok != b_ok)
		return a_ok ? -1 : 1;
	order = memcmp(a->value, b->value, size);
	if (order)
		return order;
	return id_kind(a) < id_kind(b) ? -1 : id_kind(a) > id_kind(b);
}

static char *print_hex(char *to, const u8 *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		to += sprintf(to, "%02x", bytes[i]);
	return to;
}

/* The size of the printable character at @bytes; 0: there is none. */
static size_t printable(const u8 *bytes, size_t size)
{
	const char *text = (const char *)bytes;
	gunichar c = g_utf8_get_char_validated(text, (gssize)size);

	if (c == (gunichar)-1 || c == (gunichar)-2 || c == '\\' || !g_unichar_isprint(c))
		return 0;
	return (size_t)(g_utf8_next_char(text) - text);
}

static void print_string(char *to, const u8 *bytes, size_t size)
{
	for (size_t i = 0; i < size;) {
		size_t len = printable(bytes + i, size - i);

		if (len) {
			memcpy(to, bytes + i, len);
			to += len;
			i += len;
		} else {
			to += sprintf(to, "\\x%02x", bytes[i++]);
		}
	}
	*to = '\0';
}

static void print_value(const struct activity *activity, char *to)
{
	static const u8 uuid_groups[] = { 4, 2, 2, 2, 6 };
	const u8 *bytes = activity->value;
	size_t size = MIN(activity->value_size, ACTIVITY_VALUE_MAX);
	u64 number = 0;

	if (activity->has & ACTIVITY_HAS_IDS) {
		to = print_hex(to, activity->trace_id, sizeof(activity->trace_id));
		*to++ = ':';
		print_hex(to, activity->span_id, sizeof(activity->span_id));
		return;
	}
	switch ((enum activity_format)activity->format) {
	case ACTIVITY_U64:
		memcpy(&number, bytes, MIN(size, sizeof(number)));
		sprintf(to, "%" G_GUINT64_FORMAT, number);
		break;
	case ACTIVITY_HEX:
		print_hex(to, bytes, size);
		break;
	case ACTIVITY_UUID:
		for (size_t i = 0; i < ARRAY_SIZE(uuid_groups); bytes += uuid_groups[i++]) {
			if (i)
				*to++ = '-';
			to = print_hex(to, bytes, uuid_groups[i]);
		}
		break;
	default:
		print_string(to, bytes, size);
		break;
	}
}

const char *activity_print(const struct activity *activity, char text[ACTIVITY_TEXT_MAX])
{
	text[0] = '\0';
	if (activity->state == ACTIVITY_OK || activity_has_value(activity))
		print_value(activity, text);
	else
		sprintf(text, "(%s)", activity_state_name(activity->state));
	return text;
}

const char *activity_state_name(enum activity_state state)
{
	return (u32)state < ARRAY_SIZE(state_names) ? state_names[state] : "unknown";
}
