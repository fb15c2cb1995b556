/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Appends numbers (in host byte order) and bytes to the buffer of a record or section. */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <glib.h>

#include "base/types.h"

static inline void put(GByteArray *out, const void *data, u64 size)
{
	if (size)
		g_byte_array_append(out, data, (guint)size);
}

static inline void put_u16(GByteArray *out, u16 v)
{
	put(out, &v, sizeof(v));
}

static inline void put_u32(GByteArray *out, u32 v)
{
	put(out, &v, sizeof(v));
}

static inline void put_u64(GByteArray *out, u64 v)
{
	put(out, &v, sizeof(v));
}

#endif
