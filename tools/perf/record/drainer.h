/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thread that empties the sources into the queue. It does nothing else, because a record that
 * waits too long in a ring is lost. It wakes up when a ring is half full, and at the latest after
 * DRAINER_PERIOD_MS; never for each sample. Each time it visits all sources once (a round), and
 * marks the end of the round in the queue.
 *
 * While a recording of thread states gets few records, and there is no stage, the period is DRAINER_CALM_MS: a wake-up
 * costs more than the work that it finds. With opts->doze and no records, only rings wake the thread. Then a recording
 * of sleeping threads costs nothing, and up to opts->wake_bytes may wait in each ring.
 */
#ifndef RECORD_DRAINER_H
#define RECORD_DRAINER_H

#include "record/base/alerts.h"
#include "record/base/queue.h"
#include "record/base/source.h"

#define DRAINER_PERIOD_MS 40
#define DRAINER_CALM_MS	  320

struct drainer;

struct drainer_counts {
	u64 wakes; /* wake-ups by rings or by the end, not by the timer: as upstream counts */
};

/*
 * Raises ALERT_TARGETS_ENDED when all recorded threads have ended. @realtime: the priority under
 * SCHED_FIFO, 1 to 99. With 0 the thread gets nice -20, if this user may set it. NULL with @error
 * if @realtime is not permitted.
 */
struct drainer *drainer_start(struct recording *rec, struct queue *queue, struct alerts *alerts,
			      int realtime, GError **error);

/* Drains once more into the present file, and then a new file begins. */
void drainer_switch(struct drainer *d);
/* Drains once more, if recording.asked has grown. */
void drainer_ask(struct drainer *d);

/* Drains for the last time, and waits for the thread to end. */
void drainer_join(struct drainer *d, struct drainer_counts *counts);

#endif
