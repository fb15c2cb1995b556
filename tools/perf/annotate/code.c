// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "annotate/code.h"

static void profile_free(struct code_profile *profile)
{
	g_hash_table_unref(profile->addresses);
	g_hash_table_unref(profile->sampled);
	g_free(profile->total);
	g_free(profile);
}

struct code_profiles *code_profiles_new(u32 nr_events)
{
	struct code_profiles *profiles = g_new0(struct code_profiles, 1);

	profiles->profiles = g_ptr_array_new_with_free_func((GDestroyNotify)profile_free);
	profiles->by_symbol = g_hash_table_new(NULL, NULL);
	profiles->total = g_new0(struct type_count, nr_events);
	profiles->nr_events = nr_events;
	return profiles;
}

void code_profiles_free(struct code_profiles *profiles)
{
	if (!profiles)
		return;
	g_hash_table_unref(profiles->by_symbol);
	g_ptr_array_unref(profiles->profiles);
	g_free(profiles->total);
	g_free(profiles);
}

struct code_profile *code_profiles_get(struct code_profiles *profiles, const struct code *ip)
{
	struct code_profile *profile = g_hash_table_lookup(profiles->by_symbol, ip->symbol);

	if (profile)
		return profile;
	profile = g_new0(struct code_profile, 1);
	profile->dso = ip->dso;
	profile->symbol = ip->symbol;
	profile->nr_events = profiles->nr_events;
	profile->total = g_new0(struct type_count, profiles->nr_events);
	profile->addresses = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	profile->sampled = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	g_ptr_array_add(profiles->profiles, profile);
	g_hash_table_insert(profiles->by_symbol, (void *)ip->symbol, profile);
	return profile;
}

static void count(struct type_count *to, const struct type_count *more)
{
	to->samples += more->samples;
	to->period += more->period;
}

static void count_at(GHashTable *addresses, u64 vaddr, u32 event, u32 nr_events,
		     const struct type_count *more)
{
	struct type_count *counts = g_hash_table_lookup(addresses, &vaddr);

	if (!counts) {
		counts = g_new0(struct type_count, nr_events);
		g_hash_table_insert(addresses, g_memdup2(&vaddr, sizeof(vaddr)), counts);
	}
	count(&counts[event], more);
}

void code_profiles_add(struct code_profiles *profiles, const struct code *ip, u32 event,
		       const struct type_count *more)
{
	struct code_profile *profile;

	count(&profiles->total[event], more);
	if (!ip->symbol || !ip->dso)
		return;
	profile = code_profiles_get(profiles, ip);
	count(&profile->total[event], more);
	count_at(profile->addresses, ip->vaddr, event, profiles->nr_events, more);
}

void code_profiles_add_sampled(struct code_profiles *profiles, const struct code *ip, u32 event,
			       const struct type_count *more)
{
	if (ip->symbol && ip->dso)
		count_at(code_profiles_get(profiles, ip)->sampled, ip->vaddr, event,
			 profiles->nr_events, more);
}

struct code_order {
	u32 first, nr;
};

static u64 period_of(const struct code_profile *profile, const struct code_order *order)
{
	u64 sum = 0;

	for (u32 i = order->first; i < order->first + order->nr; i++)
		sum += profile->total[i].period;
	return sum;
}

static int compare_profiles(const void *pa, const void *pb, void *arg)
{
	const struct code_profile *a = *(struct code_profile *const *)pa;
	const struct code_profile *b = *(struct code_profile *const *)pb;
	u64 of_a = period_of(a, arg), of_b = period_of(b, arg);

	if (of_a != of_b)
		return of_a > of_b ? -1 : 1;
	return strcmp(a->symbol->raw, b->symbol->raw);
}

void code_profiles_sort(struct code_profiles *profiles, u32 first, u32 nr)
{
	struct code_order order = { first, nr };

	g_ptr_array_sort_with_data(profiles->profiles, compare_profiles, &order);
}

static struct type_count sum_at(GHashTable *addresses, u32 event, u64 vaddr, u32 size)
{
	struct type_count sum = { 0 };

	/* Include addresses inside of the instruction: there, disassembly was out of step. */
	for (u64 at = vaddr; at < vaddr + size; at++) {
		const struct type_count *counts = g_hash_table_lookup(addresses, &at);

		if (counts)
			count(&sum, &counts[event]);
	}
	return sum;
}

struct type_count code_profile_sum(const struct code_profile *profile, u32 event, u64 vaddr,
				   u32 size)
{
	return sum_at(profile->addresses, event, vaddr, size);
}

struct type_count code_profile_sampled(const struct code_profile *profile, u32 event, u64 vaddr,
				       u32 size)
{
	return sum_at(profile->sampled, event, vaddr, size);
}
