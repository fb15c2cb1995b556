/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf record --detached: asks the keeper; and, started by the keeper, is the recording. */
#ifndef CMD_RECORD_DETACHED_H
#define CMD_RECORD_DETACHED_H

#include <glib.h>

#include "detached/worker.h"

struct record_detached_call {
	int argc; /* words of `record`, as they came */
	char *const *argv;
	const GPtrArray *command_line; /* for the file */
};

/* Are there words about detached recordings, besides the name? */
bool record_detached_is_meant(const struct detached_options *detached);

/* Returns the exit status; messages were printed. */
int record_detached_run(struct detached_options *detached, struct record_options *opts,
			const struct record_detached_call *call);

#endif
