/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists that `perf report` prints instead of a profile: -D, --stats, --tasks, --mmaps. */
#ifndef REPORT_LISTS_H
#define REPORT_LISTS_H

#include <stdio.h>

#include "session/session.h"
#include "view/view.h"

/* Prints every record in the order of time, or else of the file, with its bytes, and the sums of report_stats(). */
bool report_dump(struct session *session, bool by_time, FILE *out, GError **error);

/* " ... thread: COMM:TID" and " ...... dso: PATH", which -D has behind a sample's fields. */
void report_dump_place(const struct place *place, FILE *out);

/* Prints the number of records of each type, and of samples of each event. */
bool report_stats(struct session *session, const struct view *view, FILE *out, GError **error);

/* Prints the tree of processes and threads; with @maps also the mappings of each at the end. */
bool report_tasks(struct session *session, bool maps, const struct view *view, FILE *out,
		  GError **error);

#endif
