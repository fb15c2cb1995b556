/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `perf script` with several threads, each of which prints some of the events (session/printers.h).
 */
#ifndef CMD_SCRIPT_THREADS_H
#define CMD_SCRIPT_THREADS_H

#include "cmd/script/script_options.h"
#include "view/script/columns.h"

/* Not if lines depend on earlier ones, or go to several files. */
bool script_takes_threads(const struct script_options *o, struct session *session,
			  const struct script_columns *columns, u32 needs);

/*
 * Prints all events to standard output; adds the number of samples that match the filters to @shown.
 */
bool script_print_by_threads(const struct script_options *o, struct session *session,
			     const struct script_columns *columns, u32 needs, u64 *shown,
			     GError **error);

#endif
