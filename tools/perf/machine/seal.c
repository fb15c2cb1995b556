// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sorts what the records state by time.
 *
 * In a seekable file, a later record may be older, because the recorder drains one ring after the other. So all records
 * are read before any is applied. There can be millions of mappings. They are not copied into the array of the other
 * facts; the two arrays are merged here. In the example, the numbers are times; (n) is the mapping's number, from 0:
 *
 *	facts	10 comm   (after 1 map)			20 exit
 *	maps	10 libc (0)  10 libm (1)  15 libz (2)
 *	taken	libc, comm, libm, libz, exit
 */
#include <stdlib.h>

#include "machine/private.h"

#define SEAL_MANY 16

static int by_time(const void *a, const void *b)
{
	const struct fact *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->seq < y->seq ? -1 : 1;
}

static int map_by_time(const void *a, const void *b)
{
	const struct map *x = *(const struct map *const *)a, *y = *(const struct map *const *)b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->id < y->id ? -1 : 1;
}

static bool in_order(const GArray *facts)
{
	for (u32 i = 1; i < facts->len; i++)
		if (g_array_index(facts, struct fact, i).time <
		    g_array_index(facts, struct fact, i - 1).time)
			return false;
	return true;
}

static bool maps_in_order(const struct machine *m)
{
	for (u32 i = m->nr_maps_sealed + 1; i < m->nr_maps; i++)
		if (machine_map_at(m, i)->time < machine_map_at(m, i - 1)->time)
			return false;
	return true;
}

/* The new maps, sorted by time. The caller frees the array. NULL: they are already sorted. */
static const struct map **sort_maps(const struct machine *m)
{
	u32 nr = m->nr_maps - m->nr_maps_sealed;
	const struct map **maps;

	if (maps_in_order(m))
		return NULL;
	maps = g_new(const struct map *, nr);
	for (u32 i = 0; i < nr; i++)
		maps[i] = machine_map_at(m, m->nr_maps_sealed + i);
	qsort(maps, nr, sizeof(*maps), map_by_time);
	return maps;
}

/* Applies maps and other facts in order of time; those of equal time in file order. */
static void take_all(struct machine *m)
{
	g_autofree const struct map **sorted = sort_maps(m);
	u32 nr = m->nr_maps - m->nr_maps_sealed, at = 0;

	for (u32 i = 0; i <= m->facts->len; i++) {
		const struct fact *f = i < m->facts->len ? &g_array_index(m->facts, struct fact, i)
							 : NULL;

		for (; at < nr; at++) {
			const struct map *map = sorted ? sorted[at]
						       : machine_map_at(m, m->nr_maps_sealed + at);

			if (f && (map->time > f->time ||
				  (map->time == f->time && map->id >= f->nr_maps)))
				break;
			machine_take_map(m, map);
		}
		if (f)
			machine_take_fact(m, f);
	}
	m->nr_maps_sealed = m->nr_maps;
}

static void seal_touched(struct machine *m)
{
	GHashTableIter iter;
	gpointer space;

	g_hash_table_iter_init(&iter, m->touched);
	while (g_hash_table_iter_next(&iter, &space, NULL))
		space_seal(space);
}

void machine_seal(struct machine *m)
{
	u32 nr = m->facts->len + m->nr_maps - m->nr_maps_sealed;

	machine_seal_running(m);
	if (!nr)
		return;
	if (!in_order(m->facts))
		g_array_sort(m->facts, by_time);
	take_all(m);
	/* A stream seals after each record. It has only few new facts, and nobody asks about the past. */
	if (nr > SEAL_MANY)
		seal_touched(m);
	g_array_set_size(m->facts, 0);
	g_hash_table_remove_all(m->touched);
	m->last_touched = NULL;
	changes_settle(m->changes);
	changes_settle(m->code_changes);
	m->generation++;
}
