// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Few threads, and most of them are at most places: then a matrix has fewer cells than a hash of pairs has slots, and a sample
 * touches one line of memory instead of two. Pairs of the first numbers of who are kept in a matrix, those of others in a hash:
 *
 *	who	0	1	2	3	4, 5...
 *	where 0	[0,0]	[0,1]	[0,2]	[0,3]	hash
 *	where 1	[1,0]	[1,1]	[1,2]	[1,3]	hash
 *
 * When the first sample with who 4 comes, the matrix gets twice as many columns, unless most of its cells would be empty.
 */
#include "hist/pairs.h"

#include <glib.h>
#include <string.h>

#include "base/big.h"
#include "base/table.h"

#define SIDE_BY_SIDE 16u

/* The matrix may have so many cells, and more if they are at most so many for each that is used. It has at most so many columns. */
#define FREE_CELLS (128u << 10) /* 2 MiB */
#define MOST_CELLS 4u
#define MOST_WHO   64u

struct pair_cell {
	u64 samples, period;
};

struct pair_numbers {
	u32 where, who;
};

struct pairs {
	struct pair_cell *cells; /* [where * nr_who + who] */
	u32 nr_where, nr_who;
	GArray *list; /* struct pair: those of the hash */
	struct table index;
	GArray *order; /* struct pair_numbers, in the order of their first use */
	struct pair waiting[SIDE_BY_SIDE]; /* to be added while memory for the next ones arrives */
	u32 nr_waiting;
};

struct pairs *pairs_new(void)
{
	struct pairs *p = g_new0(struct pairs, 1);

	p->nr_where = 64;
	p->nr_who = 1;
	p->cells = big_new0(p->nr_where * sizeof(*p->cells));
	p->list = g_array_new(FALSE, FALSE, sizeof(struct pair));
	p->order = g_array_new(FALSE, FALSE, sizeof(struct pair_numbers));
	table_init(&p->index);
	return p;
}

static size_t cells_size(const struct pairs *p)
{
	return (size_t)p->nr_where * p->nr_who * sizeof(struct pair_cell);
}

void pairs_free(struct pairs *p)
{
	if (!p)
		return;
	big_free(p->cells, cells_size(p));
	g_array_unref(p->list);
	g_array_unref(p->order);
	table_release(&p->index);
	g_free(p);
}

static struct pair *at(const struct pairs *p, u32 i)
{
	return &g_array_index(p->list, struct pair, i);
}

static u32 hash_of(const struct pair *share)
{
	return table_fold(table_mix(0, (u64)share->who << 32 | share->where));
}

static void resize(struct pairs *p, u32 nr_where, u32 nr_who)
{
	struct pair_cell *cells = big_new0((size_t)nr_where * nr_who * sizeof(*cells));

	for (u32 i = 0; i < p->nr_where; i++)
		memcpy(cells + (size_t)i * nr_who, p->cells + (size_t)i * p->nr_who,
		       p->nr_who * sizeof(*cells));
	big_free(p->cells, cells_size(p));
	p->cells = cells;
	p->nr_where = nr_where;
	p->nr_who = nr_who;
}

/* Makes a cell for a pair that is outside of the matrix. False: it is better off in the hash. */
static bool make_room(struct pairs *p, const struct pair *share)
{
	u64 nr_where = p->nr_where, nr_who = p->nr_who;

	if (share->who >= MOST_WHO)
		return false;
	while (share->where >= nr_where)
		nr_where *= 2;
	while (share->who >= nr_who)
		nr_who *= 2;
	if (nr_who > 1 && nr_where * nr_who > MAX(FREE_CELLS, (u64)p->order->len * MOST_CELLS))
		return false;
	resize(p, (u32)nr_where, (u32)nr_who);
	return true;
}

static bool has_cell(const struct pairs *p, const struct pair *share)
{
	return share->where < p->nr_where && share->who < p->nr_who;
}

static struct pair_cell *cell_of(const struct pairs *p, const struct pair *share)
{
	return &p->cells[(size_t)share->where * p->nr_who + share->who];
}

static struct pair *find_in_hash(const struct pairs *p, u32 hash, u32 where, u32 who)
{
	u32 probe = hash;
	s64 i;

	while ((i = table_next(&p->index, hash, &probe)) >= 0) {
		struct pair *known = at(p, (u32)i);

		if (known->where == where && known->who == who)
			return known;
	}
	return NULL;
}

static void append_order(struct pairs *p, const struct pair *share)
{
	const struct pair_numbers numbers = { share->where, share->who };

	g_array_append_val(p->order, numbers);
}

/* False: the hash does not have the pair, and it is not @new there. */
static bool add_to_hash(struct pairs *p, const struct pair *share, bool new)
{
	u32 hash = hash_of(share);
	struct pair *known = find_in_hash(p, hash, share->where, share->who);

	if (known) {
		known->samples += share->samples;
		known->period += share->period;
	} else if (new) {
		table_add(&p->index, hash, p->list->len);
		g_array_append_val(p->list, *share);
		append_order(p, share);
	}
	return known || new;
}

/* What came to the hash first stays there. */
static void add(struct pairs *p, const struct pair *share)
{
	struct pair_cell *cell;

	if (!has_cell(p, share) && !make_room(p, share)) {
		add_to_hash(p, share, true);
		return;
	}
	cell = cell_of(p, share);
	if (!cell->samples) {
		if (p->list->len && add_to_hash(p, share, false))
			return;
		append_order(p, share);
	}
	cell->samples += share->samples;
	cell->period += share->period;
}

static void prefetch(const struct pairs *p, const struct pair *share)
{
	u32 hash, probe;
	s64 known;

	if (has_cell(p, share)) {
		__builtin_prefetch(cell_of(p, share), 1);
		return;
	}
	hash = probe = hash_of(share);
	known = table_next(&p->index, hash, &probe);
	if (known >= 0)
		__builtin_prefetch(at(p, (u32)known), 1);
}

static void add_waiting(struct pairs *p)
{
	for (u32 i = 0; i < p->nr_waiting; i++)
		add(p, &p->waiting[i]);
	p->nr_waiting = 0;
}

/* Side by side, so that one's memory arrives while others are made. */
static void add_some(struct pairs *p, const struct pair *shares, u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		if (!has_cell(p, &shares[i]))
			table_prefetch(&p->index, hash_of(&shares[i]));
	for (u32 i = 0; i < nr; i++)
		prefetch(p, &shares[i]);
	add_waiting(p);
	memcpy(p->waiting, shares, nr * sizeof(*shares));
	p->nr_waiting = nr;
}

void pairs_add(struct pairs *p, const struct pair *shares, u32 nr)
{
	for (u32 done = 0; done < nr; done += SIDE_BY_SIDE)
		add_some(p, shares + done, MIN(nr - done, SIDE_BY_SIDE));
}

static void prefetch_cell(const struct pairs *p, const struct pair_numbers *numbers)
{
	const struct pair pair = { .where = numbers->where, .who = numbers->who };

	if (has_cell(p, &pair))
		__builtin_prefetch(cell_of(p, &pair));
}

void pairs_each(struct pairs *p, pairs_fn *fn, void *arg)
{
	add_waiting(p);
	for (u32 i = 0; i < p->order->len; i++) {
		const struct pair_numbers *numbers =
			&g_array_index(p->order, struct pair_numbers, i);
		struct pair pair = { .where = numbers->where, .who = numbers->who };
		const struct pair_cell *cell = has_cell(p, &pair) ? cell_of(p, &pair) : NULL;

		if (i + SIDE_BY_SIDE < p->order->len)
			prefetch_cell(p, numbers + SIDE_BY_SIDE);
		if (cell && cell->samples) {
			pair.samples = cell->samples;
			pair.period = cell->period;
		} else {
			pair = *find_in_hash(p, hash_of(&pair), pair.where, pair.who);
		}
		fn(&pair, arg);
	}
}
