// SPDX-License-Identifier: GPL-2.0-or-later
#include "fields/term.h"

#include <string.h>

#include "fields/identity.h"
#include "fields/paths.h"

struct term term_of_part(const struct field *field, const char *text)
{
	return (struct term){ .field = field,
			      .part = g_utf8_casefold(text, -1),
			      .text = g_strdup(text) };
}

struct term term_of_text(const struct field *field, const char *text)
{
	return (struct term){ .field = field,
			      .exact = g_strstrip(g_strdup(text)),
			      .text = g_strdup(text) };
}

void term_release(struct term *t)
{
	g_clear_pointer(&t->exact, g_free);
	g_clear_pointer(&t->part, g_free);
	g_clear_pointer(&t->same, g_free);
	g_clear_pointer(&t->text, g_free);
}

static bool is_same(const struct term *t, const struct lexicon *lexicon, u64 key)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *identity = NULL;

	field_print(t->field, lexicon, key, text);
	identity = identity_new(t->field, g_strchomp(text->str));
	return !strcmp(identity, t->same);
}

/* The name behind a word that says what it names: "main" of "[.] main"; "order" of "struct order". */
static const char *bare_name(const char *text)
{
	static const char *const words[] = { "struct ", "union ", "class ", "enum " };

	if (text[0] == '[' && text[1] && text[2] == ']' && text[3] == ' ')
		return text + 4;
	for (u32 i = 0; i < ARRAY_SIZE(words); i++)
		if (g_str_has_prefix(text, words[i]))
			return text + strlen(words[i]);
	return text;
}

static bool reads(const struct term *t, const struct lexicon *lexicon, u64 key)
{
	g_autoptr(GString) text = g_string_new(NULL);
	const char *found;

	field_print(t->field, lexicon, key, text);
	found = g_strstrip(text->str);
	return !strcmp(found, t->exact) || !strcmp(bare_name(found), t->exact);
}

bool term_matches(const struct term *t, struct lexicon *lexicon, u64 key)
{
	if (t->below)
		return path_is_below(lexicon, key, t->key);
	if (t->same)
		return is_same(t, lexicon, key);
	if (t->exact)
		return reads(t, lexicon, key);
	return t->part ? field_has_part(t->field, lexicon, key, t->part) : key == t->key;
}

bool term_equal(const struct term *a, const struct term *b)
{
	return a->field == b->field && a->key == b->key && a->below == b->below &&
	       !g_strcmp0(a->part, b->part) && !g_strcmp0(a->exact, b->exact) &&
	       !g_strcmp0(a->same, b->same);
}

GArray *terms_new(void)
{
	GArray *terms = g_array_new(FALSE, TRUE, sizeof(struct term));

	g_array_set_clear_func(terms, (GDestroyNotify)term_release);
	return terms;
}

GArray *terms_copy(const GArray *from)
{
	GArray *terms = terms_new();

	for (u32 i = 0; i < terms_nr(from); i++) {
		struct term t = *terms_at(from, i);

		t.part = g_strdup(t.part);
		t.exact = g_strdup(t.exact);
		t.same = g_strdup(t.same);
		t.text = g_strdup(t.text);
		terms_add(terms, &t);
	}
	return terms;
}

void terms_add(GArray *terms, const struct term *term)
{
	g_array_append_val(terms, *term);
}

const struct term *terms_at(const GArray *terms, u32 i)
{
	return &g_array_index(terms, struct term, i);
}

u32 terms_nr(const GArray *terms)
{
	return terms ? terms->len : 0;
}
