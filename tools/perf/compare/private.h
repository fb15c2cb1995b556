/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by compare.c, which joins profiles, and judge.c. */
#ifndef COMPARE_PRIVATE_H
#define COMPARE_PRIVATE_H

#include "compare/compare.h"
#include "hist/tuples.h"

/* Samples that depend on each other: those of a thread. Threads of one stratum are alike. */
struct cluster {
	u32 run, side, stratum;
	struct compare_sum sum; /* of all rows */
};

/* What one row has in one cluster. */
struct cluster_part {
	u32 row, cluster;
	struct compare_sum sum;
};

struct compare_event_own {
	struct tuples *tuples;	/* identities of keys -> row */
	struct tuples *threads; /* run, side, thread -> cluster */
	struct tuples *strata;	/* run, side, name, whether it is the first thread -> stratum */
	GArray *clusters;	/* struct cluster */
	GArray *parts;		/* struct cluster_part; after compare_sort_parts() by row */
	GArray *run_sums;	/* struct compare_sum by run: what shares are of */
	GArray *run_shown;	/* likewise of samples that pass the filters */
};

static inline void compare_sum_add(struct compare_sum *to, const struct compare_sum *more)
{
	to->period += more->period;
	to->samples += more->samples;
}

/* Sorts the parts by row and cluster, and joins those of one row and cluster. */
void compare_sort_parts(struct compare_event *event);

#endif
