// SPDX-License-Identifier: GPL-2.0-or-later
#include "parquet/thrift.h"

#include <string.h>

void varint_append(GByteArray *out, u64 value)
{
	u8 bytes[10];
	u32 size = 0;

	for (; value >= 0x80; value >>= 7)
		bytes[size++] = (u8)(value | 0x80);
	bytes[size++] = (u8)value;
	g_byte_array_append(out, bytes, size);
}

void zigzag_append(GByteArray *out, s64 value)
{
	varint_append(out, (u64)value << 1 ^ (u64)(value >> 63));
}

static void put_byte(struct thrift *t, u8 byte)
{
	g_byte_array_append(t->out, &byte, 1);
}

static void put_field(struct thrift *t, u32 field, enum thrift_type type)
{
	u32 *last = &t->last[t->depth];

	put_byte(t, (u8)((field - *last) << 4 | type));
	*last = field;
}

static void put_text(struct thrift *t, const void *bytes, size_t size)
{
	varint_append(t->out, size);
	g_byte_array_append(t->out, bytes, (u32)size);
}

void thrift_init(struct thrift *t, GByteArray *out)
{
	*t = (struct thrift){ .out = out };
}

void thrift_bool(struct thrift *t, u32 field, bool value)
{
	put_field(t, field, value ? THRIFT_TRUE : THRIFT_FALSE);
}

void thrift_i8(struct thrift *t, u32 field, u8 value)
{
	put_field(t, field, THRIFT_I8);
	put_byte(t, value);
}

void thrift_i32(struct thrift *t, u32 field, s32 value)
{
	put_field(t, field, THRIFT_I32);
	zigzag_append(t->out, value);
}

void thrift_i64(struct thrift *t, u32 field, s64 value)
{
	put_field(t, field, THRIFT_I64);
	zigzag_append(t->out, value);
}

void thrift_binary(struct thrift *t, u32 field, const void *bytes, size_t size)
{
	put_field(t, field, THRIFT_BINARY);
	put_text(t, bytes, size);
}

void thrift_text(struct thrift *t, u32 field, const char *text)
{
	thrift_binary(t, field, text, strlen(text));
}

void thrift_begin(struct thrift *t, u32 field)
{
	put_field(t, field, THRIFT_STRUCT);
	thrift_begin_element(t);
}

void thrift_list(struct thrift *t, u32 field, enum thrift_type type, u32 nr)
{
	put_field(t, field, THRIFT_LIST);
	put_byte(t, (u8)(MIN(nr, 15u) << 4 | type));
	if (nr >= 15)
		varint_append(t->out, nr);
}

void thrift_begin_element(struct thrift *t)
{
	t->last[++t->depth] = 0;
}

void thrift_element_i32(struct thrift *t, s32 value)
{
	zigzag_append(t->out, value);
}

void thrift_element_text(struct thrift *t, const char *text)
{
	put_text(t, text, strlen(text));
}

void thrift_end(struct thrift *t)
{
	put_byte(t, 0);
	if (t->depth)
		t->depth--;
}
