// SPDX-License-Identifier: GPL-2.0-or-later
#include "critical/instances.h"

#include <math.h>

static const struct critical_instance *at(const struct doings *d, u32 i)
{
	return &g_array_index(doings_instances(d), struct critical_instance, i);
}

static gint longest_first(gconstpointer pa, gconstpointer pb, gpointer arg)
{
	u32 a = *(const u32 *)pa, b = *(const u32 *)pb;
	u64 x = instance_length(at(arg, a)), y = instance_length(at(arg, b));

	if (x != y)
		return x > y ? -1 : 1;
	return a < b ? -1 : a > b;
}

GArray *instances_order(const struct doings *d)
{
	u32 nr = doings_instances(d)->len;
	GArray *order = g_array_sized_new(FALSE, FALSE, sizeof(u32), nr);

	for (u32 i = 0; i < nr; i++)
		if (at(d, i)->nr_sights)
			g_array_append_val(order, i);
	g_array_sort_with_data(order, longest_first, (gpointer)d);
	return order;
}

u32 instances_nr_slow(u32 nr, double percent)
{
	double slow = ceil(percent / 100 * nr - 1e-9);

	return nr < 2 ? nr : (u32)CLAMP(slow, 1, nr - 1);
}

/* Of the instances of one name: how many there are, and how many of the longest ones were met. */
struct named_requests {
	u32 nr, met;
};

static struct named_requests *group_of(GHashTable *groups, const struct critical_instance *i,
				       bool by_name)
{
	gpointer key = GUINT_TO_POINTER(by_name && i->named ? i->name + 1 : 0);
	struct named_requests *group = g_hash_table_lookup(groups, key);

	if (!group) {
		group = g_new0(struct named_requests, 1);
		g_hash_table_insert(groups, key, group);
	}
	return group;
}

GByteArray *instances_classes(const struct doings *d, double percent, bool by_name)
{
	g_autoptr(GHashTable)
		groups = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
	g_autoptr(GArray) order = instances_order(d);
	GByteArray *classes = g_byte_array_new();

	g_byte_array_set_size(classes, doings_instances(d)->len);
	for (u32 i = 0; i < classes->len; i++)
		classes->data[i] = REQUEST_NONE;
	for (u32 i = 0; i < order->len; i++)
		group_of(groups, at(d, g_array_index(order, u32, i)), by_name)->nr++;
	for (u32 i = 0; i < order->len; i++) {
		u32 instance = g_array_index(order, u32, i);
		struct named_requests *group = group_of(groups, at(d, instance), by_name);
		/* One request of a name has nothing that it could be compared with. */
		bool slow = (group->nr > 1 || !by_name) &&
			    group->met++ < instances_nr_slow(group->nr, percent);

		classes->data[instance] = slow ? REQUEST_SLOW : REQUEST_REST;
	}
	return classes;
}
