// SPDX-License-Identifier: GPL-2.0-or-later
/* Without libzstd nothing is compressed: a request for compression fails with an error. */
#include "perfdata/write/deflate.h"

struct deflate *deflate_new(int *level, GError **error)
{
	error_set(error, PERF_ERROR_UNSUPPORTED, "-z: this perf was built without libzstd");
	return NULL;
}

void deflate_free(struct deflate *d)
{
}

bool deflate_flush(struct deflate *d, const void *data, size_t size, u8 *out, size_t room,
		   size_t *used, const char **problem)
{
	*used = 0;
	*problem = "no zstd";
	return false;
}
