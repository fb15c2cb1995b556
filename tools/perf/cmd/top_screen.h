/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws what perf top knows, again and again, as text, and follows the keys. On a thread of its own,
 * while the recording runs on that of the caller.
 */
#ifndef CMD_TOP_SCREEN_H
#define CMD_TOP_SCREEN_H

#include "cmd/top_profile.h"

struct top_screen_options {
	u32 delay;	    /* seconds between frames, 1 or more */
	u32 entries;	    /* rows; 0: as many as there is room for */
	const char *rate;   /* "4000Hz" */
	const char *target; /* "all", "target_pid: 4711" */
	u32 nr_cpus;
};

struct top_screen;

/* @profile and what @options point to outlive it. NULL with @error where there is no thread. */
struct top_screen *top_screen_start(struct top_profile *profile,
				    const struct top_screen_options *options, GError **error);

/* When nothing more is recorded: draws a last frame, and gives the terminal back. */
void top_screen_stop(struct top_screen *screen);

#endif
