/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Thrift's compact protocol, as far as Parquet's headers and footer need it (the specification "Thrift Compact protocol
 * encoding", linked from Parquet's format page).
 *
 * A struct is a sequence of fields and a stop byte. A field has a byte with the distance of its number from that of the
 * field before it (1 to 15) and its type, then the value:
 *
 *	struct { 1: i32 = 5; 3: string = "ab" }		15 0a 28 02 61 62 00
 *
 * 15: one further, type 5 (i32). 0a: 5 as a zigzag varint. 28: two further, type 8 (binary). 02: two bytes. 00: the end.
 */
#ifndef PARQUET_THRIFT_H
#define PARQUET_THRIFT_H

#include <glib.h>

#include "base/types.h"

#define THRIFT_MOST_DEPTH 8

enum thrift_type {
	THRIFT_TRUE = 1,
	THRIFT_FALSE = 2,
	THRIFT_I8 = 3,
	THRIFT_I32 = 5,
	THRIFT_I64 = 6,
	THRIFT_BINARY = 8,
	THRIFT_LIST = 9,
	THRIFT_STRUCT = 12,
};

struct thrift {
	GByteArray *out;
	u32 depth;
	u32 last[THRIFT_MOST_DEPTH]; /* number of the last field of each open struct */
};

/* Begins the outermost struct in @out. */
void thrift_init(struct thrift *t, GByteArray *out);

/* Fields are written in rising order of their numbers, and each is at most 15 above the one before it. */
void thrift_bool(struct thrift *t, u32 field, bool value);
void thrift_i8(struct thrift *t, u32 field, u8 value);
void thrift_i32(struct thrift *t, u32 field, s32 value);
void thrift_i64(struct thrift *t, u32 field, s64 value);
void thrift_binary(struct thrift *t, u32 field, const void *bytes, size_t size);
void thrift_text(struct thrift *t, u32 field, const char *text);

/* A struct as a field, until thrift_end(). */
void thrift_begin(struct thrift *t, u32 field);
/* A list of @nr elements as a field. The elements follow: of structs by thrift_begin_element() and thrift_end(). */
void thrift_list(struct thrift *t, u32 field, enum thrift_type type, u32 nr);
void thrift_begin_element(struct thrift *t);
void thrift_element_i32(struct thrift *t, s32 value);
void thrift_element_text(struct thrift *t, const char *text);
/* Ends the innermost struct; the outermost one, too. */
void thrift_end(struct thrift *t);

/* Numbers with 7 bits a byte, the lowest ones first; also of Parquet's encodings. */
void varint_append(GByteArray *out, u64 value);
/* The same of signed numbers: 0, -1, 1, -2 are 0, 1, 2, 3. */
void zigzag_append(GByteArray *out, s64 value);

#endif
