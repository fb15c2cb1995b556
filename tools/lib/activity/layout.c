// SPDX-License-Identifier: GPL-2.0-or-later
#include "activity/layout.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "activity/record.h"

static const struct format {
	const char *name;
	u32 max_size;
} formats[] = {
	[ACTIVITY_RECORD] = { "activity", ACTIVITY_RECORD_SIZE }, [ACTIVITY_U64] = { "u64", 8 },
	[ACTIVITY_HEX] = { "hex", ACTIVITY_VALUE_MAX },		  [ACTIVITY_UUID] = { "uuid", 16 },
	[ACTIVITY_STRING] = { "string", ACTIVITY_VALUE_MAX },
};

static const char *const state_names[] = {
	[ACTIVITY_NONE] = "none",
	[ACTIVITY_OK] = "ok",
	[ACTIVITY_UPDATING] = "being updated",
	[ACTIVITY_UNREADABLE] = "unreadable",
	[ACTIVITY_TRUNCATED] = "truncated",
};

static bool size_fits(enum activity_format format, u64 size)
{
	switch (format) {
	case ACTIVITY_RECORD:
	case ACTIVITY_UUID:
		return size == formats[format].max_size;
	case ACTIVITY_U64:
		return size == 1 || size == 2 || size == 4 || size == 8;
	case ACTIVITY_HEX:
	case ACTIVITY_STRING:
		return size >= 1 && size <= formats[format].max_size;
	}
	return false;
}

static bool parse_number(const char *text, u32 *number)
{
	bool hex = g_str_has_prefix(text, "0x") || g_str_has_prefix(text, "0X");
	const char *digits = hex ? text + 2 : text;
	guint64 value;

	if (!g_ascii_string_to_unsigned(digits, hex ? 16 : 10, 0, G_MAXUINT32, &value, NULL))
		return false;
	*number = (u32)value;
	return true;
}

static bool parse_format(const char *text, enum activity_format *format)
{
	for (enum activity_format f = ACTIVITY_U64; f < ARRAY_SIZE(formats); f++) {
		if (strcmp(text, formats[f].name) == 0) {
			*format = f;
			return true;
		}
	}
	return false;
}

static bool parse_variable(const char *text, char **part, struct activity_layout *layout,
			   GError **error)
{
	guint nr = g_strv_length(part);

	if (nr > 4)
		return error_set(error, PERF_ERROR_USAGE,
				 "layout '%s': more than SYMBOL:offset:size:type", text);
	if (!*part[0])
		return error_set(error, PERF_ERROR_USAGE, "layout '%s': no symbol before ':'",
				 text);
	if (nr > 1 && !parse_number(part[1], &layout->offset))
		return error_set(error, PERF_ERROR_USAGE,
				 "layout '%s': offset '%s' is not a number", text, part[1]);
	if (nr > 2 && (!parse_number(part[2], &layout->size) || !layout->size ||
		       layout->size > ACTIVITY_VALUE_MAX))
		return error_set(error, PERF_ERROR_USAGE,
				 "layout '%s': size '%s' is not a number from 1 to %d", text,
				 part[2], ACTIVITY_VALUE_MAX);
	layout->format = size_fits(ACTIVITY_U64, layout->size) ? ACTIVITY_U64 : ACTIVITY_HEX;
	if (nr > 3 && !parse_format(part[3], &layout->format))
		return error_set(error, PERF_ERROR_USAGE,
				 "layout '%s': type '%s' is none of u64, hex, uuid, string", text,
				 part[3]);
	if (layout->size && !size_fits(layout->format, layout->size))
		return error_set(error, PERF_ERROR_USAGE, "layout '%s': a %s cannot have %u bytes",
				 text, formats[layout->format].name, layout->size);
	layout->symbol = g_strdup(part[0]);
	return true;
}

bool activity_layout_parse(const char *text, struct activity_layout *layout, GError **error)
{
	g_auto(GStrv) part = NULL;

	*layout = (struct activity_layout){ 0 };
	if (!text || !*text || strcmp(text, "activity") == 0) {
		layout->format = ACTIVITY_RECORD;
		layout->symbol = g_strdup(ACTIVITY_RECORD_SYMBOL);
		layout->size = ACTIVITY_RECORD_SIZE;
		return true;
	}
	part = g_strsplit(text, ":", 0);
	return parse_variable(text, part, layout, error);
}

bool activity_layout_place(const struct activity_layout *asked, s64 tpoff, u64 symbol_size,
			   struct activity_layout *placed, GError **error)
{
	u64 left;

	*placed = *asked;
	placed->tpoff = tpoff;
	if (symbol_size == 0)
		symbol_size = (u64)asked->offset + asked->size;
	left = symbol_size > asked->offset ? symbol_size - asked->offset : 0;
	if (left == 0 || asked->size > left)
		return error_set(error, PERF_ERROR_UNSUPPORTED,
				 "symbol '%s' has %" G_GUINT64_FORMAT
				 " bytes, and %u at offset %u are asked for",
				 asked->symbol, symbol_size, MAX(asked->size, 1), asked->offset);
	if (placed->size == 0) {
		placed->size = (u32)MIN(left, formats[asked->format].max_size);
		if (asked->format == ACTIVITY_HEX && size_fits(ACTIVITY_U64, left))
			placed->format = ACTIVITY_U64;
	}
	if (!activity_layout_valid(placed))
		return error_set(error, PERF_ERROR_UNSUPPORTED,
				 "symbol '%s' has %u bytes at offset %u, which do not make a %s",
				 asked->symbol, placed->size, placed->offset,
				 formats[placed->format].name);
	return true;
}

bool activity_layout_valid(const struct activity_layout *layout)
{
	return (u32)layout->format < ARRAY_SIZE(formats) &&
	       size_fits(layout->format, layout->size) && layout->tpoff < 0 &&
	       layout->tpoff >= -(s64)G_MAXUINT32 &&
	       layout->tpoff + layout->offset + layout->size <= 0;
}

u32 activity_layout_window(const struct activity_layout *layout)
{
	u64 window = ALIGN_UP((u64) - (layout->tpoff + (s64)layout->offset), 8);

	if (window > ACTIVITY_WINDOW_MAX)
		return 0;
	return (u32)MAX(window, ACTIVITY_WINDOW_MIN);
}

static bool all_zero(const u8 *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (bytes[i])
			return false;
	}
	return true;
}

static enum activity_state decode_record(const u8 *bytes, struct activity *activity)
{
	struct activity_record record;

	memcpy(&record, bytes, sizeof(record));
	if (all_zero(bytes, sizeof(record)))
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
	memcpy(activity->trace_id, record.trace, sizeof(activity->trace_id));
	memcpy(activity->span_id, &record.span, sizeof(activity->span_id));
	return ACTIVITY_OK;
}

static enum activity_state decode_value(const struct activity_layout *layout, const u8 *bytes,
					struct activity *activity)
{
	u32 size = layout->size;

	if (layout->format == ACTIVITY_STRING)
		size = (u32)strnlen((const char *)bytes, size);
	else if (layout->format != ACTIVITY_U64 && all_zero(bytes, size))
		size = 0;
	if (size == 0)
		return ACTIVITY_NONE;
	memcpy(activity->value, bytes, size);
	activity->value_size = (u8)size;
	return ACTIVITY_OK;
}

void activity_decode(const struct activity_layout *layout, const u8 *data, u64 size, u64 dyn_size,
		     struct activity *activity)
{
	u64 below, start; /* of the first byte read: below the thread pointer, into the window */

	memset(activity, 0, sizeof(*activity));
	if (!layout || size == 0)
		return;
	if (!activity_layout_valid(layout)) {
		activity->state = ACTIVITY_UNREADABLE;
		return;
	}
	if (dyn_size == 0) {
		activity->state = ACTIVITY_UNREADABLE;
		return;
	}
	below = (u64) - (layout->tpoff + (s64)layout->offset);
	if (below > size) {
		activity->state = ACTIVITY_TRUNCATED;
		return;
	}
	start = size - below;
	if (start + layout->size > dyn_size) {
		activity->state = ACTIVITY_UNREADABLE;
		return;
	}
	if (layout->format == ACTIVITY_RECORD)
		activity->state = (u8)decode_record(data + start, activity);
	else
		activity->state = (u8)decode_value(layout, data + start, activity);
	if (activity->state == ACTIVITY_OK)
		activity->format = (u8)layout->format;
}

bool activity_equal(const struct activity *a, const struct activity *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

u32 activity_hash(const struct activity *activity)
{
	const u8 *bytes = (const u8 *)activity;
	u64 hash = 0xcbf29ce484222325u;

	G_STATIC_ASSERT(sizeof(*activity) == 3 + 16 + 8 + ACTIVITY_VALUE_MAX);
	for (size_t i = 0; i < sizeof(*activity); i++)
		hash = (hash ^ bytes[i]) * 0x100000001b3u;
	return (u32)(hash ^ hash >> 32);
}

static char *print_hex(char *to, const u8 *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		to += sprintf(to, "%02x", bytes[i]);
	return to;
}

/* The bytes of the printable character at @bytes, 0 where there is none. */
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

	switch ((enum activity_format)activity->format) {
	case ACTIVITY_RECORD:
		to = print_hex(to, activity->trace_id, sizeof(activity->trace_id));
		*to++ = ':';
		print_hex(to, activity->span_id, sizeof(activity->span_id));
		break;
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
	case ACTIVITY_STRING:
		print_string(to, bytes, size);
		break;
	}
}

const char *activity_print(const struct activity *activity, char text[ACTIVITY_TEXT_MAX])
{
	text[0] = '\0';
	if (activity->state == ACTIVITY_OK)
		print_value(activity, text);
	else
		sprintf(text, "(%s)", activity_state_name(activity->state));
	return text;
}

const char *activity_state_name(enum activity_state state)
{
	return (u32)state < ARRAY_SIZE(state_names) ? state_names[state] : "unknown";
}
