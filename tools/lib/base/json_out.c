// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/json_out.h"

#include <math.h>
#include <string.h>

#include "base/digits.h"
#include "base/text.h"

#define GATHERED 65536 /* bytes that are written at once */

void json_out_init(struct json_out *j, FILE *out)
{
	*j = (struct json_out){ .out = out, .text = g_string_sized_new(GATHERED + 4096) };
}

static void json_out_flush(struct json_out *j)
{
	fwrite(j->text->str, 1, j->text->len, j->out);
	g_string_truncate(j->text, 0);
}

void json_out_release(struct json_out *j)
{
	if (j->out)
		json_out_flush(j);
	g_string_free(j->text, TRUE);
}

static void before_value(struct json_out *j)
{
	if (j->out && j->text->len >= GATHERED)
		json_out_flush(j);
	if (j->comma)
		g_string_append_c(j->text, ',');
	j->comma = true;
}

void json_out_begin(struct json_out *j, char bracket)
{
	before_value(j);
	g_string_append_c(j->text, bracket);
	j->comma = false;
}

void json_out_end(struct json_out *j, char bracket)
{
	g_string_append_c(j->text, bracket);
	j->comma = true;
}

void json_out_line(struct json_out *j)
{
	if (j->one_line)
		return;
	if (j->comma)
		g_string_append_c(j->text, ',');
	g_string_append_c(j->text, '\n');
	j->comma = false;
}

static bool is_plain(unsigned char c)
{
	return c >= 0x20 && c != '"' && c != '\\' && c != 0x7f;
}

static void append_escaped(struct json_out *j, const char *text, size_t size)
{
	size_t start = 0;

	for (size_t i = 0; i < size; i++) {
		unsigned char c = (unsigned char)text[i];

		if (is_plain(c))
			continue;
		g_string_append_len(j->text, text + start, (gssize)(i - start));
		start = i + 1;
		if (c == '"' || c == '\\')
			g_string_append_printf(j->text, "\\%c", c);
		else
			g_string_append_printf(j->text, "\\u%04x", c);
	}
	g_string_append_len(j->text, text + start, (gssize)(size - start));
}

void json_out_text_size(struct json_out *j, const char *text, size_t size)
{
	before_value(j);
	g_string_append_c(j->text, '"');
	if (g_utf8_validate(text, (gssize)size, NULL)) {
		append_escaped(j, text, size);
	} else {
		g_autoptr(GString) shown = g_string_new(NULL);

		text_append_shown(shown, text, size, false);
		append_escaped(j, shown->str, shown->len);
	}
	g_string_append_c(j->text, '"');
}

void json_out_text(struct json_out *j, const char *text)
{
	json_out_text_size(j, text, strlen(text));
}

void json_out_key(struct json_out *j, const char *key)
{
	json_out_text(j, key);
	g_string_append_c(j->text, ':');
	j->comma = false;
}

void json_out_u64(struct json_out *j, u64 value)
{
	before_value(j);
	digits_dec(j->text, value, 0);
}

void json_out_s64(struct json_out *j, s64 value)
{
	before_value(j);
	digits_signed(j->text, value, 0);
}

void json_out_real(struct json_out *j, double value)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];

	if (!isfinite(value)) {
		json_out_null(j);
		return;
	}
	before_value(j);
	g_string_append(j->text, g_ascii_formatd(text, sizeof(text), "%.12g", value));
}

void json_out_hex(struct json_out *j, u64 value)
{
	before_value(j);
	g_string_append(j->text, "\"0x");
	digits_hex(j->text, value, 0);
	g_string_append_c(j->text, '"');
}

void json_out_bool(struct json_out *j, bool value)
{
	before_value(j);
	g_string_append(j->text, value ? "true" : "false");
}

void json_out_null(struct json_out *j)
{
	before_value(j);
	g_string_append(j->text, "null");
}

void json_out_pair(struct json_out *j, const char *key, const char *text)
{
	json_out_key(j, key);
	json_out_text(j, text);
}

void json_out_open(struct json_out *j, const char *key, char bracket)
{
	json_out_key(j, key);
	json_out_begin(j, bracket);
}
