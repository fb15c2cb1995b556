/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thread behind the queue. Each record of a buffer passes, in this order,
 *
 *    the stages     stage.h     which may change it
 *    the observers  observer.h  side records only, decoded once
 *    the consumers  consumer.h  whole buffers
 *
 * It also counts records, reads build-ids, and ends each round of the drainer with a FINISHED_ROUND
 * record. Every record that waited when a round began has been passed on when the round ends, so a
 * reader may sort and release what is older than the round before. A file begins with what exists
 * at that time (existing.h).
 */
#ifndef RECORD_COLLECTOR_H
#define RECORD_COLLECTOR_H

#include "record/base/alerts.h"
#include "record/base/consumer.h"
#include "record/base/queue.h"
#include "record/base/target.h"

struct collector_counts {
	u64 records, samples;
	u64 lost_records; /* by PERF_RECORD_LOST: samples and other records, as counted by the kernel */
	u64 lost_samples; /* by PERF_RECORD_LOST_SAMPLES, of events that have only samples */
	u64 lost_mixed; /* the same of events that also have the records of forks, exits and mappings */
	u64 throttled; /* PERF_RECORD_THROTTLE: how often the kernel throttled an event */
	bool narrow;   /* there were 32-bit processes: they have another vdso */
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
 * Waits for the thread to end. The thread ends the consumers when the queue has ended. The counts
 * are final afterwards. False with @error if the thread or a consumer failed.
 */
bool collector_join(struct collector *c, struct collector_counts *counts, GError **error);

#endif
