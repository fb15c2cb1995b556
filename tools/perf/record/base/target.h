/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The target of a recording: a command, processes, threads, a user's processes, or CPUs. Converts the options to CPUs
 * and threads for perfevent/open.h.
 */
#ifndef RECORD_TARGET_H
#define RECORD_TARGET_H

#include <sys/types.h>

#include "perfevent/open.h"
#include "record/base/options.h"

enum target_kind {
	TARGET_COMMAND,
	TARGET_PROCESSES, /* -p, -u */
	TARGET_THREADS,	  /* -t */
	TARGET_CPUS,	  /* -a, -C */
};

struct target {
	enum target_kind kind;
	bool per_thread;	 /* one ring per thread, none per CPU */
	GArray *cpus;		 /* s32; {-1} with per_thread */
	GArray *tids;		 /* pid_t; {-1} for CPUs */
	GArray *pids;		 /* pid_t: processes whose maps are recorded; NULL: all */
	struct open_target open; /* the same as arrays */
};

/*
 * @command: pid of the command, which is not started yet; or -1. Errors: malformed lists, CPUs that are not online,
 * processes that do not exist.
 */
bool target_init(struct target *target, const struct record_options *opts,
		 const struct kernel_paths *paths, pid_t command, GError **error);
void target_release(struct target *target);

/*
 * Do the processes have threads that @target does not know? They started while events were being
 * opened on the others: their creator perhaps had no event yet that they could inherit.
 */
bool target_grew(const struct target *target, const struct kernel_paths *paths);

/* The kind of target, by the options alone. */
enum target_kind target_kind(const struct record_options *opts);

#endif
