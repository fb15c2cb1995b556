/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where in an array does the record with these numbers stand? An open-addressing index
 * over records that the owner keeps: it holds (hash, position) pairs only and asks the
 * owner whether a candidate is the one.
 *
 * This is the one container of ours beside GLib's: every sample passes through several
 * of these, and GHashTable's pointer per key, call per comparison and removal marks made
 * it most of a report's time.
 */
#ifndef BASE_TABLE_H
#define BASE_TABLE_H

#include <glib.h>

#include "base/types.h"

struct table_slot {
	u32 hash;
	u32 position; /* +1; 0 = free */
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

/* Many words into one. In four lanes, since each step of a mix waits for the one before. */
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

/* Notes that the record at @position, not yet in the table, has @hash. */
void table_add(struct table *t, u32 hash, u32 position);

/* table_next() will be asked for @hash soon: fetches memory ahead. */
static inline void table_prefetch(const struct table *t, u32 hash)
{
	__builtin_prefetch(&t->slots[hash & t->mask]);
}

/*
 * Walks the candidates for @hash: start with *@at = @hash, each call gives the position of
 * the next record with that hash, or -1 when there is none.
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
