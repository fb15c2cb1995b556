/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which instructions of which functions did samples fall on? Counts per function, over its
 * addresses and per event. What it looks like is the view's business (pages/annotate_pages.h).
 */
#ifndef ANNOTATE_CODE_H
#define ANNOTATE_CODE_H

#include <glib.h>

#include "annotate/type.h"
#include "resolve/place.h"

/* One function of one object. */
struct code_profile {
	struct dso *dso;
	const struct symbol *symbol;
	struct type_count *total; /* by event */
	GHashTable *addresses;	  /* vaddr -> struct type_count [nr_events] */
	u32 nr_events;
};

struct code_profiles {
	GPtrArray *profiles; /* struct code_profile * */
	GHashTable *by_symbol;
	struct type_count *total; /* of all samples, by event */
	u32 nr_events;
};

struct code_profiles *code_profiles_new(u32 nr_events);
void code_profiles_free(struct code_profiles *profiles);

/* One sample of @event (below nr_events); one outside of any function only counts for the sum. */
void code_profiles_add(struct code_profiles *profiles, const struct code *ip, u32 event,
		       const struct type_count *more);

/* That of @ip's function, empty where there was none. */
struct code_profile *code_profiles_get(struct code_profiles *profiles, const struct code *ip);

/* Orders the functions by the period of the events @first to @first + @nr - 1, most first. */
void code_profiles_sort(struct code_profiles *profiles, u32 first, u32 nr);

/* What fell on the instruction of @size bytes at @vaddr. */
struct type_count code_profile_sum(const struct code_profile *profile, u32 event, u64 vaddr,
				   u32 size);

#endif
