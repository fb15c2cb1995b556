// SPDX-License-Identifier: GPL-2.0-or-later
#include "hist/tuples.h"

#include <glib.h>
#include <string.h>

#include "base/table.h"

struct tuples {
	u32 nr_words;
	GArray *words; /* u64, tuple behind tuple */
	struct table index;
};

struct tuples *tuples_new(u32 nr_words)
{
	struct tuples *t = g_new0(struct tuples, 1);

	t->nr_words = nr_words;
	t->words = g_array_new(FALSE, FALSE, sizeof(u64));
	table_init(&t->index);
	return t;
}

void tuples_free(struct tuples *t)
{
	if (!t)
		return;
	g_array_unref(t->words);
	table_release(&t->index);
	g_free(t);
}

u32 tuples_nr(const struct tuples *t)
{
	return t->words->len / t->nr_words;
}

const u64 *tuples_at(const struct tuples *t, u32 id)
{
	return &g_array_index(t->words, u64, (size_t)id * t->nr_words);
}

static u32 hash_of(const struct tuples *t, const u64 *words)
{
	u64 mixed = 0;

	for (u32 w = 0; w < t->nr_words; w++)
		mixed = table_mix(mixed, words[w]);
	return table_fold(mixed);
}

s64 tuples_find(const struct tuples *t, const u64 *words)
{
	u32 hash = hash_of(t, words), at = hash;
	s64 i;

	while ((i = table_next(&t->index, hash, &at)) >= 0)
		if (!memcmp(tuples_at(t, (u32)i), words, t->nr_words * sizeof(u64)))
			return i;
	return -1;
}

u32 tuples_id(struct tuples *t, const u64 *words)
{
	s64 found = tuples_find(t, words);

	if (found >= 0)
		return (u32)found;
	table_add(&t->index, hash_of(t, words), tuples_nr(t));
	g_array_append_vals(t->words, words, t->nr_words);
	return tuples_nr(t) - 1;
}
