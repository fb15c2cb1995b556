/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How is each data type used? Samples counted per type and object file, over the bytes of
 * the type, over the instructions that touched them, and per event. The type as a tree of
 * members is in layout.h; what it looks like is the view's business (pages/annotate_pages.h).
 */
#ifndef ANNOTATE_TYPE_H
#define ANNOTATE_TYPE_H

#include <glib.h>

#include "dso/dso.h"
#include "resolve/place.h"
#include "typeflow/typeflow.h"

struct type_count {
	u64 samples;
	u64 period;
};

/* An instruction that reads and writes (xadd) counts in all three. */
struct access_count {
	struct type_count all, reads, writes;
};

/* What an instruction touched: one per instruction, offset of the type, and @by. */
struct touch {
	const struct type_profile *profile;
	struct dso *dso;
	const struct symbol *symbol; /* NULL: none known */
	u64 vaddr;		     /* with --skid that of the access, not the sampled one */
	s64 offset;		     /* into the type, or TYPE_OFFSET_ANY */
	u64 by;	  /* a key of the caller's choice, by which samples are told apart */
	u8 roles; /* enum insn_access bits */
	struct type_count *counts; /* by event */
};

/* One type of one object. */
struct type_profile {
	const struct type *type;
	struct dso *dso;
	struct access_count *total; /* by event */
	GPtrArray *touches;	    /* struct touch *, in the order of their first samples */
	GHashTable *bytes;	    /* offset -> struct access_count [nr_events] */
	GArray *offsets;	    /* s64, sorted; made by type_profiles_sort() */
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
	GHashTable *touches;	  /* a set of struct touch * */
	struct type_count *total; /* of all samples, typed or not, by event */
	struct type_stat stat;
	u32 nr_events;
};

struct type_profiles *type_profiles_new(u32 nr_events);
void type_profiles_free(struct type_profiles *profiles);

/* Samples that are alike. */
struct type_sample {
	const struct access *access;
	const struct code *ip;
	u64 by; /* as in struct touch */
	u32 event;
	struct type_count count;
};

/* Pseudo types and unknown ones only count for the sums. */
void type_profiles_add(struct type_profiles *profiles, const struct type_sample *sample);

/*
 * Orders the types by the samples of the events @first to @first + @nr - 1, most first,
 * then by name; to be called after the last sample and before type_profile_sum().
 */
void type_profiles_sort(struct type_profiles *profiles, u32 first, u32 nr);

/* What fell on the bytes [offset, offset + size) of the type; UINT64_MAX: all from @offset on. */
struct access_count type_profile_sum(const struct type_profile *profile, u32 event, u64 offset,
				     u64 size);

/* Adds @more, which an instruction with these @roles did. */
void access_count_add(struct access_count *to, const struct type_count *more, u8 roles);

/* The samples of the events @first to @first + @nr - 1. */
u64 type_profile_samples(const struct type_profile *profile, u32 first, u32 nr);

/*
 * Whether @pattern names the type: its whole name or the name without "struct ", "union ",
 * "enum " in front; `*`, `?` and `[...]` match as in file names.
 */
bool type_name_matches(const struct type *type, const char *pattern);

#endif
