/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One column of a row group ("column chunk"): a page with the dictionary, if there is one, and pages of data with the
 * values of PAGE_ROWS rows each. A page has a header in Thrift, which states the least and the greatest value
 * (the specification's pages "Data Pages" and "Encodings"; parquet.thrift: PageHeader).
 */
#ifndef PARQUET_CHUNK_H
#define PARQUET_CHUNK_H

#include "columnar/rowset.h"
#include "parquet/compress.h"
#include "parquet/dictionary.h"
#include "parquet/thrift.h"

#define PAGE_ROWS 32768u

/* Parquet's numbers. */
enum parquet_type {
	PARQUET_INT32 = 1,
	PARQUET_INT64 = 2,
	PARQUET_BYTE_ARRAY = 6,
	PARQUET_FIXED_LEN_BYTE_ARRAY = 7,
};

enum parquet_encoding {
	PARQUET_PLAIN = 0,
	PARQUET_RLE = 3,
	PARQUET_DELTA_BINARY_PACKED = 5,
	PARQUET_RLE_DICTIONARY = 8,
};

/* The least and the greatest value, as PLAIN stores them, but a text without its size. */
struct chunk_range {
	bool known; /* not of long texts */
	u32 size_least, size_greatest;
	u8 least[64], greatest[64];
};

struct column_chunk {
	GByteArray *bytes; /* the pages as they are in the file */
	u64 plain_size;	   /* the same before compression */
	u64 nr_values;
	u32 dictionary_size; /* bytes of the dictionary's page, header included; 0: there is none */
	enum parquet_encoding encoding; /* of the data */
	struct chunk_range range;
};

/* What one thread needs to make chunks, one after the other. */
struct chunk_maker {
	struct dictionary dictionary;
	struct compressor *compressor;
	GByteArray *page, *header, *levels;
	GArray *numbers; /* u32 */
};

void chunk_maker_init(struct chunk_maker *maker);
void chunk_maker_release(struct chunk_maker *maker);

/* Replaces what is in @chunk by column number @column of @rows, which has at least one row. */
void chunk_make(struct chunk_maker *maker, const struct rowset *rows, u32 column,
		struct column_chunk *chunk);

/* The fields of Statistics, in a struct that the caller begins and ends. */
void chunk_range_put(const struct chunk_range *range, struct thrift *t);

#endif
