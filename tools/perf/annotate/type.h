/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums samples by data type and object file: per byte of the type, per instruction, and per event. layout.h has the
 * type's members as a tree; pages/code/annotate_pages.h makes pages of the sums.
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

/* Accesses of one instruction to one offset of a type, with one value of @by. */
struct touch {
	const struct type_profile *profile;
	struct dso *dso;
	const struct symbol *symbol; /* NULL: unknown */
	u64 vaddr;
	s64 offset; /* into the type, or TYPE_OFFSET_ANY */
	u64 by;	  /* a key that the caller chooses; samples with different keys are counted apart */
	u8 roles; /* enum insn_access bits */
	struct type_count *counts; /* by event */
};

/* A type of an object file. */
struct type_profile {
	const struct type *type;
	struct dso *dso;
	struct access_count *total; /* by event */
	GPtrArray *touches;	    /* struct touch *, in the order of their first samples */
	GHashTable *bytes;	    /* offset -> struct access_count [nr_events] */
	GArray *offsets;	    /* s64, sorted; made by type_profiles_sort() */
	u32 nr_events;
};

/* Number of samples by answer, for --type-stat. */
struct type_stat {
	u64 how[NR_ACCESS_HOW];
	u64 why[NR_ACCESS_WHY];
	u64 total, ok;
	u64 moved; /* counted for an instruction executed before the sampled one */
};

struct type_profiles {
	GPtrArray *profiles; /* struct type_profile * */
	GHashTable *by_key;
	GHashTable *touches;	  /* set of struct touch * */
	struct type_count *total; /* all samples, typed or not, by event */
	struct type_stat stat;
	u32 nr_events;
};

struct type_profiles *type_profiles_new(u32 nr_events);
void type_profiles_free(struct type_profiles *profiles);

/* Samples with equal values. */
struct type_sample {
	const struct access *access;
	const struct code *ip;
	u64 by; /* as in struct touch */
	u32 event;
	bool moved; /* they name an instruction executed later than @ip */
	struct type_count count;
};

/* Adds samples. Pseudo types and unknown types count only in the totals. */
void type_profiles_add(struct type_profiles *profiles, const struct type_sample *sample);

/*
 * Sorts the types by their samples in the events @first to @first + @nr - 1, largest first, then by name. Call it after
 * the last sample and before type_profile_sum().
 */
void type_profiles_sort(struct type_profiles *profiles, u32 first, u32 nr);

/*
 * Sum of the samples on the bytes [offset, offset + size) of the type. @size UINT64_MAX: all bytes from @offset on.
 */
struct access_count type_profile_sum(const struct type_profile *profile, u32 event, u64 offset,
				     u64 size);

/* Adds @more to @to. @roles: whether the instruction reads, writes, or both. */
void access_count_add(struct access_count *to, const struct type_count *more, u8 roles);

/* The number of samples in the events @first to @first + @nr - 1. */
u64 type_profile_samples(const struct type_profile *profile, u32 first, u32 nr);

/*
 * Does @pattern match the type's name, or the name without "struct ", "union " or "enum "? `*`, `?` and `[...]` match
 * as in file names.
 */
bool type_name_matches(const struct type *type, const char *pattern);

#endif
