/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Timeline: sums of samples by the keys of columns and by time slice, for each event.
 *
 * A sample of a thread state or another wait covers a period that ends at the sample's time: it is distributed over
 * the slices of the period. A sample of running code counts at its instant.
 *
 * Slices have the requested length, or as many slices as fit are made. If there are too many, their length doubles,
 * so the length of the recording need not be known before.
 */
#ifndef HIST_TIMELINE_H
#define HIST_TIMELINE_H

#include <glib.h>

#include "fields/columns.h"
#include "session/session.h"

/* Classes of wait lengths: below 1 us, 10 us, ... 10 s, and 10 s or more. */
#define TIMELINE_DURATIONS 9

struct timeline_options {
	struct session *session;
	struct lexicon *lexicon;
	const struct columns *columns;
	u64 slice_ns;	/* 0: as short as fits */
	u32 max_slices; /* 0: as many as fit */
};

struct timeline_row {
	const u64 *keys; /* by columns' groups */
	u64 period, samples;
	u64 first;			   /* number of the first slice that is not empty */
	GArray *sums;			   /* u64 of period, from that slice on */
	u64 durations[TIMELINE_DURATIONS]; /* periods and waits by class of length */
};

struct timeline_event {
	const struct evsel *evsel;
	GPtrArray *rows;     /* struct timeline_row *, those with the most time first */
	u64 period, samples; /* of all samples that match --time and --cpu */
	bool lasts;	     /* its samples cover periods, not instants */
	struct tuples *tuples;
};

struct timeline {
	struct timeline_options options;
	GPtrArray *events; /* struct timeline_event * */
	u64 slice_ns;
	u64 from, to; /* ns of the first session's clock: covered by samples; @to is exclusive */
	u64 *keys;
};

/* Reads no samples yet. The objects in @options must outlive it. */
struct timeline *timeline_new(const struct timeline_options *options);
void timeline_free(struct timeline *t);

bool timeline_read(struct timeline *t, GError **error);

/*
 * The first and the last instant that samples cover, including the starts of waits, by the clock of the first file (of several:
 * of the day). *@from is after *@to: there are no times.
 */
bool timeline_covered(struct session *session, u64 *from, u64 *to, GError **error);
/* ns from the first to the last instant that samples cover, including the starts of waits. */
bool timeline_elapsed(struct session *session, u64 *ns, GError **error);

/* Number of slices from the first to the last one. */
u32 timeline_nr_slices(const struct timeline *t);
/* The row's sum in slice @i of these. */
u64 timeline_at(const struct timeline *t, const struct timeline_row *row, u32 i);
/* Start of slice @i, in ns since the start of the first one. */
u64 timeline_start(const struct timeline *t, u32 i);

#endif
