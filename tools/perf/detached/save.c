// SPDX-License-Identifier: GPL-2.0-or-later
#include "detached/save.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pass/pass.h"
#include "pass/pipeline.h"
#include "perfdata/read/reader.h"

/*
 * Devices, pipes and symbolic links (/dev/stdout) are written to as they are: rename() would replace
 * them by a file.
 */
static bool is_replaced(const char *to)
{
	struct stat st;

	return strcmp(to, "-") != 0 && (lstat(to, &st) || S_ISREG(st.st_mode));
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

bool save_opened(struct perfdata *pd, const char *to, GError **error)
{
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
