/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How is each data type used? Samples counted per type and object file, over the bytes of
 * the type and per event, and the type laid out as a tree of members with the sums of
 * theirs. What it looks like is the view's business (pages/annotate_pages.h).
 */
#ifndef ANNOTATE_TYPE_H
#define ANNOTATE_TYPE_H

#include <glib.h>

#include "dso/dso.h"
#include "typeflow/typeflow.h"

struct type_count {
	u64 samples;
	u64 period;
};

/* One type of one object. */
struct type_profile {
	const struct type *type;
	struct dso *dso;
	struct type_count *total; /* by event */
	GHashTable *bytes;	  /* offset -> struct type_count [nr_events] */
	GArray *offsets;	  /* s64, sorted; made by type_profiles_sort() */
	u32 nr_events;
};

/* How many samples had which answer, for --type-stat. */
struct type_stat {
	u64 how[NR_ACCESS_HOW];
	u64 why[NR_ACCESS_WHY];
	u64 total, ok;
	u64 skid; /* charged to an access before the sampled instruction */
};

struct type_profiles {
	GPtrArray *profiles; /* struct type_profile * */
	GHashTable *by_key;
	struct type_count *total; /* of all samples, typed or not, by event */
	struct type_stat stat;
	u32 nr_events;
};

struct type_profiles *type_profiles_new(u32 nr_events);
void type_profiles_free(struct type_profiles *profiles);

/* One sample of @event (below nr_events). Pseudo types and unknown ones only count for the sums. */
void type_profiles_add(struct type_profiles *profiles, const struct access *access, struct dso *dso,
		       u32 event, const struct type_count *more);

/*
 * Orders the types by the samples of the events @first to @first + @nr - 1, most first,
 * then by name; to be called after the last sample and before type_profile_sum().
 */
void type_profiles_sort(struct type_profiles *profiles, u32 first, u32 nr);

/* What fell on the bytes [offset, offset + size) of the type; UINT64_MAX: all from @offset on. */
struct type_count type_profile_sum(const struct type_profile *profile, u32 event, u64 offset,
				   u64 size);

/* The samples of the events @first to @first + @nr - 1. */
u64 type_profile_samples(const struct type_profile *profile, u32 first, u32 nr);

/*
 * Whether @pattern names the type: its whole name or the name without "struct ", "union ",
 * "enum " in front; `*`, `?` and `[...]` match as in file names.
 */
bool type_name_matches(const struct type *type, const char *pattern);

/* One line of a type's tree, in the order of printing. */
struct type_line {
	const struct type *type; /* NULL: the brace that closes a structure */
	const char *name;	 /* of the member, "" where it has none */
	u64 offset, size;	 /* in the whole type */
	u32 depth;
	u16 bit_size;
	bool opens;	 /* its members follow */
	bool open_ended; /* an array without a bound at the end: everything from @offset on */
};

typedef void type_line_fn(const struct type_line *line, void *arg);

/* Calls @fn for the type itself, each member, and each closing brace. */
void type_each_line(const struct type *type, type_line_fn *fn, void *arg);

#endif
