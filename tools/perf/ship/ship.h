/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf ship: sends the recordings of a folder to a server, and those that come (push.h, ledger.h). */
#ifndef SHIP_SHIP_H
#define SHIP_SHIP_H

#include "ship/ledger.h"
#include "ship/server.h"

struct row_mask;
struct session_options;

struct ship_options {
	struct ledger_options folder;
	struct server_options server;
	struct session_options *session; /* how recordings are read; its input is set */
	struct row_mask *mask;		 /* NULL: all texts leave */
	u64 limit;			 /* bytes of files that wait; 0: none */
	u64 retry_s; /* how long a failure of the server is waited for; 0: always */
	bool once;   /* sends what is there, and ends */
};

struct ship_counts {
	u64 files, samples;	      /* that were sent */
	u64 there_already;	      /* files that the server had */
	struct ledger_counts dropped; /* in all, with those of earlier runs */
};

/*
 * Ends when options->server.stop_fd is readable, or with `once`. False with @error, see push_file(). @counts is set in any
 * case.
 */
bool ship_run(const struct ship_options *options, struct ship_counts *counts, GError **error);

#endif
