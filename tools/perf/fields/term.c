// SPDX-License-Identifier: GPL-2.0-or-later
#include "fields/term.h"

#include "fields/paths.h"

struct term term_of_part(const struct field *field, const char *text)
{
	return (struct term){ .field = field,
			      .part = g_utf8_casefold(text, -1),
			      .text = g_strdup(text) };
}

void term_release(struct term *t)
{
	g_clear_pointer(&t->part, g_free);
	g_clear_pointer(&t->text, g_free);
}

bool term_matches(const struct term *t, struct lexicon *lexicon, u64 key)
{
	if (t->below)
		return path_is_below(lexicon, key, t->key);
	return t->part ? field_has_part(t->field, lexicon, key, t->part) : key == t->key;
}

bool term_equal(const struct term *a, const struct term *b)
{
	return a->field == b->field && a->key == b->key && a->below == b->below &&
	       !g_strcmp0(a->part, b->part);
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
