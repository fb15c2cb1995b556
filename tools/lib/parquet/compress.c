// SPDX-License-Identifier: GPL-2.0-or-later
#include "parquet/compress.h"

#include <zstd.h>

#define LEVEL                                                                                      \
	1 /* higher ones take more time and save less than a percent: dictionaries have taken what repeats */

u32 compressor_codec(void)
{
	return 6;
}

struct compressor *compressor_new(void)
{
	ZSTD_CCtx *zstd = ZSTD_createCCtx();

	ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, LEVEL);
	return (struct compressor *)zstd;
}

void compressor_free(struct compressor *c)
{
	ZSTD_freeCCtx((ZSTD_CCtx *)c);
}

/* With room for the worst case, zstd has no reason to fail. */
u32 compressor_append(struct compressor *c, GByteArray *out, const void *bytes, u32 size)
{
	u32 at = out->len;
	size_t room = ZSTD_compressBound(size), used;

	g_byte_array_set_size(out, at + (u32)room);
	used = ZSTD_compress2((ZSTD_CCtx *)c, out->data + at, room, bytes, size);
	g_assert(!ZSTD_isError(used));
	g_byte_array_set_size(out, at + (u32)used);
	return (u32)used;
}
