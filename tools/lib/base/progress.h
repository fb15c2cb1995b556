/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Progress of long work: one line on stderr, updated a few times a second and removed at the end. It is shown only if
 * stderr is a terminal and the work has taken some time already. For one thread. A step costs one comparison.
 */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdbool.h>

#include "base/types.h"

/* Shows the progress instead of the line on stderr. The function returns false to cancel the work. */
struct progress_watch {
	bool (*show)(void *arg, const char *title, u64 done, u64 total);
	void *arg;
};

struct progress {
	const char *title; /* borrowed: "Reading perf.data" */
	u64 total;	   /* steps of the whole; 0: not known */
	u64 next;	   /* step at which to look at the clock again; U64_MAX: never */
	u64 start_ns;
	u64 shown_ns; /* 0: no line on the terminal yet */
	struct progress_watch watch;
	bool stopped; /* the watch has cancelled the work; the worker must check this */
};

/* @on false (-q) keeps it silent. */
void progress_start(struct progress *p, const char *title, u64 total, bool on);

/* From now on @watch shows the progress, without the initial delay. No effect if @watch has no function. */
void progress_set_watch(struct progress *p, const struct progress_watch *watch);

/* Reads the clock and updates the line if it is time. Internal: call progress_step(). */
void progress_show(struct progress *p, u64 done);

static inline void progress_step(struct progress *p, u64 done)
{
	if (done >= p->next)
		progress_show(p, done);
}

/* Removes the line. Call it before anything else is printed. */
void progress_end(struct progress *p);

#endif
