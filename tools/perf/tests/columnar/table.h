/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of a file, for tests. The readers were written from the formats' specifications, and share no code with the
 * writers. What a specification requires is checked: a file that breaks a rule has a problem and no rows.
 */
#ifndef TESTS_COLUMNAR_TABLE_H
#define TESTS_COLUMNAR_TABLE_H

#include <glib.h>

#include "base/types.h"

struct table_column {
	char *name, *type;
	/* char *, one for each row: numbers in decimal, 16 bytes in hex, lists as "[1,2]" */
	GPtrArray *cells;
	char *encodings; /* of its pages, in order, without repetition: "PLAIN", "DICTIONARY", "DELTA" */
};

struct table_rows {
	GPtrArray *columns; /* struct table_column * */
	GPtrArray *notes;   /* char *: key, value, key, ... */
	u64 nr_rows;
	u32 nr_groups; /* row groups, or blocks */
	u32 nr_pages;  /* of data */
	char *problem; /* NULL: there is none */
};

struct table_rows *table_rows_new(void);
void table_rows_free(struct table_rows *rows);

struct table_rows *parquet_read(const u8 *bytes, size_t size);
struct table_rows *native_read(const u8 *bytes, size_t size);

/* NULL: there is no such column. */
const struct table_column *table_column(const struct table_rows *rows, const char *name);
const char *table_cell(const struct table_rows *rows, const char *column, u64 row);

#endif
