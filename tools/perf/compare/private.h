/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by compare.c, which joins profiles, and judge.c. */
#ifndef COMPARE_PRIVATE_H
#define COMPARE_PRIVATE_H

#include "compare/compare.h"
#include "hist/tuples.h"

/* Samples that depend on each other (hist/clusters.h). */
struct cluster {
	u32 run, side, stratum;
	bool of_requests;
	double requests;	/* that have samples in it */
	double unseen;		/* its part of those without samples; during the judgement */
	struct compare_sum sum; /* of all rows */
};

/* What one row has in one cluster. */
struct cluster_part {
	u32 row, cluster;
	struct compare_sum sum;
};

struct compare_event_own {
	struct tuples *tuples; /* identities of keys -> row */
	GArray *clusters;      /* struct cluster: CLUSTERS_A_STRATUM of each stratum */
	GArray *parts;	       /* struct cluster_part; after compare_sort_parts() by row */
	GArray *run_sums;      /* struct compare_sum by run: what shares are of */
	GArray *run_shown;     /* likewise of samples that pass the filters */
};

static inline void compare_sum_add(struct compare_sum *to, const struct compare_sum *more)
{
	to->period += more->period;
	to->samples += more->samples;
}

/* Sorts the parts by row and cluster, and joins those of one row and cluster. */
void compare_sort_parts(struct compare_event *event);

#endif
