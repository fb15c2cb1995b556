// SPDX-License-Identifier: GPL-2.0-or-later
#include "parquet/encode.h"

#include <string.h>

#include "parquet/thrift.h"

#define GROUP		8   /* values that are packed together */
#define MOST_GROUPS	63  /* in one packed run: its length is one byte then */
#define DELTA_BLOCK	128 /* values */
#define DELTA_MINI	32
#define DELTA_PER_BLOCK (DELTA_BLOCK / DELTA_MINI)

static u8 *room(GByteArray *out, u32 size)
{
	u32 at = out->len;

	g_byte_array_set_size(out, at + size);
	return out->data + at;
}

/* The lowest bit of the first value is the lowest bit of the first byte. */
void encode_packed(GByteArray *out, const u64 *values, u32 nr, u32 width)
{
	u8 *to = room(out, nr * width / 8);
	unsigned __int128 bits = 0;
	u32 have = 0;

	for (u32 i = 0; i < nr; i++) {
		bits |= (unsigned __int128)values[i] << have;
		for (have += width; have >= 8; have -= 8) {
			*to++ = (u8)bits;
			bits >>= 8;
		}
	}
}

static void put_run(GByteArray *out, u32 value, u32 nr, u32 width)
{
	varint_append(out, (u64)nr << 1);
	for (u32 bit = 0; bit < width; bit += 8, value >>= 8)
		g_byte_array_append(out, &(u8){ (u8)value }, 1);
}

/* @nr values; the last group is filled with zeros, which readers leave out because they know the number of values. */
static void put_packed(GByteArray *out, const u32 *values, u32 nr, u32 width)
{
	u64 groups[MOST_GROUPS * GROUP];

	for (u32 from = 0; from < nr; from += ARRAY_SIZE(groups)) {
		u32 some = MIN(nr - from, (u32)ARRAY_SIZE(groups)), full = ALIGN_UP(some, GROUP);

		for (u32 i = 0; i < full; i++)
			groups[i] = i < some ? values[from + i] : 0;
		varint_append(out, full / GROUP << 1 | 1);
		encode_packed(out, groups, full, width);
	}
}

/* How many values from @at on are the same. */
static u32 same_from(const u32 *values, u32 nr, u32 at)
{
	u32 i = at + 1;

	while (i < nr && values[i] == values[at])
		i++;
	return i - at;
}

/* A run is worth its own head if it fills a group. Packed values before it have to fill whole groups: they borrow from it. */
void encode_hybrid(GByteArray *out, const u32 *values, u32 nr, u32 width)
{
	u32 packed = 0, at = 0; /* values from @packed to @at are to be packed */

	while (at < nr) {
		u32 same = same_from(values, nr, at), lack = -(at - packed) % GROUP;

		if (same < 2 * GROUP || same < lack + GROUP) {
			at += same;
			continue;
		}
		at += lack;
		if (at > packed)
			put_packed(out, values + packed, at - packed, width);
		put_run(out, values[at], same - lack, width);
		packed = at += same - lack;
	}
	if (nr > packed)
		put_packed(out, values + packed, nr - packed, width);
}

/* Differences in signed order: the least one may be negative. Returns how many there are, at most a block. */
static u32 differences(const u64 *values, u32 nr, u64 *out, u64 *least)
{
	u32 some = MIN(nr, DELTA_BLOCK);

	for (u32 i = 0; i < some; i++) {
		out[i] = values[i] - values[(s64)i - 1];
		if (!i || (s64)out[i] < (s64)*least)
			*least = out[i];
	}
	for (u32 i = 0; i < some; i++)
		out[i] -= *least;
	memset(out + some, 0, (DELTA_BLOCK - some) * sizeof(*out));
	return some;
}

/* @values are behind one that is known already. */
static void put_delta_block(GByteArray *out, const u64 *values, u32 nr)
{
	u64 above[DELTA_BLOCK], least = 0;
	u32 some = differences(values, nr, above, &least);
	u8 widths[DELTA_PER_BLOCK] = { 0 };

	for (u32 i = 0; i < some; i++)
		widths[i / DELTA_MINI] = MAX(widths[i / DELTA_MINI], (u8)encode_width(above[i]));
	zigzag_append(out, (s64)least);
	g_byte_array_append(out, widths, sizeof(widths));
	for (u32 i = 0; i < some; i += DELTA_MINI)
		encode_packed(out, above + i, DELTA_MINI, widths[i / DELTA_MINI]);
}

void encode_delta(GByteArray *out, const u64 *values, u32 nr)
{
	varint_append(out, DELTA_BLOCK);
	varint_append(out, DELTA_PER_BLOCK);
	varint_append(out, nr);
	zigzag_append(out, nr ? (s64)values[0] : 0);
	for (u32 at = 1; at < nr; at += DELTA_BLOCK)
		put_delta_block(out, values + at, nr - at);
}
