/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The source of --off-cpu. Needs BPF. For each wait of at least the threshold there are up to three samples:
 *
 *	offcpu-time	the time that the thread was blocked
 *	offcpu-time	the time that it then waited in the run queue
 *	offcpu-waker	the thread that woke it
 *
 * Shorter waits of a thread are added up. So the sums are exact for every threshold.
 */
#ifndef RECORD_OFFCPU_H
#define RECORD_OFFCPU_H

#include "record/base/source.h"

/* @tls: the source of activities, or NULL. It must have been added before this. */
struct source *offcpu_source_new(const struct record_options *opts,
				 const struct kernel_paths *paths, const struct source *tls);

#endif
