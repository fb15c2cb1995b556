/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thread that writes. It begins each file with what holds at that moment (synth.h, and
 * the sources), then writes what comes through the queue, and on the way counts the records, remembers
 * whose maps a later file will need, and looks up build-ids.
 */
#ifndef RECORD_WRITER_H
#define RECORD_WRITER_H

#include <stdio.h>

#include "record/alerts.h"
#include "record/output.h"
#include "record/queue.h"
#include "record/target.h"

struct writer_counts {
	u64 records, samples;
	u64 lost_records; /* by PERF_RECORD_LOST: samples and others, as far as the kernel could say */
	u64 lost_samples; /* by PERF_RECORD_LOST_SAMPLES */
	u64 throttled;	  /* PERF_RECORD_THROTTLE: times that the kernel stopped an event */
	u64 first_time, last_time; /* of samples, ns; 0: none */
	u32 parts;		   /* files that were set aside */
	u64 wakes;		   /* the drainer's that were told with the parts but the last */
	const char *last_part;	   /* its name, the output's own; NULL: none, or it has failed */
};

struct writer;

struct writer_setup {
	const struct recording *rec;
	const struct target *target;
	struct output *output;
	struct queue *queue;
	struct alerts *alerts;
	FILE *say; /* where a part's name is told; NULL: nowhere */
};

/*
 * Starts the thread. It raises ALERT_BEGUN when the head of the first file is written,
 * ALERT_FULL at --max-size, ALERT_WRITE_FAILED when it gave up (output->error says why).
 */
struct writer *writer_start(const struct writer_setup *setup);

/* Waits for the thread, which ends the file when the queue ends. Then the counts are final. */
void writer_join(struct writer *w, struct writer_counts *counts);

#endif
