/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums over a tree of critical paths, by who or what the time went to, wherever that is in the tree. */
#ifndef CRITICAL_SUMS_H
#define CRITICAL_SUMS_H

#include "critical/path_tree.h"

enum path_sum_kind {
	SUM_WAIT, /* @what: what was waited for */
	SUM_CODE, /* @what: a function */
	SUM_CPU,  /* it ran while the instance waited for a CPU */
	SUM_BUSY, /* the instance's thread worked for it first */
};

struct path_sum {
	u32 span; /* text; of path_sums_causes(): 0 */
	u32 what; /* text; 0: see the kind */
	u8 kind;  /* enum path_sum_kind */
	u64 ns[NR_CLASSES];
};

/* The sum of a span, and not one of its parts. */
bool path_sum_is_whole(const struct path_sum *sum);

/*
 * The time that was lost to other spans: struct path_sum, for each span first one with its whole time (@what 0, SUM_WAIT), then
 * its parts; those with the most time of the slow class first. The outermost span on a path counts. To free.
 */
GArray *path_sums_lost(const struct path_tree *tree);

/*
 * For each lock that has owners, and for each function, the time of all paths that goes through it. Those with the most time first. To
 * free.
 */
GArray *path_sums_causes(const struct path_tree *tree);

#endif
