// SPDX-License-Identifier: GPL-2.0-or-later
/* Upstream's syntax of configuration files, which is git's of 2009. */
#include "cli/config_text.h"

#include <glib.h>
#include <string.h>

struct scanner {
	const char *at, *end;
	u32 line;
	GString *key; /* "section."; while an item is read: "section.name" */
};

/* The next character. The end of the text, and "\r\n", are read as one end of line. */
static int next(struct scanner *s)
{
	if (s->at == s->end)
		return '\n';
	if (s->at[0] == '\r' && s->end - s->at > 1 && s->at[1] == '\n')
		s->at++;
	if (*s->at == '\n')
		s->line++;
	return (unsigned char)*s->at++;
}

static int peek(const struct scanner *s)
{
	if (s->at == s->end || (s->at[0] == '\r' && s->end - s->at > 1 && s->at[1] == '\n'))
		return '\n';
	return (unsigned char)*s->at;
}

static bool is_key_char(int c)
{
	return g_ascii_isalnum(c) || c == '-' || c == '_';
}

static void skip_line(struct scanner *s)
{
	while (s->at < s->end && peek(s) != '\n')
		s->at++;
}

/* Reads the character after a backslash. A line's end there joins the next line. 0: unknown escape. */
static bool take_escape(struct scanner *s, GString *value)
{
	static const char escapes[] = "t\tb\bn\n\\\\\"\"";
	bool ended = s->at == s->end;
	int c = next(s);

	if (c == '\n')
		return !ended;
	for (const char *e = escapes; *e; e += 2) {
		if (c != *e)
			continue;
		g_string_append_c(value, e[1]);
		return true;
	}
	return false;
}

/* Reads from after the '=' to the end of the line. Several spaces outside of quotes become one. */
static bool take_value(struct scanner *s, GString *value)
{
	bool quoted = false, space = false;

	for (;;) {
		int c = peek(s);

		if (c == '\n')
			return !quoted;
		next(s);
		if (!quoted && (c == '#' || c == ';')) {
			skip_line(s);
			return true;
		}
		if (!quoted && g_ascii_isspace(c)) {
			space = true;
			continue;
		}
		if (space && value->len)
			g_string_append_c(value, ' ');
		space = false;
		if (c == '\\') {
			if (!take_escape(s, value))
				return false;
		} else if (c == '"') {
			quoted = !quoted;
		} else if (c) {
			g_string_append_c(value, (char)c);
		} else {
			return false;
		}
	}
}

/* Reads the "x" of [section "x"], from the opening quote. */
static bool take_subsection(struct scanner *s)
{
	while (peek(s) != '\n' && g_ascii_isspace(peek(s)))
		next(s);
	if (next(s) != '"')
		return false;
	g_string_append_c(s->key, '.');
	for (;;) {
		int c = next(s);

		if (c == '"')
			return next(s) == ']';
		if (c == '\\')
			c = next(s);
		if (c == '\n' || !c)
			return false;
		g_string_append_c(s->key, (char)c);
	}
}

/* Reads a section's header, from after the '['. */
static bool take_section(struct scanner *s)
{
	g_string_truncate(s->key, 0);
	for (;;) {
		int c = peek(s);

		if (c == '\n')
			return false;
		next(s);
		if (c == ']')
			break;
		if (g_ascii_isspace(c)) {
			if (!take_subsection(s))
				return false;
			break;
		}
		if (!is_key_char(c) && c != '.')
			return false;
		g_string_append_c(s->key, g_ascii_tolower(c));
	}
	if (!s->key->len)
		return false;
	g_string_append_c(s->key, '.');
	return true;
}

static bool take_item(struct scanner *s, int first, config_take_fn take, void *arg)
{
	gsize section = s->key->len;
	g_autoptr(GString) value = g_string_new(NULL);
	bool good;

	if (!section || !g_ascii_isalpha(first))
		return false;
	g_string_append_c(s->key, g_ascii_tolower(first));
	while (is_key_char(peek(s)))
		g_string_append_c(s->key, (char)next(s));
	while (peek(s) == ' ' || peek(s) == '\t')
		next(s);
	good = peek(s) == '=';
	if (good) {
		next(s);
		good = take_value(s, value);
	}
	if (good)
		take(s->key->str, value->str, arg);
	g_string_truncate(s->key, section);
	return good;
}

u32 config_text_parse(const char *text, size_t size, config_take_fn take, void *arg)
{
	static const char mark[] = "\xef\xbb\xbf"; /* U+FEFF: some editors start a file with it */
	bool marked = size >= 3 && !memcmp(text, mark, 3);
	struct scanner s = { text + (marked ? 3 : 0), text + size, 1, g_string_new(NULL) };
	u32 wrong = 0;

	while (s.at < s.end && !wrong) {
		u32 line = s.line;
		int c = next(&s);

		if (g_ascii_isspace(c))
			continue;
		if (c == '#' || c == ';')
			skip_line(&s);
		else if (c == '[' ? !take_section(&s) : !take_item(&s, c, take, arg))
			wrong = line;
	}
	g_string_free(s.key, TRUE);
	return wrong;
}

char *config_text_quote(const char *value)
{
	size_t len = strlen(value);
	bool quotes = strpbrk(value, "#;\t\n\b\r\v\f") || strstr(value, "  ") ||
		      (len && (*value == ' ' || value[len - 1] == ' '));
	GString *text = g_string_new(quotes ? "\"" : NULL);

	for (const char *c = value; *c; c++) {
		switch (*c) {
		case '\n':
			g_string_append(text, "\\n");
			break;
		case '\t':
			g_string_append(text, "\\t");
			break;
		case '\b':
			g_string_append(text, "\\b");
			break;
		case '"':
		case '\\':
			g_string_append_c(text, '\\');
			/* fallthrough */
		default:
			g_string_append_c(text, *c);
		}
	}
	if (quotes)
		g_string_append_c(text, '"');
	return g_string_free(text, FALSE);
}
