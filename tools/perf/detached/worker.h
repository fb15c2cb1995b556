/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The process of one detached recording. It ends when the recorded processes have ended, at a
 * signal, or when its file is removed. The file then states the reason, and stays readable until it
 * is removed.
 */
#ifndef DETACHED_WORKER_H
#define DETACHED_WORKER_H

#include <glib.h>

#include "detached/shelf.h"
#include "record/base/options.h"
#include "record/recorder.h"

struct detached_options {
	const char *name;    /* of the file; NULL: not a detached recording */
	bool on_crash;	     /* save when the target crashes, and add the recording to its core */
	const char *keep;    /* "10s,16M"; NULL: DETACHED_KEEP_SIZE */
	GPtrArray *triggers; /* const char *; NULL: none */
	const char *trigger_limit;  /* as for triggers_new() */
	const char *output;	    /* file to save to; NULL: NAME.data */
	const char *carrier;	    /* "bpf" (pinned.h); "keeper" or NULL (keeper.h) */
	struct shelf_taken besides; /* other recordings that count for the user's limits */
};

#define DETACHED_KEEP_SIZE (16u << 20)

struct detached_worker;

/*
 * Checks the options together, and sets in @opts what a detached recording needs. NULL with @error
 * (PERF_ERROR_USAGE). All arguments must outlive the worker.
 */
struct detached_worker *worker_new(const struct detached_options *detached,
				   struct record_options *opts, GError **error);
void worker_free(struct detached_worker *w);

/*
 * Creates the file, opens the events, and records until the end. @report: descriptor for the report
 * whether the recording runs (keeper.h). Returns the exit status.
 */
int worker_run(struct detached_worker *w, struct recorder *r, int report);

/* True if @text contains a time, which only a detached recording accepts. */
bool detached_keep_may_be(const char *text);
/* Parses "10s", "16M" or "10s,16M". */
bool detached_keep_parse(const char *text, u64 *ns, u64 *bytes, GError **error);

#endif
