/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A report of records while they are recorded: perf record --report. One thread reads, until there are no
 * more; then another one prints.
 */
#ifndef REPORT_LIVE_REPORT_H
#define REPORT_LIVE_REPORT_H

#include "base/error.h"
#include "base/types.h"

struct config;
struct live_report;
struct perfdata;

/*
 * @sort: its keys; NULL or "": the usual ones. With @traced they may be fields of tracepoints, too,
 * which are known only when the records come. NULL where something is wrong, which was said.
 */
struct live_report *live_report_new(const struct config *config, const char *sort, bool traced);
void live_report_free(struct live_report *l);

/* Reads into a struct live_report. Takes over @records. What fails is told by live_report_print(). */
void live_report_read(void *live_report, struct perfdata *records);

/* To standard output. */
bool live_report_print(struct live_report *l, GError **error);

#endif
