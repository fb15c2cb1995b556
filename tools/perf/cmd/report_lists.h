/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `perf report` prints instead of a profile: -D, --stats, --tasks, --mmaps. */
#ifndef CMD_REPORT_LISTS_H
#define CMD_REPORT_LISTS_H

#include <stdio.h>

#include "session/session.h"

/* Every record in the order of the file, with its bytes. */
bool report_dump(struct session *session, FILE *out, GError **error);

/* How many records of each type, how many samples of each event. */
bool report_stats(struct session *session, FILE *out, GError **error);

/* The tree of processes and threads, with what each had mapped in the end if @maps. */
bool report_tasks(struct session *session, bool maps, FILE *out, GError **error);

#endif
