/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a recording, hands its events through passes, and writes what comes out of them as perf.data: a file or a
 * pipe. Header features and the order of records stay as they are, where no pass changes them. What is written is
 * not compressed.
 */
#ifndef PASS_PIPELINE_H
#define PASS_PIPELINE_H

#include "pass/pass.h"

struct machine;
struct perfdata;

struct pipeline_options {
	/*
	 * What existed when, for passes that ask. A file's is told all events before the first pass gets one, a
	 * pipe's is told them as they come. NULL: nobody asks.
	 */
	struct machine *machine;
	/* Events go by time instead of in the order of the file. Always so where a pipe has a machine. */
	bool by_time;
	const char *output; /* "-" is standard output */
	/* Gets what comes out of the last pass, instead of a perf.data at @output. The caller's. */
	struct pass *sink;
};

/*
 * Reads @pd, which nobody has read from yet, to its end through @passes (struct pass *, in this order). False with
 * @error; a file that was begun is removed then.
 */
bool pipeline_run(struct perfdata *pd, const struct pipeline_options *options,
		  const GPtrArray *passes, GError **error);

#endif
