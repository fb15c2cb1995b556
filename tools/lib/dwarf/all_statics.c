// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * File-scope variables of all units: where an address is looked for if the asking unit has no variable there
 * ("extern" without a declaration, pointers that were followed). For that all units are walked: 3,000 in a kernel.
 *
 * Several threads may analyse functions of one file, each with a debuginfo of its own. They share one table. The first
 * that needs it begins to read units, one after the other; one that needs it meanwhile takes the next. Whoever ends
 * last joins the parts, in the order of the units, so that the table does not depend on the number of threads.
 */
#include <pthread.h>

#include "dwarf/internal.h"

struct all_statics {
	gatomicrefcount refs;
	pthread_mutex_t lock; /* of all below */
	pthread_cond_t ready; /* @complete was set */
	bool complete;
	struct statics whole;	 /* constant once complete */
	struct statics *by_unit; /* until complete */
	u32 next, nr_read;	 /* units: the next one that nobody reads; done */
};

struct all_statics *all_statics_new(void)
{
	struct all_statics *all = g_new0(struct all_statics, 1);

	g_atomic_ref_count_init(&all->refs);
	pthread_mutex_init(&all->lock, NULL);
	pthread_cond_init(&all->ready, NULL);
	return all;
}

struct all_statics *all_statics_ref(struct all_statics *all)
{
	g_atomic_ref_count_inc(&all->refs);
	return all;
}

void all_statics_unref(struct all_statics *all)
{
	if (!g_atomic_ref_count_dec(&all->refs))
		return;
	statics_release(&all->whole);
	pthread_mutex_destroy(&all->lock);
	pthread_cond_destroy(&all->ready);
	g_free(all);
}

/* Reads unit @i. The arrays are not changed any more, and counted, so that they may outlive @debug. */
static void read_unit(struct debuginfo *debug, u32 i, struct statics *out)
{
	struct unit *unit = &g_array_index(debug->units, struct unit, i);
	const struct statics *statics = statics_of_unit(debug, unit, false);

	if (!statics)
		return;
	out->rows = g_array_ref(statics->rows);
	out->thread_locals = g_array_ref(statics->thread_locals);
}

static void join_units(struct all_statics *all, u32 nr)
{
	statics_init(&all->whole);
	for (u32 i = 0; i < nr; i++) {
		struct statics *part = &all->by_unit[i];

		if (!part->rows)
			continue;
		g_array_append_vals(all->whole.rows, part->rows->data, part->rows->len);
		g_array_append_vals(all->whole.thread_locals, part->thread_locals->data,
				    part->thread_locals->len);
		statics_release(part);
	}
	statics_sort(&all->whole);
	g_clear_pointer(&all->by_unit, g_free);
	all->complete = true;
	pthread_cond_broadcast(&all->ready);
}

/* The caller holds the lock; it is released while units are read. */
static void read_units(struct all_statics *all, struct debuginfo *debug)
{
	u32 nr = debug->units->len;

	if (!all->by_unit)
		all->by_unit = g_new0(struct statics, (gsize)nr + 1);
	while (all->next < nr) {
		u32 i = all->next++;
		struct statics *part = &all->by_unit[i];

		pthread_mutex_unlock(&all->lock);
		read_unit(debug, i, part);
		pthread_mutex_lock(&all->lock);
		all->nr_read++;
	}
	if (all->nr_read == nr && !all->complete)
		join_units(all, nr);
}

const struct statics *all_statics_read(struct debuginfo *debug)
{
	struct all_statics *all = debug->all_statics;

	if (debug->known_statics)
		return debug->known_statics;
	pthread_mutex_lock(&all->lock);
	if (!all->complete)
		read_units(all, debug);
	while (!all->complete)
		pthread_cond_wait(&all->ready, &all->lock);
	pthread_mutex_unlock(&all->lock);
	debug->known_statics = &all->whole;
	return debug->known_statics;
}
