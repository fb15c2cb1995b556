/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options of `perf record`, from the command line and configuration files.
 */
#ifndef CMD_RECORD_REQUEST_H
#define CMD_RECORD_REQUEST_H

#include "cli/options.h"
#include "detached/worker.h"
#include "options/upstream_options.h"
#include "record/base/options.h"

/* Upstream's exit status of a failed recording. */
#define RECORD_EXIT_FAILED 255

struct record_request {
	struct record_options opts; /* must be first: rows have offsets into both */
	/*
	 * The mode of -g without one, from configuration files: record.call-graph, or call-graph.record-mode; and the
	 * size for dwarf.
	 */
	const char *graph_mode, *record_graph_mode, *dump_size;
	const char *threads;
	bool list_regs;	    /* -I?, --user-regs=? */
	u64 copies_limit;   /* buildid.limit: of copies_keep_recorded() */
	const char *report; /* keys of --report; NULL: not given */
	struct detached_options detached;
	struct upstream_options upstream;
};

/* The options and their help, for options_parse(). */
extern const struct options_spec record_request_spec;

struct config;

/* The defaults. False: a configuration file is invalid, after a message. */
bool record_request_begin(struct record_request *r, const struct config *config);

void record_request_release(struct record_request *r);

/* Reports settings in configuration files that have no effect here. */
void record_request_note_unused(const struct config *config);

/*
 * Checks the combination of the parsed options and completes them; @argv has the command to run. Returns 0, or an exit
 * status after a message.
 */
int record_request_check(struct record_request *r, int argc, char **argv);

#endif
