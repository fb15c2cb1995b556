/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long the instances of each name last: which endpoint is slow? */
#ifndef CRITICAL_NAMES_H
#define CRITICAL_NAMES_H

#include "critical/doings.h"

struct critical_name {
	u32 name;		/* text */
	u32 nr;			/* instances */
	u64 p50, p90, p99, max; /* ns */
	u64 sum;
};

/*
 * Of all instances that were seen, a row for each name: struct critical_name, the largest p99 first. @unnamed: text, the name of those that
 * have only ids. To free.
 */
GArray *critical_names(const struct doings *d, u32 unnamed);

/* The length that @share (0 to 1) of the lengths do not exceed; u64, sorted, the shortest first, at least one. */
u64 critical_quantile(const GArray *lengths, double share);

#endif
