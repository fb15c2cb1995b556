/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's tracepoints and the formats of their records.
 *
 * They are read from tracefs. The formats that a reader of the recording needs are stored in one blob (header feature
 * TRACING_DATA). Its layout is trace-cmd's header of version 0.6, which readers with libtraceevent expect.
 */
#ifndef PERFEVENT_TRACEPOINT_H
#define PERFEVENT_TRACEPOINT_H

#include "base/error.h"
#include "base/types.h"
#include "perfevent/paths.h"

/*
 * The folder of tracefs; the caller frees it. It is paths->tracing, else kernel/tracing or kernel/debug/tracing below
 * paths->sys. If neither is mounted and the process has permission, mounts tracefs at the first one, as upstream does.
 * NULL with PERF_ERROR_PERMISSION or PERF_ERROR_UNSUPPORTED; the message names the command that solves the problem.
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
