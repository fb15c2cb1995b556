// SPDX-License-Identifier: GPL-2.0-or-later
#include "parquet/dictionary.h"

#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/table.h"

void dictionary_init(struct dictionary *d)
{
	*d = (struct dictionary){ .of_text = g_array_new(FALSE, TRUE, sizeof(u32)) };
}

void dictionary_release(struct dictionary *d)
{
	g_free(d->first);
	g_free(d->codes);
	g_free(d->slots);
	g_array_unref(d->of_text);
}

static void make_room(struct dictionary *d, u32 nr)
{
	d->nr = 0;
	if (nr <= d->most)
		return;
	d->most = nr;
	d->first = g_renew(u32, d->first, nr);
	d->codes = g_renew(u32, d->codes, nr);
}

static int by_text(const void *a, const void *b, void *arg)
{
	const char *const *texts = arg;

	return strcmp(texts[*(const u32 *)a], texts[*(const u32 *)b]);
}

/* Makes codes rise with the texts. */
static void sort_texts(struct dictionary *d, const u32 *texts, u32 nr, const struct intern *in)
{
	g_autofree const char **text_of = g_new(const char *, d->nr);
	g_autofree u32 *order = g_new(u32, d->nr), *rank = g_new(u32, d->nr);
	g_autofree u32 *first = g_memdup2(d->first, d->nr * sizeof(u32));

	for (u32 i = 0; i < d->nr; i++) {
		text_of[i] = intern_text(in, texts[first[i]]);
		order[i] = i;
	}
	qsort_r(order, d->nr, sizeof(u32), by_text, text_of);
	for (u32 i = 0; i < d->nr; i++) {
		rank[order[i]] = i;
		d->first[i] = first[order[i]];
	}
	for (u32 i = 0; i < nr; i++)
		d->codes[i] = rank[d->codes[i]];
}

static u32 *code_of_text(struct dictionary *d, u32 text)
{
	if (d->of_text->len <= text)
		g_array_set_size(d->of_text, text + 1);
	return &g_array_index(d->of_text, u32, text);
}

void dictionary_fill_texts(struct dictionary *d, const u32 *texts, u32 nr, const struct intern *in)
{
	make_room(d, nr);
	for (u32 i = 0; i < nr; i++) {
		u32 *code = code_of_text(d, texts[i]);

		if (!*code) {
			d->first[d->nr] = i;
			*code = ++d->nr;
		}
		d->codes[i] = *code - 1;
	}
	for (u32 i = 0; i < d->nr; i++)
		*code_of_text(d, texts[d->first[i]]) = 0;
	if (d->nr > 1)
		sort_texts(d, texts, nr, in);
}

static inline u32 hash_of(const u8 *value, u32 size)
{
	u64 words[2] = { 0 };

	memcpy(words, value, size);
	return table_fold(size > 8 ? table_mix(words[0], words[1]) : words[0] ^ words[0] >> 32);
}

/* The slots have twice as many as there can be values. */
static u32 prepare_slots(struct dictionary *d, u32 nr)
{
	u32 want = 1u << (32 - (u32)__builtin_clz(nr | 15));

	if (want > d->nr_slots) {
		d->nr_slots = want;
		d->slots = g_renew(u32, d->slots, want);
	}
	memset(d->slots, 0, want * sizeof(u32));
	return want - 1;
}

/* Inlined for each size, so that values are compared as numbers. */
static inline __attribute__((always_inline)) bool fill_of_size(struct dictionary *d,
							       const u8 *bytes, u32 size, u32 nr)
{
	u32 mask = prepare_slots(d, nr);

	for (u32 i = 0; i < nr; i++) {
		const u8 *value = bytes + (size_t)i * size;
		u32 at, code;

		if (i && !memcmp(value, value - size, size)) {
			d->codes[i] = d->codes[i - 1];
			continue;
		}
		for (at = hash_of(value, size) & mask; (code = d->slots[at]); at = (at + 1) & mask)
			if (!memcmp(bytes + (size_t)d->first[code - 1] * size, value, size))
				break;
		if (!code) {
			if (d->nr > nr / 2)
				return false;
			d->first[d->nr] = i;
			code = d->slots[at] = ++d->nr;
		}
		d->codes[i] = code - 1;
	}
	return true;
}

bool dictionary_fill(struct dictionary *d, const void *values, u32 size, u32 nr)
{
	make_room(d, nr);
	return size == 4   ? fill_of_size(d, values, 4, nr)
	       : size == 8 ? fill_of_size(d, values, 8, nr)
			   : fill_of_size(d, values, 16, nr);
}
