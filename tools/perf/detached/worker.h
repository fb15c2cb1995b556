/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One detached recording: the process that makes it. It ends when the recorded processes have ended, when it gets a
 * signal, or when its file is removed; the file then says why, and can be read until it is removed.
 */
#ifndef DETACHED_WORKER_H
#define DETACHED_WORKER_H

#include <glib.h>

#include "detached/shelf.h"
#include "record/options.h"
#include "record/recorder.h"

struct detached_options {
	const char *name;    /* of the file; NULL: this is no detached recording */
	bool on_crash;	     /* save when the target crashes, and put the recording into its core */
	const char *keep;    /* "10s,16M"; NULL: DETACHED_KEEP_SIZE */
	GPtrArray *triggers; /* const char *; NULL: none */
	const char *output;  /* what is saved; NULL: NAME.data */
	const char *carrier; /* "bpf": pinned.h; "keeper" or NULL: keeper.h */
	struct shelf_taken besides; /* of what the user may have */
};

#define DETACHED_KEEP_SIZE (16u << 20)

struct detached_worker;

/*
 * What the words say together; sets in @opts what a recording of this kind needs. NULL with @error (PERF_ERROR_USAGE).
 * All must outlive the worker.
 */
struct detached_worker *worker_new(const struct detached_options *detached,
				   struct record_options *opts, GError **error);
void worker_free(struct detached_worker *w);

/*
 * Makes the file, opens, and goes on until the end. @report: where to say that the recording runs, or why not (keeper.h).
 * Returns the exit status.
 */
int worker_run(struct detached_worker *w, struct recorder *r, int report);

/* Does this name a time, with which nothing but a detached recording can be meant? */
bool detached_keep_may_be(const char *text);
/* "10s", "16M", "10s,16M". */
bool detached_keep_parse(const char *text, u64 *ns, u64 *bytes, GError **error);

#endif
