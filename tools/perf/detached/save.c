// SPDX-License-Identifier: GPL-2.0-or-later
#include "detached/save.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pass/pass.h"
#include "pass/pipeline.h"
#include "perfdata/read/reader.h"

bool save_opened(struct perfdata *pd, const char *to, GError **error)
{
	bool is_pipe = !strcmp(to, "-");
	g_autofree char *beside = is_pipe ? g_strdup(to) : g_strconcat(to, ".part", NULL);
	const struct pipeline_options options = { .output = beside };
	g_autoptr(GPtrArray) none = g_ptr_array_new();
	bool fine = pipeline_run(pd, &options, none, error);

	perfdata_close(pd);
	if (fine && !is_pipe && rename(beside, to))
		fine = error_set_errno(error, errno, "%s", to);
	if (!fine && !is_pipe)
		unlink(beside);
	return fine;
}

bool save_image(const char *from, const char *to, bool force, GError **error)
{
	struct perfdata *pd = force ? perfdata_open_forced(from, error)
				    : perfdata_open(from, error);

	return pd && save_opened(pd, to, error);
}
