// SPDX-License-Identifier: GPL-2.0-or-later
/* For a build without libprotobuf-c. */
#include "convert/profile_formats.h"

static bool missing(GError **error)
{
	return error_set(error, PERF_ERROR_UNSUPPORTED,
			 "reading profiles needs libprotobuf-c, which this build lacks");
}

bool profile_import_pprof(const void *bytes, size_t size, int fd, GError **error)
{
	return missing(error);
}

bool profile_import_otlp(const void *bytes, size_t size, int fd, GError **error)
{
	return missing(error);
}
