/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pages of `perf report --timeline`: rows of keys, what each has in each slice of time, how long its waits were. */
#ifndef PAGES_TIMELINE_PAGES_H
#define PAGES_TIMELINE_PAGES_H

#include "hist/timeline.h"
#include "pages/page.h"

/* What a cell of time says. */
enum time_unit {
	TIME_SHARE,   /* percent of the event's time */
	TIME_SECONDS, /* time */
	TIME_THREADS, /* how many threads did that at a time, on average */
};

struct timeline_pages_options {
	enum time_unit unit;
	double least; /* percent: rows below are left out */
	u32 top;      /* rows at most; 0: all */
};

/*
 * Columns: the whole, one per key, then, for events that last, how many waits were how long, class by class; slices
 * of time, as parts of the last column.
 */
u32 timeline_pages_nr_keys(const struct rows *rows);
/* 0, or as many as there are classes. */
u32 timeline_pages_nr_durations(const struct rows *rows);

/* One page per event with samples. @timeline, which was read, stays the caller's and outlives the pages. */
struct pages *timeline_pages_new(const struct timeline *timeline,
				 const struct timeline_pages_options *options);

#endif
