/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Determines the offsets between CLOCK_MONOTONIC, the clock of the kernel's events, and the recording's clock. */
#ifndef RECORD_WALL_CLOCK_H
#define RECORD_WALL_CLOCK_H

#include "perfevent/paths.h"
#include "record/base/options.h"
#include "record/waits/wall.h"

struct wall_clock_keeper;

/*
 * No system call returns perf's own clock, but its records have times. So the calling thread sets the name that it
 * has, which makes a COMM record. With --clockid, the recording has that clock: it is read, too. NULL with @error.
 */
struct wall_clock_keeper *wall_clock_new(const struct record_options *opts,
					 const struct kernel_paths *paths, GError **error);
void wall_clock_free(struct wall_clock_keeper *k);

/*
 * Compares the clocks and sets the offsets, at most once a second: to be called often, as the clocks drift by some ms a
 * minute. Only the thread that called wall_clock_new() may call it.
 */
void wall_clock_keep(struct wall_clock_keeper *k, struct wall_clock *clock);

#endif
