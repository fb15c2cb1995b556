/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thread that empties the sources into the queue. It does nothing else, because a record that
 * waits too long in a ring is lost. It wakes up when a ring is half full, and at the latest after
 * DRAINER_PERIOD_MS; never for each sample. Each time it visits all sources once (a round), and
 * marks the end of the round in the queue. While a recording of thread states brings hardly
 * anything, and no stage waits for it, the period is DRAINER_CALM_MS: a wake-up costs more than what it finds. With opts->doze it wakes up only by rings while nothing comes: a
 * recording of what sleeps then costs nothing, and up to opts->wake_bytes of each ring may wait.
 */
#ifndef RECORD_DRAINER_H
#define RECORD_DRAINER_H

#include "record/alerts.h"
#include "record/queue.h"
#include "record/base/source.h"

#define DRAINER_PERIOD_MS 40
#define DRAINER_CALM_MS	  320

struct drainer;

struct drainer_counts {
	u64 wakes; /* by a ring that filled or ended or by the end, not by the clock: as upstream counts */
};

/*
 * Raises ALERT_TARGETS_ENDED when all recorded threads have ended. @realtime: the priority under
 * SCHED_FIFO, 1 to 99. With 0 the thread gets nice -20, if this user may set it. NULL with @error
 * if @realtime is not permitted.
 */
struct drainer *drainer_start(struct recording *rec, struct queue *queue, struct alerts *alerts,
			      int realtime, GError **error);

/* What waits now still goes into the present file, and then a new one is begun. */
void drainer_switch(struct drainer *d);

/* Empties everything for the last time and waits for the thread. */
void drainer_join(struct drainer *d, struct drainer_counts *counts);

#endif
