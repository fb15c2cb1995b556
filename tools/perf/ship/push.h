/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sends one recording to a server: at least once, and no row twice.
 *
 *	id	the recording's number is a hash of its bytes. If the server's table pushes has it, there is nothing to do
 *	blocks	of one table and, in samples, of one day: the server takes one whole or not at all
 *	samples	blocks in their order. If it is not known what became of one, the server is asked whether the insert still
 *		runs, then how many rows of this number it has: these are the first blocks
 *	others	rows that are there already are replaced by equal ones (ReplacingMergeTree), so they are just sent again
 *	pushes	last: whoever finds the push there has all of it
 */
#ifndef SHIP_PUSH_H
#define SHIP_PUSH_H

#include "ship/ledger.h"
#include "ship/patience.h"
#include "ship/server.h"

struct row_mask;
struct session_options;

struct pusher {
	struct server *server;
	struct ledger *ledger;
	struct patience patience;
	struct session_options *session; /* input is set here */
	struct row_mask *mask;		 /* NULL: all texts leave */
	/* Called while a failure is waited for; may be NULL. False with @error: enough. */
	bool (*meanwhile)(void *arg, GError **error);
	void *arg;
	/* Sums of what was sent, for the summary. */
	u64 files, samples, there_already;
};

/*
 * The file has its end in the ledger: sent, dropped because it is damaged or has vanished, or no recording. False with @error: the
 * server refuses it, patience is over (PERF_ERROR_STOPPED: by a signal), or the ledger cannot be written; then it still waits.
 */
bool push_file(struct pusher *p, struct ledger_file *file, GError **error);

#endif
