// SPDX-License-Identifier: GPL-2.0-or-later
#include <fnmatch.h>
#include <string.h>

#include "annotate/type.h"
#include "base/search.h"
#include "base/table.h"
#include "insn/insn.h"

struct key {
	const struct debuginfo *debug;
	u32 identity;
	guint name; /* types without a name can have equal members */
};

static guint key_hash(const void *p)
{
	const struct key *key = p;

	return g_direct_hash(key->debug) * 31 + key->identity;
}

static int key_equal(const void *pa, const void *pb)
{
	const struct key *a = pa, *b = pb;

	return a->debug == b->debug && a->identity == b->identity && a->name == b->name;
}

static guint touch_hash(const void *p)
{
	const struct touch *t = p;
	const u64 words[] = { GPOINTER_TO_SIZE(t->profile), t->vaddr, (u64)t->offset, t->by,
			      t->roles };

	return table_fold(table_mix_words(words, ARRAY_SIZE(words)));
}

static int touch_equal(const void *pa, const void *pb)
{
	const struct touch *a = pa, *b = pb;

	return a->profile == b->profile && a->dso == b->dso && a->vaddr == b->vaddr &&
	       a->offset == b->offset && a->by == b->by && a->roles == b->roles;
}

static void touch_free(struct touch *touch)
{
	g_free(touch->counts);
	g_free(touch);
}

static void profile_free(struct type_profile *profile)
{
	g_ptr_array_unref(profile->touches);
	g_hash_table_unref(profile->bytes);
	if (profile->offsets)
		g_array_unref(profile->offsets);
	g_free(profile->total);
	g_free(profile);
}

struct type_profiles *type_profiles_new(u32 nr_events)
{
	struct type_profiles *profiles = g_new0(struct type_profiles, 1);

	profiles->profiles = g_ptr_array_new_with_free_func((GDestroyNotify)profile_free);
	profiles->by_key = g_hash_table_new_full(key_hash, key_equal, g_free, NULL);
	profiles->touches = g_hash_table_new(touch_hash, touch_equal);
	profiles->total = g_new0(struct type_count, nr_events);
	profiles->nr_events = nr_events;
	return profiles;
}

void type_profiles_free(struct type_profiles *profiles)
{
	if (!profiles)
		return;
	g_hash_table_unref(profiles->touches);
	g_hash_table_unref(profiles->by_key);
	g_ptr_array_unref(profiles->profiles);
	g_free(profiles->total);
	g_free(profiles);
}

static struct type_profile *profile_of(struct type_profiles *profiles, const struct type *type,
				       struct dso *dso)
{
	struct key key = { type->debug, type_identity(type), g_str_hash(type_shown_name(type)) };
	struct type_profile *profile = g_hash_table_lookup(profiles->by_key, &key);

	if (profile)
		return profile;
	profile = g_new0(struct type_profile, 1);
	profile->type = type;
	profile->dso = dso;
	profile->nr_events = profiles->nr_events;
	profile->total = g_new0(struct access_count, profiles->nr_events);
	profile->touches = g_ptr_array_new_with_free_func((GDestroyNotify)touch_free);
	profile->bytes = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	g_ptr_array_add(profiles->profiles, profile);
	g_hash_table_insert(profiles->by_key, g_memdup2(&key, sizeof(key)), profile);
	return profile;
}

static void count(struct type_count *to, const struct type_count *more)
{
	to->samples += more->samples;
	to->period += more->period;
}

void access_count_add(struct access_count *to, const struct type_count *more, u8 roles)
{
	count(&to->all, more);
	if (roles & INSN_READ)
		count(&to->reads, more);
	if (roles & INSN_WRITE)
		count(&to->writes, more);
}

static void add_touch(struct type_profiles *profiles, struct type_profile *profile,
		      const struct type_sample *s)
{
	struct touch wanted = {
		.profile = profile,
		.dso = s->ip->dso,
		.symbol = s->ip->symbol,
		.vaddr = s->ip->vaddr,
		.offset = s->access->offset,
		.by = s->by,
		.roles = s->access->roles,
	};
	struct touch *touch = g_hash_table_lookup(profiles->touches, &wanted);

	if (!touch) {
		touch = g_memdup2(&wanted, sizeof(wanted));
		touch->counts = g_new0(struct type_count, profiles->nr_events);
		g_ptr_array_add(profile->touches, touch);
		g_hash_table_add(profiles->touches, touch);
	}
	count(&touch->counts[s->event], &s->count);
}

static void add_bytes(struct type_profile *profile, const struct type_sample *s)
{
	const struct access *access = s->access;
	struct access_count *counts = g_hash_table_lookup(profile->bytes, &access->offset);

	if (!counts) {
		counts = g_new0(struct access_count, profile->nr_events);
		g_hash_table_insert(profile->bytes,
				    g_memdup2(&access->offset, sizeof(access->offset)), counts);
	}
	access_count_add(&counts[s->event], &s->count, access->roles);
}

void type_profiles_add(struct type_profiles *profiles, const struct type_sample *s)
{
	const struct access *access = s->access;
	struct type_profile *profile;

	profiles->stat.total += s->count.samples;
	profiles->stat.how[access->how] += s->count.samples;
	profiles->stat.why[access->why] += s->count.samples;
	if (access->how != ACCESS_UNKNOWN)
		profiles->stat.ok += s->count.samples;
	profiles->stat.moved += s->moved ? s->count.samples : 0;
	count(&profiles->total[s->event], &s->count);
	if (!access->type)
		return;
	profile = profile_of(profiles, access->type, s->ip->dso);
	access_count_add(&profile->total[s->event], &s->count, access->roles);
	add_bytes(profile, s);
	add_touch(profiles, profile, s);
}

u64 type_profile_samples(const struct type_profile *profile, u32 first, u32 nr)
{
	u64 sum = 0;

	for (u32 i = first; i < first + nr; i++)
		sum += profile->total[i].all.samples;
	return sum;
}

struct type_order {
	u32 first, nr;
};

static int compare_profiles(const void *pa, const void *pb, void *arg)
{
	const struct type_profile *a = *(struct type_profile *const *)pa;
	const struct type_profile *b = *(struct type_profile *const *)pb;
	const struct type_order *order = arg;
	u64 of_a = type_profile_samples(a, order->first, order->nr);
	u64 of_b = type_profile_samples(b, order->first, order->nr);
	int by_name;

	if (of_a != of_b)
		return of_a > of_b ? -1 : 1;
	by_name = strcmp(type_shown_name(a->type), type_shown_name(b->type));
	if (by_name)
		return by_name;
	return strcmp(dso_long_name(a->dso), dso_long_name(b->dso));
}

static int compare_offsets(const void *pa, const void *pb)
{
	s64 a = *(const s64 *)pa, b = *(const s64 *)pb;

	return a < b ? -1 : a > b;
}

void type_profiles_sort(struct type_profiles *profiles, u32 first, u32 nr)
{
	struct type_order order = { first, nr };

	g_ptr_array_sort_with_data(profiles->profiles, compare_profiles, &order);
	for (u32 i = 0; i < profiles->profiles->len; i++) {
		struct type_profile *profile = g_ptr_array_index(profiles->profiles, i);
		GHashTableIter iter;
		void *offset;

		if (profile->offsets)
			continue;
		profile->offsets = g_array_new(false, false, sizeof(s64));
		g_hash_table_iter_init(&iter, profile->bytes);
		while (g_hash_table_iter_next(&iter, &offset, NULL))
			g_array_append_val(profile->offsets, *(s64 *)offset);
		g_array_sort(profile->offsets, compare_offsets);
	}
}

static void count_all(struct access_count *to, const struct access_count *more)
{
	count(&to->all, &more->all);
	count(&to->reads, &more->reads);
	count(&to->writes, &more->writes);
}

struct access_count type_profile_sum(const struct type_profile *profile, u32 event, u64 offset,
				     u64 size)
{
	struct access_count sum = { 0 };
	u32 nr = profile->offsets->len;

	for (u32 row = SEARCH(i, 0, nr, g_array_index(profile->offsets, s64, i) < (s64)offset);
	     row < nr; row++) {
		s64 *at = &g_array_index(profile->offsets, s64, row);
		const struct access_count *counts;

		if ((u64)*at - offset >= size)
			break;
		counts = g_hash_table_lookup(profile->bytes, at);
		count_all(&sum, &counts[event]);
	}
	return sum;
}

bool type_name_matches(const struct type *type, const char *pattern)
{
	static const char *const prefixes[] = { "struct ", "union ", "enum " };

	const char *name = type_shown_name(type);

	if (!strcmp(name, pattern) || fnmatch(pattern, name, 0) == 0)
		return true;
	for (u32 i = 0; i < ARRAY_SIZE(prefixes); i++) {
		size_t size = strlen(prefixes[i]);
		const char *rest = name + size;

		if (!strncmp(name, prefixes[i], size))
			return !strcmp(rest, pattern) || fnmatch(pattern, rest, 0) == 0;
	}
	return false;
}
