// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/text.h"

#include <glib.h>
#include <string.h>

/* Joiners are format characters, too, but words in some scripts, and some emoji, need them. */
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

static bool is_plain(u8 c)
{
	return c >= 0x20 && c < 0x7f;
}

/* The number of plain bytes at the start of @text. Checks eight bytes at once. */
static size_t plain_length(const char *text, size_t size)
{
	const u64 ones = 0x0101010101010101ull, high = ones * 0x80;
	size_t at = 0;

	for (; at + sizeof(u64) <= size; at += sizeof(u64)) {
		u64 word;

		memcpy(&word, text + at, sizeof(word));
		/* A byte below 0x20 borrows, one from 0x7f on carries into its high bit. */
		if (((word - ones * 0x20) | word | (word + ones)) & high)
			break;
	}
	while (at < size && is_plain((u8)text[at]))
		at++;
	return at;
}

static bool all_is_shown(const char *text, size_t size)
{
	const char *at = text + plain_length(text, size), *end = text + size;

	if (at == end)
		return true;
	if (!g_utf8_validate(at, end - at, NULL)) /* a NUL is not valid, either */
		return false;
	for (; at < end; at = g_utf8_next_char(at))
		if (!is_shown(g_utf8_get_char(at)))
			return false;
	return true;
}

bool text_is_shown(const char *text)
{
	return all_is_shown(text, strlen(text));
}

size_t text_append_shown(GString *out, const char *text, size_t size, bool start_only)
{
	const gunichar cut = (gunichar)-2, invalid = (gunichar)-1;
	size_t at = 0;

	while (at < size) {
		size_t plain = plain_length(text + at, size - at), length;
		gunichar c;

		g_string_append_len(out, text + at, (gssize)plain);
		at += plain;
		if (at == size)
			break;
		c = text[at] ? g_utf8_get_char_validated(text + at, (gssize)(size - at)) : 0;
		if (c == cut && start_only)
			break;
		if (c == cut || c == invalid || c < 0x80) {
			g_string_append_printf(out, "\\x%02x", (u8)text[at++]);
			continue;
		}
		length = (size_t)g_unichar_to_utf8(c, NULL);
		if (is_shown(c))
			g_string_append_len(out, text + at, (gssize)length);
		else
			g_string_append_printf(out, "\\u%04x", c);
		at += length;
	}
	return at;
}

char *text_shown(const char *text)
{
	GString *out = g_string_new(NULL);

	text_append_shown(out, text, strlen(text), false);
	return g_string_free(out, FALSE);
}

char *text_clean(const char *text, size_t size, size_t max)
{
	GString *clean = g_string_new(NULL);
	size_t at = 0;

	while (at < size) {
		size_t before = clean->len;
		u8 first = (u8)text[at];
		/* The length of a valid character with this first byte. */
		size_t length = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;

		at += text_append_shown(clean, text + at, MIN(length, size - at), false);
		if (clean->len > max) {
			g_string_truncate(clean, before);
			break;
		}
	}
	return g_string_free(clean, FALSE);
}

void text_make_shown(GString *out, size_t start)
{
	size_t size = out->len - start;
	g_autofree char *raw = NULL;

	if (all_is_shown(out->str + start, size))
		return;
	raw = g_memdup2(out->str + start, size);
	g_string_truncate(out, start);
	text_append_shown(out, raw, size, false);
}

void text_print(const char *text, FILE *out)
{
	g_autofree char *shown = text_is_shown(text) ? NULL : text_shown(text);

	fputs(shown ?: text, out);
}

static u32 columns_of(gunichar c)
{
	return g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
}

u32 text_columns(const char *text, size_t size)
{
	u32 columns = 0;

	/* Nearly all names are plain: each byte is a column. */
	if (plain_length(text, size) == size)
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

/* The longest end of @text that fits into @columns. */
static const char *end_that_fits(const char *text, u32 columns)
{
	const char *end = text + strlen(text), *at = end;

	while (at > text) {
		const char *before = g_utf8_prev_char(at);

		if (text_columns(before, (size_t)(end - before)) > columns)
			break;
		at = before;
	}
	return at;
}

void text_append_cut(GString *out, const char *text, u32 columns, u32 start)
{
	size_t head = text_fit(text, strlen(text), start);

	g_string_append_len(out, text, (gssize)head);
	g_string_append(out, "…");
	g_string_append(out, end_that_fits(text, columns - 1 - text_columns(text, head)));
}

/* The length in bytes of the first line of @text. */
static size_t line_length(const char *text, u32 columns)
{
	size_t size = strlen(text), fits = text_fit(text, size, columns), end = fits;

	while (fits < size && end && text[end] != ' ')
		end--;
	return end ?: strcspn(text, " ");
}

char **text_wrapped(const char *text, u32 columns, u32 max)
{
	GPtrArray *lines = g_ptr_array_new();

	while (*text && lines->len < max) {
		size_t length = line_length(text, columns);
		const char *rest = text + length + strspn(text + length, " ");

		if (*rest && lines->len + 1 == max) { /* keeps room for the mark */
			length = line_length(text, columns - MIN(columns, 2));
			g_ptr_array_add(lines, g_strdup_printf("%.*s …", (int)length, text));
		} else {
			g_ptr_array_add(lines, g_strndup(text, length));
		}
		text = rest;
	}
	g_ptr_array_add(lines, NULL);
	return (char **)g_ptr_array_free(lines, FALSE);
}
