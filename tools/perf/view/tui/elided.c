// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/tui/elided.h"

#include <string.h>

#include "base/text.h"

#define MAX_TEXTS  20000 /* limit of names that keep their form */
#define MAX_ROUNDS 8	 /* names that a name is told from, one after the other */
#define HEAD	   2	 /* columns before the part in which it differs */
#define SHORT	   8	 /* below these columns, the start alone says more than start and end */

struct elided {
	u32 columns;
	GHashTable *forms;  /* text -> its form, both owned */
	GHashTable *owners; /* form -> its text, in @forms */
	GString *form;
};

struct elided *elided_new(u32 columns)
{
	struct elided *e = g_new0(struct elided, 1);

	e->columns = columns;
	e->forms = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	e->owners = g_hash_table_new(g_str_hash, g_str_equal);
	e->form = g_string_new(NULL);
	return e;
}

void elided_free(struct elided *e)
{
	if (!e)
		return;
	g_hash_table_unref(e->owners);
	g_hash_table_unref(e->forms);
	g_string_free(e->form, TRUE);
	g_free(e);
}

u32 elided_columns(const struct elided *e)
{
	return e->columns;
}

/* Sets the form: start and end of @text. False: it is taken. */
static bool try_ends(struct elided *e, const char *text, u32 start)
{
	g_string_truncate(e->form, 0);
	text_append_cut(e->form, text, e->columns, start);
	return !g_hash_table_contains(e->owners, e->form->str);
}

/* Sets the form: start of @text, and the part from @at on. False: it is taken. */
static bool try_part(struct elided *e, const char *text, const char *at)
{
	u32 room = e->columns - HEAD - 2;

	g_string_truncate(e->form, 0);
	g_string_append_len(e->form, text, (gssize)text_fit(text, strlen(text), HEAD));
	g_string_append(e->form, "…");
	g_string_append_len(e->form, at, (gssize)text_fit(at, strlen(at), room));
	g_string_append(e->form, "…");
	return !g_hash_table_contains(e->owners, e->form->str);
}

/* The first character in which @text differs from @other. */
static const char *difference(const char *text, const char *other)
{
	while (*text && g_utf8_get_char(text) == g_utf8_get_char(other)) {
		text = g_utf8_next_char(text);
		other = g_utf8_next_char(other);
	}
	return text;
}

/* The last character in which @text differs from @other, counted from their ends; the first one if there is none. */
static const char *last_difference(const char *text, const char *other)
{
	const char *at = text + strlen(text), *end = other + strlen(other);

	while (at > text && end > other) {
		at = g_utf8_prev_char(at);
		end = g_utf8_prev_char(end);
		if (g_utf8_get_char(at) != g_utf8_get_char(end))
			break;
	}
	return at;
}

/* Tries the start and the end of @text, if they contain what differs from @other. */
static bool try_difference(struct elided *e, const char *text, const char *other)
{
	const char *first = difference(text, other), *last = last_difference(text, other);

	if (*first && text_columns(text, (size_t)(g_utf8_next_char(first) - text)) < e->columns &&
	    try_ends(e, text, e->columns - 1))
		return true;
	return text_columns(last, strlen(last)) + HEAD < e->columns && try_ends(e, text, HEAD);
}

/* Tries the parts of @text that contain the character @at. */
static bool try_around(struct elided *e, const char *text, const char *at)
{
	for (u32 before = 0; before + HEAD + 2 < e->columns; before++) {
		if (try_part(e, text, at))
			return true;
		if (at == text)
			break;
		at = g_utf8_prev_char(at);
	}
	return false;
}

/* Sets the form for a new text. */
static void find_form(struct elided *e, const char *text)
{
	u32 middle = e->columns < SHORT ? e->columns - 1 : (e->columns - 1) / 2;

	if (try_ends(e, text, middle))
		return;
	for (u32 i = 0; i < MAX_ROUNDS && e->columns > HEAD + 2; i++) {
		const char *other = g_hash_table_lookup(e->owners, e->form->str);

		if (try_difference(e, text, other) || try_around(e, text, difference(text, other)))
			return;
	}
	for (u32 start = e->columns; start--;)
		if (try_ends(e, text, start))
			return;
	try_ends(e, text, middle);
}

const char *elided_text(struct elided *e, const char *text)
{
	const char *known = g_hash_table_lookup(e->forms, text);
	char *name, *form;

	if (known)
		return known;
	if (g_hash_table_size(e->forms) >= MAX_TEXTS) {
		g_hash_table_remove_all(e->owners);
		g_hash_table_remove_all(e->forms);
	}
	find_form(e, text);
	name = g_strdup(text);
	form = g_strdup(e->form->str);
	g_hash_table_insert(e->forms, name, form);
	if (!g_hash_table_contains(e->owners, form))
		g_hash_table_insert(e->owners, form, name);
	return form;
}
