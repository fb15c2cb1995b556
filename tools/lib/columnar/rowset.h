/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of a table, stored column by column: what writers of columnar formats take (parquet/parquet.h,
 * clickhouse/native.h). A writer knows columns and not what they mean. All values are required: a fact that is absent is 0,
 * or the empty text.
 *
 *	static const struct column_spec columns[] = { { "time", COLUMN_U64, .rising = true }, { "comm", COLUMN_TEXT } };
 *
 *	rowset_set(rows, 0, time);
 *	rowset_set(rows, 1, intern_id(texts, comm));
 *	rowset_end_row(rows);
 *	if (rowset_is_full(rows)) ... write it, then rowset_clear(rows)
 */
#ifndef COLUMNAR_ROWSET_H
#define COLUMNAR_ROWSET_H

#include <glib.h>

#include "base/types.h"

struct intern;

#define ROWSET_MOST_ITEMS (1u << 22)

enum column_kind {
	COLUMN_U32,
	COLUMN_S32,
	COLUMN_U64,
	COLUMN_TEXT, /* UTF-8; the value is an id of @texts */
	COLUMN_ID16, /* 16 bytes, such as a trace id */
	COLUMN_LIST, /* u64 values, any number for each row */
};

struct column_spec {
	const char *name;
	enum column_kind kind;
	bool rising; /* COLUMN_U64: a value is mostly a bit more than the one before it */
};

/* The values of one column. The array that its kind needs is allocated. */
struct column_values {
	u32 *words;    /* COLUMN_U32, COLUMN_S32, COLUMN_TEXT */
	u64 *longs;    /* COLUMN_U64 */
	u8 (*ids)[16]; /* COLUMN_ID16 */
	u32 *ends;     /* COLUMN_LIST: of each row's values in @items, exclusive */
	GArray *items; /* COLUMN_LIST: u64 */
};

struct rowset {
	const struct column_spec *columns;
	u32 nr_columns, nr_rows, most_rows;
	bool full;
	struct column_values *values; /* of each column */
	const struct intern *texts;
};

/* @columns and @texts belong to the caller and outlive the set. */
struct rowset *rowset_new(const struct column_spec *columns, u32 nr_columns, u32 most_rows,
			  const struct intern *texts);
void rowset_free(struct rowset *rows);

/* Removes all rows. */
void rowset_clear(struct rowset *rows);

/* The value of a column of the row that is being filled; each but COLUMN_ID16 and COLUMN_LIST. */
static inline void rowset_set(struct rowset *b, u32 column, u64 value)
{
	struct column_values *v = &b->values[column];

	if (v->longs)
		v->longs[b->nr_rows] = value;
	else
		v->words[b->nr_rows] = (u32)value;
}

static inline u8 *rowset_id(struct rowset *b, u32 column)
{
	return b->values[column].ids[b->nr_rows];
}

/* Adds a value to the list of the row that is being filled. */
void rowset_append(struct rowset *rows, u32 column, u64 value);

/* All columns of the row have their values; a list without any is empty. The set has room for it. */
void rowset_end_row(struct rowset *rows);

/* It has its most rows, or lists have ROWSET_MOST_ITEMS values: it has to be written and cleared. */
static inline bool rowset_is_full(const struct rowset *b)
{
	return b->full;
}

/* The first value of row @row in a list's items. It ends before ends[@row]. */
static inline u32 column_list_begin(const struct column_values *v, u32 row)
{
	return row ? v->ends[row - 1] : 0;
}

#endif
