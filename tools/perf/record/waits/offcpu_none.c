// SPDX-License-Identifier: GPL-2.0-or-later
/* Replaces offcpu.c in a build without BPF. */
#include "record/waits/offcpu.h"

#include <glib.h>

static bool refuse(struct source *src, struct recording *rec, GError **error)
{
	return error_set(error, PERF_ERROR_UNSUPPORTED,
			 "--off-cpu: this perf was built without BPF (see perf version "
			 "--build-options)");
}

static void close_source(struct source *src)
{
	g_free(src);
}

struct source *offcpu_source_new(const struct record_options *opts,
				 const struct kernel_paths *paths, const struct source *tls)
{
	static const struct source_ops ops = { .name = "off-cpu",
					       .prepare = refuse,
					       .close = close_source };
	struct source *src = g_new0(struct source, 1);

	src->ops = &ops;
	return src;
}
