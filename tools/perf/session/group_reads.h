/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Leader sampling, as in {cycles,instructions}:S. Only the leader of the group samples, and each of its samples has the
 * values of all counters of the group (PERF_SAMPLE_READ). Such a sample is split: each counter that has counted since
 * its previous value gets a sample of its own event, and the difference is its period.
 *
 *	record: sample of cycles, read = cycles 900, instructions 400	samples: cycles 900, instructions 400
 *	record: sample of cycles, read = cycles 1800, instructions 700	samples: cycles 900, instructions 300
 *
 * So the samples must be read from the first one, in an order that keeps that of each ring. Values that go down are of a
 * new counter, which started at 0.
 */
#ifndef SESSION_GROUP_READS_H
#define SESSION_GROUP_READS_H

#include <glib.h>

#include "base/types.h"

struct event;
struct evsel;
struct group_reads;
struct perfdata;

struct group_reads *group_reads_new(struct perfdata *pd);
void group_reads_free(struct group_reads *g);

/* Starts again before the first sample. */
void group_reads_restart(struct group_reads *g);

/* True if samples of one of the file's events are split. */
bool group_reads_in(const struct perfdata *pd);

/* The number of parts of @sample; 0: it is not split. */
u64 group_reads_parts(const struct event *sample);

/*
 * Fills @part with part @i of @sample. Each part must be taken once, in turn. False: this part is no sample, because its
 * counter has not counted, or its id is unknown.
 */
bool group_reads_take(struct group_reads *g, const struct event *sample, u64 i, struct event *part);

/* Makes @sample the part that group_reads_take() has filled: that of @evsel, with this @id and @period. */
void group_reads_make_part(struct event *sample, const struct evsel *evsel, u64 id, u64 period);

#endif
