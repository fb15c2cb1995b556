/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Single instances for a picture: some of them as points (when, how long), and the paths of some of these. Pictures of
 * 100,000 instances are unreadable, and their paths too large, so both are bounded: the longest ones first, and of the
 * others one here and one there, evenly over their lengths.
 */
#ifndef CRITICAL_POINTS_H
#define CRITICAL_POINTS_H

#include "critical/doings.h"
#include "critical/steps.h"

#define POINTS_MOST	    2000u
#define POINTS_MOST_PATHS   300u
#define POINTS_MOST_STEPS   20000u /* of all paths */
#define POINTS_STEPS_OF_ONE 2000u

/* Why there is no path. */
enum point_path {
	POINT_HAS_PATH,
	POINT_NOT_CHOSEN, /* other paths have the room */
	POINT_TOO_LONG,	  /* more than POINTS_STEPS_OF_ONE segments */
};

struct critical_point {
	u64 from, to;
	u32 instance;  /* UINT32_MAX: a thread's time */
	u32 thread;    /* of its end */
	bool slow;     /* in the class of the slowest ones */
	u8 path;       /* enum point_path */
	u32 first, nr; /* in the steps */
};

struct points {
	GArray *list;  /* struct critical_point, the longest first */
	GArray *steps; /* struct critical_step, of each point in the order of time */
	u32 nr_paths;
};

struct points *points_new(void);
void points_free(struct points *p);

/* @order: u32, all instances, the longest first; the first @nr_slow of them are slow. */
void points_choose(struct points *p, const struct history *h, const struct doings *d,
		   const GArray *order, u32 nr_slow);
/* The only point is a thread's time. */
void points_take_thread(struct points *p, const struct history *h, u32 thread, u64 from, u64 to);

#endif
