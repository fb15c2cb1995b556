/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The source behind --latency-of: calls, or requests to block devices, that a look of --wall found going on become samples when
 * they end; period is how long they took, and the number in the raw data is that of the sample of the look. Needs BPF.
 */
#ifndef RECORD_LATENCY_H
#define RECORD_LATENCY_H

#include "record/base/source.h"

struct source *latency_source_new(const struct record_options *opts,
				  const struct kernel_paths *paths);

/* Once open: the BPF maps in which a look leaves what it found. */
void latency_source_maps(const struct source *latency, int *calls, int *requests);

#endif
