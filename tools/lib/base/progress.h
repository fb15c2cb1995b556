/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far is the work? One line on stderr, rewritten a few times a second and removed at
 * the end, where stderr is a terminal and the work has already taken a moment. For one
 * thread; costs a comparison per step.
 */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdbool.h>

#include "base/types.h"

/* Who shows it instead of the line on stderr; false: the work is to be left. */
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
	bool stopped; /* the watch wants the work to be left: who steps looks at it */
};

/* @on false (-q) keeps it silent. */
void progress_start(struct progress *p, const char *title, u64 total, bool on);

/* From now on @watch shows it, from the first moment on; without a function nothing changes. */
void progress_set_watch(struct progress *p, const struct progress_watch *watch);

/* Looks at the clock, and perhaps shows. Call progress_step(). */
void progress_show(struct progress *p, u64 done);

static inline void progress_step(struct progress *p, u64 done)
{
	if (done >= p->next)
		progress_show(p, done);
}

/* Removes the line. Before anything else is printed. */
void progress_end(struct progress *p);

#endif
