/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints perf.data as text, as upstream does: the header (`report --header`) and raw records (`report -D`, `script
 * -D`). For --stats, event_type_name() has the names of record types, and struct perfdata_counts has their counts.
 */
#ifndef PERFDATA_PRINT_PRINT_H
#define PERFDATA_PRINT_PRINT_H

#include <glib.h>
#include <stdio.h>

#include "perfdata/read/reader.h"

/*
 * "type: 1 (PERF_TYPE_SOFTWARE), size: 128, ...": the nonzero fields of attr, in the kernel's order. @assign separates
 * name and value: ": " in `evlist -v`, " = " in the header.
 */
void evsel_print_attr(const struct evsel *evsel, const char *assign, GString *out);

/*
 * The "# ========" block with "# hostname : ..." lines. @full (-I) also prints the long parts (CPU and NUMA topology,
 * caches, memory, ...). Without it, a hint says that they exist.
 */
void perfdata_print_header(const struct perfdata *pd, bool full, FILE *out);

/* "PERF_RECORD_COMM exec: ls:12/12\n": the fields of a record. For a sample, only the type. */
void event_describe(const struct event *ev, FILE *out);

/*
 * Dumps one record: a line with offset and size, the bytes in hexadecimal, then the fields. The caller adds the names
 * of thread and mapping (" ... thread: x:1").
 */
void event_dump(const struct perfdata *pd, const struct event *ev, FILE *out);

#endif
