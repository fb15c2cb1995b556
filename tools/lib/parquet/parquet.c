// SPDX-License-Identifier: GPL-2.0-or-later
#include "parquet/parquet.h"

#include <string.h>

#include "base/crew.h"
#include "base/version.h"
#include "parquet/chunk.h"

/* Parquet's numbers (parquet.thrift: FieldRepetitionType, ConvertedType, the members of LogicalType). */
enum { REQUIRED = 0, REPEATED = 2 };
enum {
	CONVERTED_UTF8 = 0,
	CONVERTED_LIST = 3,
	CONVERTED_UINT_32 = 13,
	CONVERTED_UINT_64 = 14,
	CONVERTED_INT_32 = 17,
	CONVERTED_NONE = -1
};
enum { LOGICAL_STRING = 1, LOGICAL_LIST = 3, LOGICAL_INTEGER = 10, LOGICAL_NONE = 0 };

static const struct kind_row {
	enum parquet_type type;
	s32 converted;
	u32 logical;
	u8 bits;
	bool is_signed;
} kinds[] = {
	[COLUMN_U32] = { PARQUET_INT32, CONVERTED_UINT_32, LOGICAL_INTEGER, 32, false },
	[COLUMN_S32] = { PARQUET_INT32, CONVERTED_INT_32, LOGICAL_INTEGER, 32, true },
	[COLUMN_U64] = { PARQUET_INT64, CONVERTED_UINT_64, LOGICAL_INTEGER, 64, false },
	[COLUMN_TEXT] = { PARQUET_BYTE_ARRAY, CONVERTED_UTF8, LOGICAL_STRING, 0, false },
	[COLUMN_ID16] = { PARQUET_FIXED_LEN_BYTE_ARRAY, CONVERTED_NONE, LOGICAL_NONE, 0, false },
	[COLUMN_LIST] = { PARQUET_INT64, CONVERTED_UINT_64, LOGICAL_INTEGER, 64, false },
};

struct parquet {
	FILE *out;
	struct crew *crew;
	const struct column_spec *columns;
	u32 nr_columns, nr_groups;
	u64 at, nr_rows;
	struct column_chunk *chunks;
	struct chunk_maker *makers; /* of each worker */
	GByteArray *groups;	    /* RowGroup structs, for the footer */
	GPtrArray *notes;	    /* char *: key, value, key, ... */
	const struct rowset *rows;  /* that is being written */
};

static void put(struct parquet *p, const void *bytes, size_t size)
{
	fwrite(bytes, 1, size, p->out);
	p->at += size;
}

struct parquet *parquet_new(FILE *out, struct crew *crew, const struct column_spec *columns,
			    u32 nr_columns)
{
	struct parquet *p = g_new(struct parquet, 1);

	*p = (struct parquet){ .out = out,
			       .crew = crew,
			       .columns = columns,
			       .nr_columns = nr_columns,
			       .chunks = g_new0(struct column_chunk, nr_columns),
			       .makers = g_new0(struct chunk_maker, crew_size(crew)),
			       .groups = g_byte_array_new(),
			       .notes = g_ptr_array_new_with_free_func(g_free) };
	for (u32 i = 0; i < nr_columns; i++)
		p->chunks[i].bytes = g_byte_array_new();
	for (u32 i = 0; i < crew_size(crew); i++)
		chunk_maker_init(&p->makers[i]);
	put(p, "PAR1", 4);
	return p;
}

void parquet_free(struct parquet *p)
{
	if (!p)
		return;
	for (u32 i = 0; i < p->nr_columns; i++)
		g_byte_array_unref(p->chunks[i].bytes);
	for (u32 i = 0; i < crew_size(p->crew); i++)
		chunk_maker_release(&p->makers[i]);
	g_free(p->chunks);
	g_free(p->makers);
	g_byte_array_unref(p->groups);
	g_ptr_array_unref(p->notes);
	g_free(p);
}

void parquet_note(struct parquet *p, const char *key, const char *value)
{
	g_ptr_array_add(p->notes, g_strdup(key));
	g_ptr_array_add(p->notes, g_strdup(value));
}

static void put_encodings(struct thrift *t, const struct parquet *p, u32 column)
{
	const struct column_chunk *c = &p->chunks[column];
	bool levels = p->columns[column].kind == COLUMN_LIST;

	thrift_list(t, 2, THRIFT_I32, 1 + levels + !!c->dictionary_size);
	thrift_element_i32(t, c->encoding);
	if (levels)
		thrift_element_i32(t, PARQUET_RLE);
	if (c->dictionary_size)
		thrift_element_i32(t, PARQUET_PLAIN);
}

static void put_path(struct thrift *t, const struct column_spec *column)
{
	bool list = column->kind == COLUMN_LIST;

	thrift_list(t, 3, THRIFT_BINARY, list ? 3 : 1);
	thrift_element_text(t, column->name);
	if (list) {
		thrift_element_text(t, "list");
		thrift_element_text(t, "element");
	}
}

/* The ColumnChunk of a column, whose pages begin at @at in the file. */
static void put_chunk(struct thrift *t, const struct parquet *p, u32 column, u64 at)
{
	const struct column_chunk *c = &p->chunks[column];

	thrift_begin_element(t);
	thrift_i64(t, 2, 0); /* file_offset: deprecated, must be 0 */
	thrift_begin(t, 3);
	thrift_i32(t, 1, kinds[p->columns[column].kind].type);
	put_encodings(t, p, column);
	put_path(t, &p->columns[column]);
	thrift_i32(t, 4, (s32)compressor_codec());
	thrift_i64(t, 5, (s64)c->nr_values);
	thrift_i64(t, 6, (s64)c->plain_size);
	thrift_i64(t, 7, c->bytes->len);
	thrift_i64(t, 9, (s64)at + c->dictionary_size);
	if (c->dictionary_size)
		thrift_i64(t, 11, (s64)at);
	thrift_begin(t, 12);
	chunk_range_put(&c->range, t);
	thrift_end(t);
	thrift_end(t);
	thrift_end(t);
}

/* Appends the RowGroup to those of the footer, and the columns to the file. */
static void put_group(struct parquet *p, u32 nr_rows)
{
	u64 from = p->at, plain = 0, at = p->at;
	struct thrift t;

	thrift_init(&t, p->groups);
	thrift_list(&t, 1, THRIFT_STRUCT, p->nr_columns);
	for (u32 i = 0; i < p->nr_columns; i++) {
		put_chunk(&t, p, i, at);
		at += p->chunks[i].bytes->len;
		plain += p->chunks[i].plain_size;
	}
	thrift_i64(&t, 2, (s64)plain);
	thrift_i64(&t, 3, nr_rows);
	thrift_i64(&t, 5, (s64)from);
	thrift_i64(&t, 6, (s64)(at - from));
	thrift_end(&t);
	for (u32 i = 0; i < p->nr_columns; i++)
		put(p, p->chunks[i].bytes->data, p->chunks[i].bytes->len);
	p->nr_groups++;
	p->nr_rows += nr_rows;
}

static void make_chunk(void *arg, u32 worker, u32 column)
{
	struct parquet *p = arg;

	chunk_make(&p->makers[worker], p->rows, column, &p->chunks[column]);
}

void parquet_write(struct parquet *p, const struct rowset *rows)
{
	if (!rows->nr_rows)
		return;
	p->rows = rows;
	crew_run(p->crew, p->nr_columns, make_chunk, p);
	put_group(p, rows->nr_rows);
}

/* A SchemaElement that has a value. */
static void put_leaf(struct thrift *t, const char *name, const struct kind_row *kind)
{
	thrift_begin_element(t);
	thrift_i32(t, 1, kind->type);
	if (kind->type == PARQUET_FIXED_LEN_BYTE_ARRAY)
		thrift_i32(t, 2, 16);
	thrift_i32(t, 3, REQUIRED);
	thrift_text(t, 4, name);
	if (kind->converted != CONVERTED_NONE)
		thrift_i32(t, 6, kind->converted);
	if (kind->logical != LOGICAL_NONE) {
		thrift_begin(t, 10);
		thrift_begin(t, kind->logical);
		if (kind->bits) {
			thrift_i8(t, 1, kind->bits);
			thrift_bool(t, 2, kind->is_signed);
		}
		thrift_end(t);
		thrift_end(t);
	}
	thrift_end(t);
}

/* The two groups around the elements of a list (the specification's page "Logical Types", Lists). */
static void put_list_groups(struct thrift *t, const char *name)
{
	thrift_begin_element(t);
	thrift_i32(t, 3, REQUIRED);
	thrift_text(t, 4, name);
	thrift_i32(t, 5, 1); /* children */
	thrift_i32(t, 6, CONVERTED_LIST);
	thrift_begin(t, 10);
	thrift_begin(t, LOGICAL_LIST);
	thrift_end(t);
	thrift_end(t);
	thrift_end(t);
	thrift_begin_element(t);
	thrift_i32(t, 3, REPEATED);
	thrift_text(t, 4, "list");
	thrift_i32(t, 5, 1);
	thrift_end(t);
}

/* The tree of columns, depth first; its root has no type. */
static void put_schema(struct thrift *t, const struct parquet *p)
{
	u32 nr = 1;

	for (u32 i = 0; i < p->nr_columns; i++)
		nr += p->columns[i].kind == COLUMN_LIST ? 3 : 1;
	thrift_list(t, 2, THRIFT_STRUCT, nr);
	thrift_begin_element(t);
	thrift_text(t, 4, "schema");
	thrift_i32(t, 5, (s32)p->nr_columns);
	thrift_end(t);
	for (u32 i = 0; i < p->nr_columns; i++) {
		bool list = p->columns[i].kind == COLUMN_LIST;

		if (list)
			put_list_groups(t, p->columns[i].name);
		put_leaf(t, list ? "element" : p->columns[i].name, &kinds[p->columns[i].kind]);
	}
}

static void put_notes(struct thrift *t, const struct parquet *p)
{
	if (!p->notes->len)
		return;
	thrift_list(t, 5, THRIFT_STRUCT, p->notes->len / 2);
	for (u32 i = 0; i < p->notes->len; i += 2) {
		thrift_begin_element(t);
		thrift_text(t, 1, p->notes->pdata[i]);
		thrift_text(t, 2, p->notes->pdata[i + 1]);
		thrift_end(t);
	}
}

/* Without a column order, readers take no notice of the least and greatest values. */
static void put_orders(struct thrift *t, const struct parquet *p)
{
	thrift_list(t, 7, THRIFT_STRUCT, p->nr_columns);
	for (u32 i = 0; i < p->nr_columns; i++) {
		thrift_begin_element(t);
		thrift_begin(t, 1); /* TypeDefinedOrder */
		thrift_end(t);
		thrift_end(t);
	}
}

static void put_creator(struct thrift *t)
{
	g_autofree char *creator = g_strdup_printf("perf version %s", version_text);

	thrift_text(t, 6, creator);
}

void parquet_finish(struct parquet *p)
{
	g_autoptr(GByteArray) footer = g_byte_array_new();
	struct thrift t;
	u32 size;

	thrift_init(&t, footer);
	thrift_i32(&t, 1, 2); /* version */
	put_schema(&t, p);
	thrift_i64(&t, 3, (s64)p->nr_rows);
	thrift_list(&t, 4, THRIFT_STRUCT, p->nr_groups);
	g_byte_array_append(footer, p->groups->data, p->groups->len);
	put_notes(&t, p);
	put_creator(&t);
	put_orders(&t, p);
	thrift_end(&t);
	size = footer->len;
	put(p, footer->data, size);
	put(p, &size, 4);
	put(p, "PAR1", 4);
}
