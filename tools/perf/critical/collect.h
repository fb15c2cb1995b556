/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the history of a session from its samples: exact waits, wakers, and samples of running threads. */
#ifndef CRITICAL_COLLECT_H
#define CRITICAL_COLLECT_H

#include "critical/doings.h"
#include "critical/history.h"
#include "critical/messages.h"

/* What is wanted of the samples. */
enum collect_what {
	COLLECT_SIGHTS, /* when activities were seen; the history stays empty */
	COLLECT_PATHS,	/* that, and waits with their owners; ticks have no code */
	COLLECT_ALL,
};

struct collect_result {
	bool has_waits, has_ticks, has_activities;
	GArray *clocks; /* struct collected_clock: of each host behind the first one; empty: there is one host. To free */
	GHashTable
		*threads; /* const struct thread * -> struct collected_thread; NULL: not wanted */
};

/* How a host's clock compares with that of another one (messages.h). */
struct collected_clock {
	const char *host, *with; /* names; @with NULL: not known */
	struct message_clock clock;
};

struct collected_thread {
	u32 number;	/* in the history */
	u64 to_history; /* to be added to the times of its file */
	const char *comm;
};

/*
 * Reads all samples of the lexicon's session that no filter leaves out. Fills @history, which is sealed then, and lets
 * @doings see activities, which are settled then. On success, result->clocks is set. @keep_threads: result->threads is set, to be freed by the caller.
 */
bool collect(struct lexicon *lexicon, enum collect_what what, bool keep_threads,
	     struct history *history, struct doings *doings, struct collect_result *result,
	     GError **error);

#endif
