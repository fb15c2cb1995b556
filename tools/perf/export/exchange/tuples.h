/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds up samples that are alike: same event, stack, thread, CPU, span and labels. A format without times needs no more than
 * these sums. Memory is bounded: when there are EXCHANGE_TUPLES_MOST different ones, they are written and forgotten.
 * Those that come again are written again, and readers of such formats add them up.
 */
#ifndef EXPORT_EXCHANGE_TUPLES_H
#define EXPORT_EXCHANGE_TUPLES_H

#include "export/exchange/format.h"

#define EXCHANGE_TUPLES_MOST 65536u

struct exchange_tuple {
	struct exchange_sample sample; /* the first one; its time is its own */
	u64 samples, value;
};

struct exchange_tuples {
	GArray *tuples; /* struct exchange_tuple */
	struct table index;
};

void exchange_tuples_init(struct exchange_tuples *t);
void exchange_tuples_release(struct exchange_tuples *t);

/* Returns the position of the tuple in t->tuples. The caller writes and clears when it is full. */
u32 exchange_tuples_add(struct exchange_tuples *t, const struct exchange_sample *s);
void exchange_tuples_clear(struct exchange_tuples *t);

static inline bool exchange_tuples_full(const struct exchange_tuples *t)
{
	return t->tuples->len >= EXCHANGE_TUPLES_MOST;
}

static inline struct exchange_tuple *exchange_tuple(const struct exchange_tuples *t, u32 i)
{
	return &g_array_index(t->tuples, struct exchange_tuple, i);
}

#endif
