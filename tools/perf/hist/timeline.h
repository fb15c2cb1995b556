/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When did each group have its time? Sums of samples by the keys of columns and by slices of time, for each event.
 *
 * A sample of a thread's state, and of any other wait, is of the stretch of time that ends where the sample is: it is
 * shared out among the slices that it lies in. A sample of what ran is of the instant at which it was taken.
 *
 * Slices have a length that is asked for, or as many as there is room for. They become longer by doubling where they
 * would be too many, so nobody needs to know before how long the recording is.
 */
#ifndef HIST_TIMELINE_H
#define HIST_TIMELINE_H

#include <glib.h>

#include "fields/columns.h"
#include "session/session.h"

/* Lengths of what was waited for: below 1 us, 10 us, ... 10 s, and 10 s or more. */
#define TIMELINE_DURATIONS 9

struct timeline_options {
	struct session *session;
	struct lexicon *lexicon;
	const struct columns *columns;
	u64 slice_ns; /* 0: as short as fits */
};

struct timeline_row {
	const u64 *keys; /* by columns' groups */
	u64 period, samples;
	u64 first;			   /* number of the first slice that has some of it */
	GArray *sums;			   /* u64 of period, from that slice on */
	u64 durations[TIMELINE_DURATIONS]; /* stretches and waits by their lengths */
};

struct timeline_event {
	const struct evsel *evsel;
	GPtrArray *rows;     /* struct timeline_row *, those with the most time first */
	u64 period, samples; /* of all samples that --time and --cpu left */
	bool lasts;	     /* its samples are of stretches of time, not of instants */
	struct tuples *tuples;
};

struct timeline {
	struct timeline_options options;
	GPtrArray *events; /* struct timeline_event * */
	u64 slice_ns;
	u64 from, to; /* ns of the first session's clock: what samples are of, to excluded */
	u64 *keys;
};

/* Nothing is read; what @options points to outlives it. */
struct timeline *timeline_new(const struct timeline_options *options);
void timeline_free(struct timeline *t);

bool timeline_read(struct timeline *t, GError **error);

/* ns from the first to the last instant that samples are of, those of waits from their beginnings. */
bool timeline_elapsed(struct session *session, u64 *ns, GError **error);

/* Slices from the first to the last one. */
u32 timeline_nr_slices(const struct timeline *t);
/* What the row has in slice @i of those. */
u64 timeline_at(const struct timeline *t, const struct timeline_row *row, u32 i);
/* When slice @i begins, in ns since the first one does. */
u64 timeline_start(const struct timeline *t, u32 i);

#endif
