// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/entries.h"

#include <linux/perf_event.h>

struct entries *entries_new(void)
{
	struct entries *entries = g_new0(struct entries, 1);

	entries->addresses = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	return entries;
}

void entries_free(struct entries *entries)
{
	if (!entries)
		return;
	g_hash_table_unref(entries->addresses);
	g_free(entries);
}

void entries_add(struct entries *entries, u64 va)
{
	u32 bit = entries_bit(va);

	entries->bits[bit / 8] |= (u8)(1 << bit % 8);
	g_hash_table_add(entries->addresses, g_memdup2(&va, sizeof(va)));
}

bool entries_find(const struct entries *entries, u64 va)
{
	return g_hash_table_contains(entries->addresses, &va);
}

const u64 *entries_caller(u64 ip, const u64 *ips, u64 nr_ips)
{
	for (u64 i = 0; i + 1 < nr_ips; i++)
		if (ips[i] == ip)
			return ips[i + 1] < (u64)PERF_CONTEXT_MAX ? &ips[i + 1] : NULL;
	return NULL;
}
