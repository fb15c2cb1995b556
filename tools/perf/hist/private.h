/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of hist/ share; nobody else includes this. */
#ifndef HIST_PRIVATE_H
#define HIST_PRIVATE_H

#include <glib.h>

#include "hist/hist.h"

/* The entry for @keys; *@made when it is new, with sums of zero. */
struct hist_entry *hist_find(struct hist *hist, const u64 *keys, bool *made);

/* The pair's record, made with sums of zero; valid until the next one is made. */
struct hist_stack *hist_find_stack(struct hist *hist, struct hist_entry *entry, u32 member,
				   u32 stack);

GArray *hist_stacks(const struct hist *hist); /* struct hist_stack */
u32 hist_nr_keys(const struct hist *hist);

#endif
