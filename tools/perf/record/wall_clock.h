/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is the time by the clock of the kernel's events? */
#ifndef RECORD_WALL_CLOCK_H
#define RECORD_WALL_CLOCK_H

#include "perfevent/paths.h"
#include "record/base/options.h"
#include "record/wall.h"

struct wall_clock_keeper;

/*
 * perf's own clock cannot be asked for, but records have it: the calling thread makes one, by setting its
 * name. With --clockid that clock is asked. NULL with @error.
 */
struct wall_clock_keeper *wall_clock_new(const struct record_options *opts,
					 const struct kernel_paths *paths, GError **error);
void wall_clock_free(struct wall_clock_keeper *k);

/* Compares the clocks: on the thread that made it, since they drift apart by some ms a minute. */
/* The same at most once a second. */
void wall_clock_keep(struct wall_clock_keeper *k, struct wall_clock *clock);

void wall_clock_set(struct wall_clock_keeper *k, struct wall_clock *clock);

#endif
