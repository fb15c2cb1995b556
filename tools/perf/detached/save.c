// SPDX-License-Identifier: GPL-2.0-or-later
#include "detached/save.h"

#include <errno.h>
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

bool save_opened(struct perfdata *pd, const char *to, GError **error)
{
	bool replaces = is_replaced(to);
	g_autofree char *beside = replaces ? g_strconcat(to, ".part", NULL) : g_strdup(to);
	const struct pipeline_options options = { .output = beside };
	g_autoptr(GPtrArray) none = g_ptr_array_new();
	bool fine = pipeline_run(pd, &options, none, error);

	perfdata_close(pd);
	if (fine && replaces && rename(beside, to))
		fine = error_set_errno(error, errno, "%s", to);
	if (!fine && replaces)
		unlink(beside);
	return fine;
}

bool save_image(const char *from, const char *to, bool force, GError **error)
{
	struct perfdata *pd = force ? perfdata_open_forced(from, error)
				    : perfdata_open(from, error);

	return pd && save_opened(pd, to, error);
}
