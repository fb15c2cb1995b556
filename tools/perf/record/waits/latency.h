/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The source of --latency-of. If a pass of --wall finds a system call (or a request to a block device) in progress,
 * this source makes a sample when it ends. The period is its duration. The sequence number in the raw data is the same
 * as in the --wall sample. Needs BPF.
 */
#ifndef RECORD_LATENCY_H
#define RECORD_LATENCY_H

#include "record/base/source.h"

struct source *latency_source_new(const struct record_options *opts,
				  const struct kernel_paths *paths);

/* out: fds of the BPF maps in which a pass marks what it found. To be called after opening. */
void latency_source_maps(const struct source *latency, int *calls, int *requests);

#endif
