/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thread behind the queue. Each record of a buffer goes, in this order,
 *
 *   through the stages               stage.h     which may change it
 *   to those who want to know of it  observer.h  side records only, decoded once
 *   to all consumers                 consumer.h  in whole buffers
 *
 * On the way it counts, looks up build-ids, and closes each round of the drainer with a FINISHED_ROUND
 * record: whatever was there before the round began has been passed on by its end, so that a reader
 * may sort and let go of what is older than the round before. Files begin with what exists
 * (existing.h).
 */
#ifndef RECORD_COLLECTOR_H
#define RECORD_COLLECTOR_H

#include "record/alerts.h"
#include "record/consumer.h"
#include "record/queue.h"
#include "record/target.h"

struct collector_counts {
	u64 records, samples;
	u64 lost_records; /* by PERF_RECORD_LOST: samples and others, as far as the kernel could say */
	u64 lost_samples; /* by PERF_RECORD_LOST_SAMPLES */
	u64 throttled;	  /* PERF_RECORD_THROTTLE: times that the kernel stopped an event */
};

struct collector;

struct collector_setup {
	const struct recording *rec;
	const struct target *target;
	const GPtrArray *consumers; /* struct consumer *, begun */
	struct evsel *const *evsels;
	u32 nr_evsels;
	struct perfdata_info *info; /* gets build-ids and times, part by part */
	struct queue *queue;
	struct alerts *alerts;
};

/*
 * Starts the thread. It raises ALERT_BEGUN when what exists was told to all consumers,
 * ALERT_FULL when a consumer has enough, ALERT_FAILED when it gave up.
 */
struct collector *collector_start(const struct collector_setup *setup, GError **error);

/*
 * Waits for the thread, which ends the consumers when the queue ends. Then the counts are final. False with
 * @error where the thread gave up, or a consumer did.
 */
bool collector_join(struct collector *c, struct collector_counts *counts, GError **error);

#endif
