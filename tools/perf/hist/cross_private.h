/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables that cross.c fills and cross_settle.c makes smaller. */
#ifndef HIST_CROSS_PRIVATE_H
#define HIST_CROSS_PRIVATE_H

#include "base/table.h"
#include "hist/cross.h"
#include "hist/tuples.h"

/* Words of a group's tuple. */
enum { GROUP_EVENT, GROUP_FRAME, GROUP_SITE, GROUP_KEYS };

struct cross_sums {
	struct cross_sum now, before;
};

/* (group, slice) -> sum, with slices of 2^shift ns that grow while it is fed. */
struct moments {
	GArray *list;	/* struct cross_moment, whose slices are not set yet */
	GArray *slices; /* u64: of each, time >> shift */
	struct table index;
	u32 shift;
	u64 least, most; /* slices */
};

struct cross_own {
	struct tuples *frames; /* parent, function, inlined, dso */
	GArray *frame_list;    /* struct cross_frame, without parents and sums */
	GPtrArray *known;      /* by file: GArray of u32: a place's chain_id -> frame, +1 */
	struct tuples *sites;  /* dso, vaddr, type, offset, how */
	GArray *site_list;     /* struct cross_site */
	struct tuples *groups;
	GArray *sums; /* struct cross_sums, by group */
	struct moments now, before;
	u64 *words; /* a group's tuple */
};

void moments_init(struct moments *m);
void moments_release(struct moments *m);
/* Spreads the period over the slices from @from to @to; samples count in the last one. For an instant, both are equal. */
void moments_add(struct moments *m, u32 group, u64 from, u64 to, const struct cross_sum *more,
		 const struct cross_limits *limits);
/* From the first to the last one. */
u64 moments_nr_slices(const struct moments *m);
/* Fewer than that are only made where nothing else helps: too coarse to be looked at. */
#define MOMENTS_LEAST_SLICES 128
/* Slices of twice the length. */
void moments_widen(struct moments *m);
/* Gives the group @to[i] what the group i had. */
void moments_regroup(struct moments *m, const u32 *to);

static inline void cross_sum_add(struct cross_sum *to, const struct cross_sum *more)
{
	to->samples += more->samples;
	to->period += more->period;
}

#endif
