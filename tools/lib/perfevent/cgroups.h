/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events that count only the threads of a control group (option -G). "web,,batch/nightly" has one name for each event,
 * in the order of the events. An empty name means all threads. A group is a folder below the mount point of the
 * perf_event controller (version 1), or else of cgroup version 2. Threads in child groups are counted, too.
 */
#ifndef PERFEVENT_CGROUPS_H
#define PERFEVENT_CGROUPS_H

#include <glib.h>

#include "base/error.h"
#include "base/types.h"
#include "perfevent/paths.h"
#include "perfevent/spec.h"

/*
 * Opens the groups that @text names and stores them in the cgroup field of @list's events. A single name applies to all
 * events. False with @error: more names than events, no such group, no permission.
 */
bool cgroups_apply(struct event_list *list, const struct kernel_paths *paths, const char *text,
		   GError **error);

/* Appends the ids (u64, as in PERF_SAMPLE_CGROUP) of the groups that @text names. Empty names are skipped. */
bool cgroups_ids(const struct kernel_paths *paths, const char *text, GArray *ids, GError **error);

/*
 * The path of thread @tid's group, from /proc: relative to the mount point, without the leading '/'. NULL: the thread
 * has ended.
 */
char *cgroups_path(const struct kernel_paths *paths, u32 pid, u32 tid);

/* The id of the group with that path; 0: there is none. */
u64 cgroups_id(const struct kernel_paths *paths, const char *path);

/* Is the group at @path one of those that @text names, or below one of them? */
bool cgroups_cover(const char *text, const char *path);

#endif
