/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When each span (or other activity) ran, and how long: one entry for each id, not for each name. So a page can show the
 * slowest requests.
 *
 * The files of spans state begin and duration. Without them, a span lasts from its first to its last sample. If the
 * recording does not tell the time of day of its clock, only the duration is taken from the files. Times that most samples
 * of the span contradict are not used: programs may use an id again, and clocks may differ.
 */
#ifndef HIST_SPAN_TIMES_H
#define HIST_SPAN_TIMES_H

#include <glib.h>

#include "fields/fields.h"
#include "resolve/place.h"

/* Each sample of these ids is counted; samples of further ids are not. */
#define SPAN_TIMES_MOST	  1000000
#define SPAN_TIMES_LISTED 1000 /* are kept in the end: those that lasted longest */

struct span_time {
	u64 trace[2], id; /* as numbers, most significant byte first */
	u32 value; /* of an activity without ids: its text, an id in the lexicon's texts; 0: it has ids */
	bool stated;	    /* the duration is from a file of spans */
	bool several;	    /* its samples are of several threads; @thread is the first one */
	u64 name, thread;   /* keys of the fields span and tid */
	u64 from_ns, to_ns; /* on the clock of the cross table's slices */
	u64 stated_begin,
		stated_ns;   /* begin on that clock, and duration, by a file; 0: not known */
	u64 samples, inside; /* inside: of that time */
};

struct span_times;

/* @lexicon must outlive it. */
struct span_times *span_times_new(struct lexicon *lexicon);
void span_times_free(struct span_times *times);

#define SPAN_TIMES_NEEDS (NEED_ACTIVITY | NEED_THREAD | NEED_SAMPLE)

/* Adds a sample that has SPAN_TIMES_NEEDS. */
void span_times_take(struct span_times *times, const struct place *place);

/* When all have been taken. Returns the struct span_time that lasted longest, longest first; owned by @times. */
const GArray *span_times_settle(struct span_times *times);

/* All that were seen, also after settling. @beyond: samples of ids after SPAN_TIMES_MOST. */
u32 span_times_nr(const struct span_times *times, u64 *beyond);

#endif
