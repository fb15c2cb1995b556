/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shows perf top's profile as text, and handles the keys. It has its own thread; the recording runs on the caller's.
 */
#ifndef CMD_TOP_SCREEN_H
#define CMD_TOP_SCREEN_H

#include "cmd/top/top_waits.h"
#include "report/top_profile.h"

struct top_screen_options {
	u32 delay;	    /* seconds between frames, 1 or more */
	u32 entries;	    /* rows; 0: as many as fit */
	const char *rate;   /* "4000Hz" */
	const char *target; /* "all", "target_pid: 4711" */
	u32 nr_cpus;
	struct top_waits *waits; /* NULL: no thread states are recorded */
	const char *missing;	 /* of recorder_missing() */
};

struct top_screen;

/*
 * @profile and the objects in @options must outlive it. NULL with @error if no thread can be started.
 */
struct top_screen *top_screen_start(struct top_profile *profile,
				    const struct top_screen_options *options, GError **error);

/* Call it when the recording has ended: shows a last frame, and restores the terminal. */
void top_screen_stop(struct top_screen *screen);

#endif
