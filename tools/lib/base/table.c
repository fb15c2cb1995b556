// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/table.h"

#include "base/big.h"

#define FIRST_SLOTS 64u

void table_init(struct table *t)
{
	t->slots = big_new0(FIRST_SLOTS * sizeof(*t->slots));
	t->mask = FIRST_SLOTS - 1;
	t->nr = 0;
}

void table_release(struct table *t)
{
	big_free(t->slots, ((size_t)t->mask + 1) * sizeof(*t->slots));
	t->slots = NULL;
}

static void put(struct table *t, struct table_slot slot)
{
	u32 at = slot.hash;

	while (t->slots[at & t->mask].position)
		at++;
	t->slots[at & t->mask] = slot;
}

static void grow(struct table *t)
{
	struct table_slot *old = t->slots;
	u32 nr_old = t->mask + 1;

	t->slots = big_new0((size_t)nr_old * 2 * sizeof(*t->slots));
	t->mask = nr_old * 2 - 1;
	for (u32 i = 0; i < nr_old; i++)
		if (old[i].position)
			put(t, old[i]);
	big_free(old, (size_t)nr_old * sizeof(*old));
}

void table_add(struct table *t, u32 hash, u32 position)
{
	/* At most half full, so that a miss is found after one or two steps. */
	if (t->nr >= (t->mask + 1) / 2)
		grow(t);
	put(t, (struct table_slot){ hash, position + 1 });
	t->nr++;
}
