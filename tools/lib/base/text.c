// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/text.h"

#include <glib.h>

/* Joiners are format characters, too, but words of some scripts and emoji are spelt with them. */
static bool is_shown(gunichar c)
{
	const gunichar non_joiner = 0x200c, joiner = 0x200d;

	switch (g_unichar_type(c)) {
	case G_UNICODE_CONTROL:
	case G_UNICODE_LINE_SEPARATOR:
	case G_UNICODE_PARAGRAPH_SEPARATOR:
		return false;
	case G_UNICODE_FORMAT:
		return c == non_joiner || c == joiner;
	default:
		return true;
	}
}

char *text_clean(const char *text, size_t size, size_t max)
{
	/* No character is more than 4 bytes, so that where this cuts one, it is not shown. */
	g_autofree char *valid = g_utf8_make_valid(text, (gssize)MIN(size, 4 * max));
	GString *clean = g_string_new(NULL);

	for (const char *at = valid; *at; at = g_utf8_next_char(at)) {
		size_t length = (size_t)(g_utf8_next_char(at) - at);
		bool shown = is_shown(g_utf8_get_char(at));

		if (clean->len + (shown ? length : 1) > max)
			break;
		if (shown)
			g_string_append_len(clean, at, (gssize)length);
		else
			g_string_append_c(clean, '?');
	}
	return g_string_free(clean, FALSE);
}

static u32 columns_of(gunichar c)
{
	return g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
}

/* Nearly all names are: each byte is a column. */
static bool is_plain(const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (text[i] < ' ' || text[i] > '~')
			return false;
	return true;
}

u32 text_columns(const char *text, size_t size)
{
	u32 columns = 0;

	if (is_plain(text, size))
		return (u32)MIN(size, UINT32_MAX);
	if (!g_utf8_validate(text, (gssize)size, NULL))
		return (u32)MIN(size, UINT32_MAX);
	for (const char *at = text; at < text + size; at = g_utf8_next_char(at))
		columns += columns_of(g_utf8_get_char(at));
	return columns;
}

size_t text_fit(const char *text, size_t size, u32 columns)
{
	const char *at = text;

	if (!g_utf8_validate(text, (gssize)size, NULL))
		return MIN(size, columns);
	for (; at < text + size; at = g_utf8_next_char(at)) {
		u32 more = columns_of(g_utf8_get_char(at));

		if (more > columns)
			break;
		columns -= more;
	}
	return (size_t)(at - text);
}
