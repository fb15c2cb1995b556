// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfdata/write/deflate.h"

#include <zstd.h>

struct deflate {
	ZSTD_CCtx *zstd;
};

struct deflate *deflate_new(int *level, GError **error)
{
	struct deflate *d = g_new0(struct deflate, 1);

	*level = MIN(*level, ZSTD_maxCLevel());
	d->zstd = ZSTD_createCCtx();
	ZSTD_CCtx_setParameter(d->zstd, ZSTD_c_compressionLevel, *level);
	return d;
}

void deflate_free(struct deflate *d)
{
	if (!d)
		return;
	ZSTD_freeCCtx(d->zstd);
	g_free(d);
}

bool deflate_flush(struct deflate *d, const void *data, size_t size, u8 *out, size_t room,
		   size_t *used, const char **problem)
{
	ZSTD_inBuffer in = { data, size, 0 };
	ZSTD_outBuffer to = { out, room, 0 };
	size_t left = ZSTD_compressStream2(d->zstd, &to, &in, ZSTD_e_flush);

	*used = to.pos;
	if (ZSTD_isError(left))
		*problem = ZSTD_getErrorName(left);
	else if (left)
		*problem = "no room";
	return !left;
}
