/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the history of a session from its samples: exact waits, wakers, and samples of running threads. */
#ifndef CRITICAL_COLLECT_H
#define CRITICAL_COLLECT_H

#include "critical/doings.h"
#include "critical/history.h"

struct collect_result {
	bool has_waits, has_ticks, has_activities;
};

/*
 * Reads all samples of the lexicon's session that no filter leaves out. Fills @history, which is sealed then, and lets
 * @doings see activities, which are settled then.
 */
bool collect(struct lexicon *lexicon, struct history *history, struct doings *doings,
	     struct collect_result *result, GError **error);

#endif
