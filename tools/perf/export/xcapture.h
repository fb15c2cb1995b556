/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf data convert --to=xcapture: thread states as xcapture 3 (0x.tools) writes them, so that queries made for its
 * files find the same columns.
 *
 * It looks at all threads once a second, or so; a recording has stretches of time. So each thread has a row for each
 * instant of a grid that one of its stretches covers: what a sampler would have seen then.
 */
#ifndef EXPORT_XCAPTURE_H
#define EXPORT_XCAPTURE_H

#include "base/error.h"
#include "base/types.h"

struct xcapture_options {
	const char *input;  /* a recording, or a folder of recordings */
	const char *folder; /* for the files */
	u32 hz;		    /* instants a second */
	bool force;
};

struct xcapture_counts {
	u64 states; /* stretches of time of record --wall that were read */
	u64 rows;   /* of samples, written: instants that these cover */
	u64 ends;   /* of calls and requests (record --latency-of), written */
};

bool xcapture_write(const struct xcapture_options *options, struct xcapture_counts *counts,
		    GError **error);

#endif
