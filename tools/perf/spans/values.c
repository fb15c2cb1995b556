// SPDX-License-Identifier: GPL-2.0-or-later
#include "spans/values.h"

#include <glib.h>
#include <string.h>

/* Reads an id: hexadecimal digits, or base64 of exactly @size bytes. */
static bool parse_id(const char *text, size_t length, u8 *id, u32 size)
{
	g_autofree guchar *bytes = NULL;
	g_autofree char *copy = NULL;
	gsize got;

	if (!length || length != (size + 2) / 3 * 4 || text[length - 1] != '=')
		return span_id_parse(text, length, id, size);
	copy = g_strndup(text, length);
	bytes = g_base64_decode(copy, &got);
	if (got != size)
		return false;
	memcpy(id, bytes, size);
	return true;
}

void value_trace_id(const char *text, size_t length, u8 id[SPAN_TRACE_ID_SIZE])
{
	if (!parse_id(text, length, id, SPAN_TRACE_ID_SIZE))
		memset(id, 0, SPAN_TRACE_ID_SIZE);
}

u64 value_span_id(const char *text, size_t length)
{
	u8 bytes[8];

	return parse_id(text, length, bytes, sizeof(bytes)) ? span_number(bytes) : 0;
}

u64 value_number(const char *text, size_t length)
{
	u64 number = 0;

	for (size_t i = 0; i < length && g_ascii_isdigit(text[i]); i++) {
		if (number > (UINT64_MAX - 9) / 10)
			return 0;
		number = 10 * number + (u64)(text[i] - '0');
	}
	return number;
}

u64 value_us(const char *text, size_t length)
{
	u64 us = value_number(text, length);

	return us > UINT64_MAX / 1000 ? 0 : 1000 * us;
}

bool value_ends_in(const char *text, size_t length, const char *end)
{
	size_t size = strlen(end);

	return length >= size && !g_ascii_strncasecmp(text + length - size, end, size);
}

enum span_kind value_kind(const char *text, size_t length)
{
	u64 number = value_number(text, length);

	for (enum span_kind kind = SPAN_INTERNAL; kind <= SPAN_CONSUMER; kind++)
		if (number == kind || value_ends_in(text, length, span_kind_name(kind)))
			return kind;
	return SPAN_UNSPECIFIED;
}

enum span_status value_status(const char *text, size_t length)
{
	u64 number = value_number(text, length);

	if (number == SPAN_ERROR || value_ends_in(text, length, "error"))
		return SPAN_ERROR;
	return number == SPAN_OK || value_ends_in(text, length, "ok") ? SPAN_OK : SPAN_UNSET;
}
