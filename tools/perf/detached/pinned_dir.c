// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The directory of pinned recordings, and their end. These are files of bpffs and need no BPF
 * library.
 */
#include <errno.h>
#include <mntent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "detached/pinned.h"
#include "detached/shelf.h"

#define USUAL "/sys/fs/bpf"

char *pinned_dir(void)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	g_autofree char *where = NULL;
	const struct mntent *entry;

	while (mounts && (entry = getmntent(mounts))) {
		if (strcmp(entry->mnt_type, "bpf") || (where && strcmp(entry->mnt_dir, USUAL)))
			continue;
		g_free(where);
		where = g_strdup(entry->mnt_dir);
	}
	if (mounts)
		endmntent(mounts);
	return where ? g_build_filename(where, "perf", NULL) : NULL;
}

char *pinned_path(const char *name)
{
	g_autofree char *dir = pinned_dir(), *path = NULL;

	if (!dir || !shelf_is_name(name))
		return NULL;
	path = g_build_filename(dir, name, NULL);
	return access(path, F_OK) ? NULL : g_steal_pointer(&path);
}

static bool remove_all(const char *path, bool links_only, GError **error)
{
	GDir *dir = g_dir_open(path, 0, NULL);
	int failed = dir ? 0 : ENOENT;
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *file = g_build_filename(path, name, NULL);

		if ((!links_only || g_str_has_prefix(name, "link")) && unlink(file))
			failed = errno;
	}
	if (dir)
		g_dir_close(dir);
	return !failed || error_set_errno(error, failed, "%s", path);
}

bool pinned_unlink_links(const char *path, GError **error)
{
	return remove_all(path, true, error);
}

bool pinned_remove(const char *path, GError **error)
{
	return remove_all(path, false, error) &&
	       (!rmdir(path) || error_set_errno(error, errno, "%s", path));
}
