// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/tls_tally.h"

#include <string.h>

#define MAX_LAYOUTS 8

struct known {
	struct activity_layout layouts[MAX_LAYOUTS];
	u32 nr;
};

struct tls_tally {
	GMutex lock;
	GHashTable *processes; /* pid -> struct known */
	u64 states[ACTIVITY_NR_STATES];
};

struct tls_tally *tls_tally_new(void)
{
	struct tls_tally *t = g_new0(struct tls_tally, 1);

	g_mutex_init(&t->lock);
	t->processes = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	return t;
}

void tls_tally_free(struct tls_tally *t)
{
	if (!t)
		return;
	g_hash_table_destroy(t->processes);
	g_mutex_clear(&t->lock);
	g_free(t);
}

void tls_tally_process(struct tls_tally *t, u32 pid, const struct activity_layout *layouts, u32 nr)
{
	struct known *known = NULL;

	if (nr) {
		known = g_new0(struct known, 1);
		known->nr = MIN(nr, MAX_LAYOUTS);
		memcpy(known->layouts, layouts, known->nr * sizeof(*layouts));
	}
	g_mutex_lock(&t->lock);
	if (known)
		g_hash_table_insert(t->processes, GUINT_TO_POINTER(pid), known);
	else
		g_hash_table_remove(t->processes, GUINT_TO_POINTER(pid));
	g_mutex_unlock(&t->lock);
}

void tls_tally_sample(struct tls_tally *t, u32 pid, const u8 *data, u64 size, u64 dyn_size)
{
	const struct known *known;
	struct activity activity;

	g_mutex_lock(&t->lock);
	known = g_hash_table_lookup(t->processes, GUINT_TO_POINTER(pid));
	if (!known)
		known = g_hash_table_lookup(t->processes, GUINT_TO_POINTER(ACTIVITY_EVERY_PROCESS));
	activity_decode_first(known ? known->layouts : NULL, known ? known->nr : 0, data, size,
			      dyn_size, NULL, &activity);
	if (known && known->layouts[0].framed &&
	    cpu_context_interrupts(activity_cpu_context(data, size, dyn_size)))
		activity_interrupt(&activity);
	g_mutex_unlock(&t->lock);
	t->states[activity.state]++;
}

const u64 *tls_tally_states(const struct tls_tally *t)
{
	return t->states;
}
