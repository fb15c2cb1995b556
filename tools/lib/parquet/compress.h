/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compresses pages by zstd; a build without libzstd writes them as they are. */
#ifndef PARQUET_COMPRESS_H
#define PARQUET_COMPRESS_H

#include <glib.h>

#include "base/types.h"

struct compressor;

struct compressor *compressor_new(void);
void compressor_free(struct compressor *compressor);

/* Parquet's number of the codec: 6 (ZSTD) or 0 (UNCOMPRESSED). */
u32 compressor_codec(void);

/* Appends what @size bytes become to @out, and returns its size. */
u32 compressor_append(struct compressor *compressor, GByteArray *out, const void *bytes, u32 size);

#endif
