/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Equal tuples of words become equal numbers, dense from 0 in the order in which they come. */
#ifndef HIST_TUPLES_H
#define HIST_TUPLES_H

#include "base/types.h"

struct tuples;

struct tuples *tuples_new(u32 nr_words); /* 1 or more */
void tuples_free(struct tuples *t);

u32 tuples_id(struct tuples *t, const u64 *words);
u32 tuples_nr(const struct tuples *t);
/* The number of a tuple that came before; -1: it is new. */
s64 tuples_find(const struct tuples *t, const u64 *words);
const u64 *tuples_at(const struct tuples *t, u32 id);

#endif
