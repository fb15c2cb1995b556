/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which tracepoints has this kernel, and how are their records laid out?
 *
 * Everything comes from tracefs. What a reader of the file needs to print them is put in
 * one blob (header feature TRACING_DATA), in the layout of trace-cmd's version 0.6 head
 * that libtraceevent readers take.
 */
#ifndef PERFEVENT_TRACEPOINT_H
#define PERFEVENT_TRACEPOINT_H

#include "base/error.h"
#include "base/types.h"
#include "perfevent/paths.h"

/*
 * tracefs's folder (to be freed): paths->tracing, else kernel/tracing or
 * kernel/debug/tracing below paths->sys; where neither is mounted and this process may, it mounts tracefs at the
 * first, as upstream does. NULL with PERF_ERROR_PERMISSION or PERF_ERROR_UNSUPPORTED and
 * the command that mends it.
 */
char *tracefs_find(const struct kernel_paths *paths, GError **error);

struct tracepoint {
	const char *system, *name;
};
typedef bool (*tracepoint_fn)(const struct tracepoint *tp, void *arg);

/* Every tracepoint that matches both globs (NULL: all), sorted by system and name. */
bool tracepoints_each(const struct kernel_paths *paths, const char *system_glob,
		      const char *name_glob, tracepoint_fn fn, void *arg, GError **error);

/* perf_event_attr.config of one. */
bool tracepoint_id(const struct kernel_paths *paths, const char *system, const char *name, u64 *id,
		   GError **error);

/* Its format file's text, to be freed. */
char *tracepoint_format(const struct kernel_paths *paths, const char *system, const char *name,
			GError **error);

/*
 * The blob for a recording of the @nr tracepoints (duplicates are fine). The caller
 * unrefs it. kallsyms and printk_formats that cannot be read are left empty.
 */
GByteArray *tracing_data(const struct kernel_paths *paths, const struct tracepoint *tps, u32 nr,
			 GError **error);

#endif
