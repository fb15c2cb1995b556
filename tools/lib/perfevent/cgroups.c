// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfevent/cgroups.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "perfevent/proc.h"

/* The folder of the group; NULL with @error. */
static char *folder_of(const struct kernel_paths *paths, const char *name, GError **error)
{
	g_autofree char *mount = proc_cgroup_mount(paths, error);

	return mount ? g_build_filename(mount, name, NULL) : NULL;
}

static int open_group(const struct kernel_paths *paths, const char *name, GError **error)
{
	g_autofree char *folder = folder_of(paths, name, error);
	int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	if (folder && fd < 0) /* upstream's words */
		error_set_errno(error, errno, "no access to cgroup %s", folder);
	return fd;
}

bool cgroups_apply(struct event_list *list, const struct kernel_paths *paths, const char *text,
		   GError **error)
{
	g_auto(GStrv) names = g_strsplit(text, ",", -1);
	u32 nr = g_strv_length(names);

	if (nr > list->specs->len)
		return error_set(error, PERF_ERROR_USAGE, "-G: %u control groups for %u event%s",
				 nr, list->specs->len, list->specs->len == 1 ? "" : "s");
	for (u32 i = 0; nr && i < list->specs->len; i++) {
		const char *name = nr == 1 ? names[0] : i < nr ? names[i] : "";
		struct event_spec *spec = event_list_at(list, i);

		if (!*name)
			continue;
		spec->cgroup = open_group(paths, name, error);
		if (spec->cgroup < 0)
			return false;
	}
	return true;
}

bool cgroups_ids(const struct kernel_paths *paths, const char *text, GArray *ids, GError **error)
{
	g_auto(GStrv) names = g_strsplit(text, ",", -1);
	u64 id;

	for (u32 i = 0; names[i]; i++) {
		g_autofree char *folder = *names[i] ? folder_of(paths, names[i], error) : NULL;

		if (!*names[i])
			continue;
		if (!folder)
			return false;
		if (!proc_cgroup_id(folder, &id))
			return error_set_errno(error, errno, "no access to cgroup %s", folder);
		g_array_append_val(ids, id);
	}
	return true;
}

/* The path in a line "0::/web" or "7:cpuacct,perf_event:/web", if the line's hierarchy is the one that -G uses. */
static const char *path_of(const char *line, bool *own_hierarchy)
{
	const char *controllers = strchr(line, ':');
	const char *path = controllers ? strchr(controllers + 1, ':') : NULL;
	g_autofree char *text = NULL;
	g_auto(GStrv) list = NULL;

	if (!path)
		return NULL;
	text = g_strndup(controllers + 1, (gsize)(path - controllers - 1));
	list = g_strsplit(text, ",", -1);
	*own_hierarchy = g_strv_contains((const char *const *)list, "perf_event");
	return *own_hierarchy || g_str_has_prefix(line, "0::") ? path + 1 : NULL;
}

static bool is_in(const char *path, const char *group)
{
	size_t length;

	while (*group == '/')
		group++;
	length = strlen(group);
	while (length && group[length - 1] == '/')
		length--;
	return !strncmp(path, group, length) && (!length || !path[length] || path[length] == '/');
}

char *cgroups_path(const struct kernel_paths *paths, u32 pid, u32 tid)
{
	g_autofree char *all = file_text("%s/%u/task/%u/cgroup", paths->proc, pid, tid);
	g_auto(GStrv) lines = g_strsplit(all ?: "", "\n", -1);
	const char *found = NULL;

	for (u32 i = 0; lines[i]; i++) {
		bool own = false;
		const char *path = path_of(lines[i], &own);

		if (path && (own || !found))
			found = path;
		if (own)
			break;
	}
	while (found && *found == '/')
		found++;
	return g_strdup(found);
}

u64 cgroups_id(const struct kernel_paths *paths, const char *path)
{
	g_autofree char *folder = folder_of(paths, path, NULL);
	u64 id = 0;

	return folder && proc_cgroup_id(folder, &id) ? id : 0;
}

bool cgroups_cover(const char *text, const char *path)
{
	g_auto(GStrv) names = g_strsplit(text, ",", -1);

	for (u32 i = 0; names[i]; i++)
		if (*names[i] && is_in(path, names[i]))
			return true;
	return false;
}
