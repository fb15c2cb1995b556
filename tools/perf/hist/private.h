/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of hist/. Nobody else includes this. */
#ifndef HIST_PRIVATE_H
#define HIST_PRIVATE_H

#include <glib.h>

#include "hist/hist.h"

/*
 * The entry for @keys; *@made: it is new, with sums of zero. @hash is hist_hash() of the keys. For many look-ups,
 * call the functions above first: they prefetch, for all keys, the memory that it reads.
 */
u32 hist_hash(const struct hist *hist, const u64 *keys);
void hist_prefetch_index(const struct hist *hist, u32 hash);
void hist_prefetch_entry(const struct hist *hist, u32 hash);
struct hist_entry *hist_find(struct hist *hist, const u64 *keys, u32 hash, bool *made);

/* The pair's record, new ones with sums of zero. Valid until the next call that makes a record. */
void hist_prefetch_stack(const struct hist *hist, const struct hist_entry *entry, u32 member,
			 u32 stack);
struct hist_stack *hist_find_stack(struct hist *hist, struct hist_entry *entry, u32 member,
				   u32 stack);

GArray *hist_stacks(const struct hist *hist); /* struct hist_stack */
u32 hist_nr_keys(const struct hist *hist);
u32 hist_nr_members(const struct hist *hist);

#endif
