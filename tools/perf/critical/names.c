// SPDX-License-Identifier: GPL-2.0-or-later
#include "critical/names.h"

#include <math.h>

static gint shortest_first(gconstpointer pa, gconstpointer pb)
{
	u64 a = *(const u64 *)pa, b = *(const u64 *)pb;

	return a < b ? -1 : a > b;
}

u64 critical_quantile(const GArray *lengths, double share)
{
	u32 rank = (u32)ceil(share * lengths->len);

	return g_array_index(lengths, u64, CLAMP(rank, 1, lengths->len) - 1);
}

static gint slowest_first(gconstpointer pa, gconstpointer pb)
{
	const struct critical_name *a = pa, *b = pb;

	if (a->p99 != b->p99)
		return a->p99 > b->p99 ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

static void add_name(GArray *names, u32 name, GArray *lengths)
{
	struct critical_name row = { .name = name, .nr = lengths->len };

	g_array_sort(lengths, shortest_first);
	row.p50 = critical_quantile(lengths, 0.5);
	row.p90 = critical_quantile(lengths, 0.9);
	row.p99 = critical_quantile(lengths, 0.99);
	row.max = critical_quantile(lengths, 1);
	for (u32 i = 0; i < lengths->len; i++)
		row.sum += g_array_index(lengths, u64, i);
	g_array_append_val(names, row);
}

GArray *critical_names(const struct doings *d, u32 unnamed)
{
	g_autoptr(GHashTable)
		lengths = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
	GArray *names = g_array_new(FALSE, FALSE, sizeof(struct critical_name));
	const GArray *instances = doings_instances(d);
	GHashTableIter iter;
	gpointer name, of;

	for (u32 i = 0; i < instances->len; i++) {
		const struct critical_instance *instance =
			&g_array_index(instances, struct critical_instance, i);
		u64 length = instance->to - instance->from;

		if (!instance->nr_sights)
			continue;
		name = GUINT_TO_POINTER(instance->named ? instance->name : unnamed);
		of = g_hash_table_lookup(lengths, name);
		if (!of) {
			of = g_array_new(FALSE, FALSE, sizeof(u64));
			g_hash_table_insert(lengths, name, of);
		}
		g_array_append_val((GArray *)of, length);
	}
	g_hash_table_iter_init(&iter, lengths);
	while (g_hash_table_iter_next(&iter, &name, &of))
		add_name(names, GPOINTER_TO_UINT(name), of);
	g_array_sort(names, slowest_first);
	return names;
}
