// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/tree_files.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_FILES 200000u /* of a folder that is copied unasked */
#define MOST_DEPTH 64u

/* Adds up files until there are too many. */
struct count {
	u64 bytes, nr;
	u64 most;
};

static bool is_too_much(const struct count *c)
{
	return c->bytes > c->most || (c->most != UINT64_MAX && c->nr > MOST_FILES);
}

static void count_file(struct count *c, const struct stat *st)
{
	c->nr++;
	c->bytes += S_ISREG(st->st_mode) ? (u64)st->st_size : 0;
}

static void count_folder(struct count *c, const char *folder, u32 depth)
{
	GDir *dir = g_dir_open(folder, 0, NULL);
	const char *name;

	while (dir && !is_too_much(c) && (name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(folder, name, NULL);
		struct stat st;

		if (lstat(path, &st))
			continue;
		count_file(c, &st);
		if (S_ISDIR(st.st_mode) && depth < MOST_DEPTH)
			count_folder(c, path, depth + 1);
	}
	if (dir)
		g_dir_close(dir);
}

/* What git says of the folder, a NUL behind each path, into the file @list. False: it is no work tree, or there is no git. */
static bool ask_git(const char *folder, const char *list)
{
	const char *const command[] = {
		"sh",
		"-c",
		"exec git -C \"$1\" ls-files -z --cached --others --exclude-standard >\"$2\"",
		"sh",
		folder,
		list,
		NULL
	};
	int status;

	return g_spawn_sync(NULL, (char **)command, NULL,
			    G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, NULL,
			    NULL, &status, NULL) &&
	       g_spawn_check_wait_status(status, NULL);
}

/* Keeps the paths of the list that are there: git also lists files that were removed. A path may be a folder: a repository in this one. */
static bool count_listed(struct count *c, const char *folder, const char *list, GError **error)
{
	g_autofree char *text = NULL;
	g_autoptr(GString) kept = g_string_new(NULL);
	gsize size;

	if (!g_file_get_contents(list, &text, &size, error))
		return false;
	for (const char *at = text; at < text + size; at += strlen(at) + 1) {
		g_autofree char *path = g_build_filename(folder, at, NULL);
		struct stat st;

		if (!*at || lstat(path, &st))
			continue;
		count_file(c, &st);
		if (S_ISDIR(st.st_mode))
			count_folder(c, path, 0);
		g_string_append_len(kept, at, (gssize)strlen(at) + 1);
	}
	return g_file_set_contents(list, kept->str, (gssize)kept->len, error);
}

bool tree_files_find(const char *folder, u64 most, const char *list, struct tree_files *files,
		     GError **error)
{
	struct count all = { .most = most }, listed = { .most = most };

	count_folder(&all, folder, 0);
	*files = (struct tree_files){ all.bytes, all.nr, false };
	if (!is_too_much(&all))
		return true;
	if (ask_git(folder, list)) {
		if (!count_listed(&listed, folder, list, error))
			return false;
		*files = (struct tree_files){ listed.bytes, listed.nr, true };
		if (listed.nr && !is_too_much(&listed))
			return true;
	}
	if (listed.nr)
		all = listed;
	return error_set(error, PERF_ERROR_UNSUPPORTED,
			 "%s has at least %.1f MiB in %" PRIu64
			 " files%s, which would be copied twice: --tree=FOLDER names the "
			 "sources (also if it is this folder)",
			 folder, (double)all.bytes / (1 << 20), all.nr,
			 listed.nr ? " that git does not ignore" : "");
}
