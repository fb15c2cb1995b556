/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes Apache Parquet files (the specification: parquet.apache.org/docs/file-format, and parquet.thrift): "PAR1", the row
 * groups, the footer that says where their columns are, its size, "PAR1". The file is written from the beginning to
 * the end, and may be a pipe. Memory has one row group, and about 100 bytes of footer for each column of each row group.
 *
 *	struct parquet *p = parquet_new(out, columns, ARRAY_SIZE(columns));
 *
 *	parquet_note(p, "perf.version", version);
 *	while (...)
 *		parquet_write(p, rows);	one row group
 *	parquet_finish(p);
 *	parquet_free(p);
 *
 * Columns are required. Texts are strings, COLUMN_ID16 is a fixed-length byte array, COLUMN_LIST a list of required
 * elements. Each has a dictionary where its values repeat (RLE_DICTIONARY); rising numbers are DELTA_BINARY_PACKED, others
 * PLAIN. Pages are compressed by zstd, if the build has it, by several threads. Pages and row groups state the least
 * and the greatest value, texts of more than 64 bytes excepted. A row group has at most 1 GB of different texts in a column.
 */
#ifndef PARQUET_PARQUET_H
#define PARQUET_PARQUET_H

#include <stdio.h>

#include "columnar/rowset.h"

#define PARQUET_ROWS (128u * 1024) /* a good number of rows for a row group */

struct crew;
struct parquet;

/* @out, @crew and @columns belong to the caller. @crew: threads that encode columns. Errors of writing stay in @out (ferror()). */
struct parquet *parquet_new(FILE *out, struct crew *crew, const struct column_spec *columns,
			    u32 nr_columns);
void parquet_free(struct parquet *p);

/* A text for the footer's key_value_metadata. */
void parquet_note(struct parquet *p, const char *key, const char *value);

/* The rows of @rows, which has these columns, as a row group. Without rows, nothing is written. */
void parquet_write(struct parquet *p, const struct rowset *rows);

/* Writes the footer. */
void parquet_finish(struct parquet *p);

#endif
