/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thread that empties the sources into the queue. It is woken when a ring is half full,
 * and at the latest after DRAINER_PERIOD_MS, never for each sample. Each time it goes once
 * through all sources and closes with a FINISHED_ROUND record: whatever was there before that
 * round began has been written by its end, so that a reader may sort and let go of what is
 * older than the round before.
 */
#ifndef RECORD_DRAINER_H
#define RECORD_DRAINER_H

#include "record/alerts.h"
#include "record/queue.h"
#include "record/source.h"

#define DRAINER_PERIOD_MS 40

struct drainer;

struct drainer_counts {
	u64 wakes; /* by a ring that filled or ended or by the end, not by the clock: as upstream counts */
	u64 bytes; /* of records */
};

/* Raises ALERT_TARGETS_ENDED when nobody is left to record. */
struct drainer *drainer_start(struct recording *rec, struct queue *queue, struct alerts *alerts);

/* What waits now still goes into the present file, and then a new one is begun. */
void drainer_switch(struct drainer *d);

/* Empties everything for the last time and waits for the thread. */
void drainer_join(struct drainer *d, struct drainer_counts *counts);

#endif
