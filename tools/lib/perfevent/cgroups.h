/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events that count only the threads of a control group, as -G names them: "web,,batch/nightly" is one name for each event, in
 * their order; an empty one stands for all threads. A group is a folder below the place where the perf_event controller is
 * mounted (version 1), or else version 2. Threads of groups below it count, too.
 */
#ifndef PERFEVENT_CGROUPS_H
#define PERFEVENT_CGROUPS_H

#include <glib.h>

#include "base/error.h"
#include "base/types.h"
#include "perfevent/paths.h"
#include "perfevent/spec.h"

/*
 * Opens the groups that @text names, into the cgroup of @list's events. A single name is for all of them. False with @error:
 * more names than events, no such group, no permission.
 */
bool cgroups_apply(struct event_list *list, const struct kernel_paths *paths, const char *text,
		   GError **error);

/* Appends the ids (u64) of the groups that @text names, as PERF_SAMPLE_CGROUP has them; empty names are left out. */
bool cgroups_ids(const struct kernel_paths *paths, const char *text, GArray *ids, GError **error);

/*
 * The path of thread @tid's group below the place where groups are mounted, by what /proc says, without the leading '/';
 * NULL: it has ended.
 */
char *cgroups_path(const struct kernel_paths *paths, u32 pid, u32 tid);

/* The id of the group with that path; 0: there is none. */
u64 cgroups_id(const struct kernel_paths *paths, const char *path);

/* Whether the group at @path is one of those that @text names, or below one. */
bool cgroups_cover(const char *text, const char *path);

#endif
