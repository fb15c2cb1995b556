// SPDX-License-Identifier: GPL-2.0-or-later
#include "detached/save.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "pass/pass.h"
#include "pass/pipeline.h"
#include "perfdata/read/reader.h"

/* Devices, pipes and open files (/dev/stdout) are written to as they are: rename() would replace them by a file. */
static bool is_replaced(const char *to)
{
	struct stat st;

	return strcmp(to, "-") != 0 && !file_is_open_file(to) &&
	       (lstat(to, &st) || S_ISREG(st.st_mode));
}

/* The path to which this user's link @to leads, else @to itself. Another user's link is not followed. The caller frees it. */
static char *follow_own_link(const char *to)
{
	g_autofree char *target = NULL, *folder = NULL;
	struct stat st;

	if (lstat(to, &st) || !S_ISLNK(st.st_mode) || st.st_uid != geteuid() ||
	    file_is_open_file(to))
		return g_strdup(to);
	target = g_file_read_link(to, NULL);
	if (!target)
		return g_strdup(to);
	folder = g_path_get_dirname(to);
	return g_path_is_absolute(target) ? g_steal_pointer(&target)
					  : g_build_filename(folder, target, NULL);
}

/*
 * Each writer has a file of its own: a reader, and a recording that ends, may save to the same file at the same time.
 */
static char *make_beside(const char *to, GError **error)
{
	char *beside = g_strconcat(to, ".part-XXXXXX", NULL);
	int fd = g_mkstemp_full(beside, O_WRONLY | O_CLOEXEC, 0600);

	if (fd >= 0) {
		close(fd);
		return beside;
	}
	error_set_errno(error, errno, "%s", to);
	g_free(beside);
	return NULL;
}

bool save_opened(struct perfdata *pd, const char *output, GError **error)
{
	g_autofree char *to = follow_own_link(output);
	bool replaces = is_replaced(to);
	g_autofree char *beside = replaces ? make_beside(to, error) : NULL;
	const struct pipeline_options options = { .output = replaces ? beside : to };
	g_autoptr(GPtrArray) none = g_ptr_array_new();
	bool fine = (!replaces || beside) && pipeline_run(pd, &options, none, error);

	perfdata_close(pd);
	if (fine && beside && rename(beside, to))
		fine = error_set_errno(error, errno, "%s", to);
	if (!fine && beside)
		unlink(beside);
	return fine;
}

bool save_image_for(const char *from, const char *to, const char *reason, GError **error)
{
	struct perfdata *pd = perfdata_open_forced(from, error);

	if (pd && reason)
		perfdata_add_note(pd, INFO_NOTE_REASON, reason);
	return pd && save_opened(pd, to, error);
}

bool save_image(const char *from, const char *to, bool force, GError **error)
{
	struct perfdata *pd = force ? perfdata_open_forced(from, error)
				    : perfdata_open(from, error);

	return pd && save_opened(pd, to, error);
}
