/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The path of a single instance as a list: the segments of walk.h with what their samples say. */
#ifndef CRITICAL_STEPS_H
#define CRITICAL_STEPS_H

#include "critical/walk.h"

/* A part of the path of a single instance. */
struct critical_step {
	u64 from, to;
	u32 thread, depth;
	u32 activity;		 /* that the thread worked for; 0: not known */
	u8 why;			 /* enum segment_why */
	const struct stay *stay; /* as in struct path_segment */
	const struct stay
		*through; /* the innermost wait through which the path came here; NULL: none */
	u32 code, data;	  /* texts: most of its samples; 0: it has none */
	u32 samples, of_code;
};

/* Appends the segment to @steps, struct critical_step. */
void steps_add(GArray *steps, const struct history *h, const struct path_segment *segment);

/* A walk goes backward: puts the steps from @first on into the order of time. */
void steps_reverse(GArray *steps, u32 first);

#endif
