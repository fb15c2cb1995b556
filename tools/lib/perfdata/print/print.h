/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf.data in words, as upstream prints it: the header (`report --header`) and raw records
 * (`report -D`, `script -D`). Event names and counts for --stats are event_type_name() and
 * struct perfdata_counts.
 */
#ifndef PERFDATA_PRINT_PRINT_H
#define PERFDATA_PRINT_PRINT_H

#include <glib.h>
#include <stdio.h>

#include "perfdata/read/reader.h"

/*
 * "type: 1 (PERF_TYPE_SOFTWARE), size: 128, ...": the fields of attr that are not zero, in the
 * kernel's order. @assign goes between name and value: ": " in `evlist -v`, " = " in the header.
 */
void evsel_print_attr(const struct evsel *evsel, const char *assign, GString *out);

/*
 * The "# ========" block with "# hostname : ..." lines. @full (-I) also prints the long ones
 * (CPU and NUMA topology, caches, memory, ...), otherwise a hint that they are there.
 */
void perfdata_print_header(const struct perfdata *pd, bool full, FILE *out);

/*
 * "PERF_RECORD_COMM exec: ls:12/12\n": what a record other than a sample says; of a sample the
 * type only.
 */
void event_describe(const struct event *ev, FILE *out);

/*
 * One record: a line of offset and size, the bytes in hexadecimal, then what they say. Who maps
 * and names it (" ... thread: x:1") is the caller's to add.
 */
void event_dump(const struct perfdata *pd, const struct event *ev, FILE *out);

#endif
