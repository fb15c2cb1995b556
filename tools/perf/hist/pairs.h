/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums by pair of numbers. Samples are added up here first, when their keys are two numbers: one look-up and two
 * additions per sample. The cost of a row is then paid once per pair.
 */
#ifndef HIST_PAIRS_H
#define HIST_PAIRS_H

#include "base/types.h"

struct pairs;

struct pair {
	u32 where, who;
	u64 samples, period;
};

struct pairs *pairs_new(void);
void pairs_free(struct pairs *p);

/* Samples or sums in order. */
void pairs_add(struct pairs *p, const struct pair *shares, u32 nr);

/* Calls @fn for each pair, in the order of their first use. */
typedef void pairs_fn(const struct pair *pair, void *arg);
void pairs_each(struct pairs *p, pairs_fn *fn, void *arg);

#endif
