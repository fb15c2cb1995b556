/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pages of `perf report --timeline`: a row per combination of keys, with its values in each slice of time, and with
 * the durations of its waits.
 */
#ifndef PAGES_TIMELINE_PAGES_H
#define PAGES_TIMELINE_PAGES_H

#include "hist/timeline.h"
#include "pages/base/page.h"

/* The values of the cells of slices. */
enum time_unit {
	TIME_SHARE,   /* percent of the event's time */
	TIME_SECONDS, /* time */
	TIME_THREADS, /* average number of threads at the same time */
};

struct timeline_pages_options {
	enum time_unit unit;
	double least; /* percent: smaller rows are left out */
	u32 top;      /* maximum number of rows; 0: no limit */
};

/*
 * The columns are: the total; one per key; for events with a duration, the number of waits in each class of durations;
 * the slices of time, as parts of the last column.
 */
u32 timeline_pages_nr_keys(const struct rows *rows);
/* The number of classes of durations; 0: there are none. */
u32 timeline_pages_nr_durations(const struct rows *rows);
/* The length of a slice. */
u64 timeline_pages_slice_ns(const struct page *page);

/*
 * Makes one page per event with samples. @timeline must be complete. The caller owns it, and it must outlive the pages.
 */
struct pages *timeline_pages_new(const struct timeline *timeline,
				 const struct timeline_pages_options *options);

#endif
