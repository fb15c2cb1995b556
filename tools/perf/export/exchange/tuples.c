// SPDX-License-Identifier: GPL-2.0-or-later
#include "export/exchange/tuples.h"

#include <string.h>

void exchange_tuples_init(struct exchange_tuples *t)
{
	t->tuples = g_array_new(FALSE, FALSE, sizeof(struct exchange_tuple));
	table_init(&t->index);
}

void exchange_tuples_release(struct exchange_tuples *t)
{
	g_array_unref(t->tuples);
	table_release(&t->index);
}

void exchange_tuples_clear(struct exchange_tuples *t)
{
	g_array_set_size(t->tuples, 0);
	table_release(&t->index);
	table_init(&t->index);
}

static u32 hash_of(const struct exchange_sample *s)
{
	u64 h = table_mix(table_mix((u64)s->event << 32 | s->thread, (u64)s->stack << 32 | s->comm),
			  (u64)s->cpu << 32 | s->span);

	for (u32 i = 0; i < NR_EXCHANGE_LABELS; i++)
		h = table_mix(h, s->labels[i]);
	return table_fold(h);
}

static bool is_alike(const struct exchange_sample *a, const struct exchange_sample *b)
{
	return a->event == b->event && a->thread == b->thread && a->stack == b->stack &&
	       a->comm == b->comm && a->cpu == b->cpu && a->span == b->span &&
	       !memcmp(a->labels, b->labels, sizeof(a->labels));
}

u32 exchange_tuples_add(struct exchange_tuples *t, const struct exchange_sample *s)
{
	struct exchange_tuple tuple = { *s, 1, s->value };
	u32 hash = hash_of(s), at = hash;
	s64 i;

	while ((i = table_next(&t->index, hash, &at)) >= 0) {
		struct exchange_tuple *other = exchange_tuple(t, (u32)i);

		if (!is_alike(&other->sample, s))
			continue;
		other->samples++;
		other->value += s->value;
		return (u32)i;
	}
	table_add(&t->index, hash, t->tuples->len);
	g_array_append_val(t->tuples, tuple);
	return t->tuples->len - 1;
}
