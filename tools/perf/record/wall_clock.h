/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Determines the offset between CLOCK_MONOTONIC and the clock of the kernel's events. */
#ifndef RECORD_WALL_CLOCK_H
#define RECORD_WALL_CLOCK_H

#include "perfevent/paths.h"
#include "record/base/options.h"
#include "record/wall.h"

struct wall_clock_keeper;

/*
 * No system call returns perf's own clock, but its records have times. So the calling thread sets its own name, which
 * makes a COMM record. With --clockid, that clock is read instead. NULL with @error.
 */
struct wall_clock_keeper *wall_clock_new(const struct record_options *opts,
					 const struct kernel_paths *paths, GError **error);
void wall_clock_free(struct wall_clock_keeper *k);

/* Calls wall_clock_set() at most once a second. */
void wall_clock_keep(struct wall_clock_keeper *k, struct wall_clock *clock);

/*
 * Compares the clocks and sets the offset. Only the thread that called wall_clock_new() may call it. To be called again:
 * the clocks drift by some ms a minute.
 */
void wall_clock_set(struct wall_clock_keeper *k, struct wall_clock *clock);

#endif
