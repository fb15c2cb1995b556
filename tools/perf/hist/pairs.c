// SPDX-License-Identifier: GPL-2.0-or-later
#include "hist/pairs.h"

#include <glib.h>

#include "base/table.h"

#define SIDE_BY_SIDE 16u

struct pairs {
	GArray *list; /* struct pair */
	struct table index;
};

struct pairs *pairs_new(void)
{
	struct pairs *p = g_new0(struct pairs, 1);

	p->list = g_array_new(FALSE, FALSE, sizeof(struct pair));
	table_init(&p->index);
	return p;
}

void pairs_free(struct pairs *p)
{
	if (!p)
		return;
	g_array_unref(p->list);
	table_release(&p->index);
	g_free(p);
}

u32 pairs_nr(const struct pairs *p)
{
	return p->list->len;
}

static struct pair *at(const struct pairs *p, u32 i)
{
	return &g_array_index(p->list, struct pair, i);
}

const struct pair *pairs_at(const struct pairs *p, u32 i)
{
	return at(p, i);
}

static u32 hash_of(const struct pair *share)
{
	return table_fold(table_mix(0, (u64)share->who << 32 | share->where));
}

static void add(struct pairs *p, u32 hash, const struct pair *share)
{
	u32 probe = hash;
	s64 i;

	while ((i = table_next(&p->index, hash, &probe)) >= 0) {
		struct pair *known = at(p, (u32)i);

		if (known->where != share->where || known->who != share->who)
			continue;
		known->samples += share->samples;
		known->period += share->period;
		return;
	}
	table_add(&p->index, hash, p->list->len);
	g_array_append_val(p->list, *share);
}

/* Side by side, so that one's memory arrives while others are made. */
static void add_some(struct pairs *p, const struct pair *shares, u32 nr)
{
	u32 hashes[SIDE_BY_SIDE];

	for (u32 i = 0; i < nr; i++) {
		hashes[i] = hash_of(&shares[i]);
		table_prefetch(&p->index, hashes[i]);
	}
	for (u32 i = 0; i < nr; i++) {
		u32 probe = hashes[i];
		s64 known = table_next(&p->index, hashes[i], &probe);

		if (known >= 0)
			__builtin_prefetch(at(p, (u32)known), 1);
	}
	for (u32 i = 0; i < nr; i++)
		add(p, hashes[i], &shares[i]);
}

void pairs_add(struct pairs *p, const struct pair *shares, u32 nr)
{
	for (u32 done = 0; done < nr; done += SIDE_BY_SIDE)
		add_some(p, shares + done, MIN(nr - done, SIDE_BY_SIDE));
}
