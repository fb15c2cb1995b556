/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parquet's encodings of numbers (the specification's page "Encodings"). Each appends to @out.
 *
 * The hybrid of run lengths and bit packing ("RLE", "RLE_DICTIONARY"): runs of one value, and groups of 8 values of @width
 * bits each, in any order. What it is depends on the lowest bit of a varint before it:
 *
 *	100 times 7, width 3		c8 01 07	varint 100 << 1, then 7 in one byte
 *	0 1 2 3 4 5 6 7, width 3	03 88 c6 fa	varint 1 << 1 | 1 (one group), then 24 bits, the lowest first
 *
 * DELTA_BINARY_PACKED: differences of neighbours, in blocks of 128. A block states its least difference; what each
 * difference is above it takes as many bits as the largest one of its 32 neighbours needs. Differences wrap at 64 bits.
 */
#ifndef PARQUET_ENCODE_H
#define PARQUET_ENCODE_H

#include <glib.h>

#include "base/types.h"

/* Bits that a value up to @most needs; 0 for 0. */
static inline u32 encode_width(u64 most)
{
	return most ? 64 - (u32)__builtin_clzll(most) : 0;
}

/* @width: up to 32. Values have no more bits. */
void encode_hybrid(GByteArray *out, const u32 *values, u32 nr, u32 width);

void encode_delta(GByteArray *out, const u64 *values, u32 nr);

/* Packs @nr values of @width bits each, up to 64; @nr is a multiple of 8. */
void encode_packed(GByteArray *out, const u64 *values, u32 nr, u32 width);

#endif
