/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums samples by function: per instruction address and per event. pages/code/annotate_pages.h makes pages of it. */
#ifndef ANNOTATE_CODE_H
#define ANNOTATE_CODE_H

#include <glib.h>

#include "annotate/type.h"
#include "resolve/place.h"

/* A function of an object file. */
struct code_profile {
	struct dso *dso;
	const struct symbol *symbol;
	struct type_count *total; /* by event */
	GHashTable *addresses;	  /* vaddr -> struct type_count [nr_events] */
	GHashTable *sampled;	  /* the same, by the address that the samples name */
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

/* Adds samples of @event (an index below nr_events). Samples outside of all functions count only in the total. */
void code_profiles_add(struct code_profiles *profiles, const struct code *ip, u32 event,
		       const struct type_count *more);

/* Adds samples that name @ip, in no total: for code_profile_sampled(). */
void code_profiles_add_sampled(struct code_profiles *profiles, const struct code *ip, u32 event,
			       const struct type_count *more);

/* The profile of @ip's function. It is empty if the function has no samples. */
struct code_profile *code_profiles_get(struct code_profiles *profiles, const struct code *ip);

/* Sorts the functions by their period in the events @first to @first + @nr - 1, largest first. */
void code_profiles_sort(struct code_profiles *profiles, u32 first, u32 nr);

/* Sum of the samples on the instruction of @size bytes at @vaddr. */
struct type_count code_profile_sum(const struct code_profile *profile, u32 event, u64 vaddr,
				   u32 size);
/* Sum of the samples that name it. */
struct type_count code_profile_sampled(const struct code_profile *profile, u32 event, u64 vaddr,
				       u32 size);

#endif
