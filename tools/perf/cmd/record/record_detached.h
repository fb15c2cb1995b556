/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf record --detached: sends a request to the keeper; in a process of the keeper, it is the recording.
 */
#ifndef CMD_RECORD_DETACHED_H
#define CMD_RECORD_DETACHED_H

#include <glib.h>

#include "detached/worker.h"

struct record_detached_call {
	int argc; /* words of `record`, as they came */
	char *const *argv;
	const GPtrArray *command_line; /* for the file */
};

/* True if there are options for detached recordings besides the name. */
bool record_detached_is_meant(const struct detached_options *detached);

/* Returns the exit status; messages were printed. */
int record_detached_run(struct detached_options *detached, struct record_options *opts,
			const struct record_detached_call *call);

#endif
