/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A hash index with open addressing, over an array of records that the owner keeps. The index has only (hash, position)
 * pairs. The owner compares the candidates.
 *
 * Why not GHashTable: every sample needs several look-ups. GHashTable has a pointer per key, a function call per
 * comparison, and marks for removed entries, and took most of a report's time.
 */
#ifndef BASE_TABLE_H
#define BASE_TABLE_H

#include <glib.h>

#include "base/types.h"

struct table_slot {
	u32 hash;
	u32 position; /* the record's position + 1; 0: the slot is free */
};

struct table {
	struct table_slot *slots;
	u32 mask; /* number of slots - 1 */
	u32 nr;
};

static inline u64 table_mix(u64 h, u64 v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15ull;
	return h ^ (h >> 29);
}

/* Hashes many words. It uses four independent lanes, because in one lane each step waits for the step before. */
static inline u64 table_mix_words(const u64 *words, u64 nr)
{
	u64 lane[4] = { nr };
	u64 i = 0;

	for (; i + 4 <= nr; i += 4)
		for (u32 l = 0; l < 4; l++)
			lane[l] = table_mix(lane[l], words[i + l]);
	for (; i < nr; i++)
		lane[0] = table_mix(lane[0], words[i]);
	return table_mix(table_mix(lane[0], lane[1]), table_mix(lane[2], lane[3]));
}

static inline u32 table_fold(u64 h)
{
	h *= 0xff51afd7ed558ccdull;
	return (u32)(h >> 32);
}

void table_init(struct table *t);
void table_release(struct table *t);

/* Adds the record at @position with its @hash. It must not be in the table yet. */
void table_add(struct table *t, u32 hash, u32 position);

/* Prefetches the slots of @hash for a later table_next(). */
static inline void table_prefetch(const struct table *t, u32 hash)
{
	__builtin_prefetch(&t->slots[hash & t->mask]);
}

/*
 * Iterates over the candidates for @hash. Start with *@at = @hash. Each call returns the position of the next record
 * with that hash, or -1 if there are no more.
 */
static inline s64 table_next(const struct table *t, u32 hash, u32 *at)
{
	for (;;) {
		const struct table_slot *slot = &t->slots[*at & t->mask];

		if (!slot->position)
			return -1;
		*at = *at + 1;
		if (slot->hash == hash)
			return (s64)slot->position - 1;
	}
}

#endif
