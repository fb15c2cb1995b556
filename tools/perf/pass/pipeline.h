/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a recording, sends its events through passes, and writes the result as a perf.data file or pipe. Header
 * features and the order of records stay the same, unless a pass changes them. The output is not compressed.
 */
#ifndef PASS_PIPELINE_H
#define PASS_PIPELINE_H

#include "pass/pass.h"

struct machine;
struct perfdata;

struct pipeline_options {
	/*
	 * The machine for passes that need one. For a file, it has all events before the first pass gets one; for a
	 * pipe, it gets them as they arrive. NULL: not needed.
	 */
	struct machine *machine;
	/*
	 * Events are in order of time instead of the file's order. Always set for a pipe with a machine.
	 */
	bool by_time;
	const char *output; /* "-" is standard output */
	/*
	 * Gets the output of the last pass, instead of a perf.data at @output. Belongs to the caller.
	 */
	struct pass *sink;
};

/*
 * Reads @pd, which must be unread, to its end through @passes (struct pass *, in this order). False with @error; an
 * incomplete output file is then removed.
 */
bool pipeline_run(struct perfdata *pd, const struct pipeline_options *options,
		  const GPtrArray *passes, GError **error);

#endif
