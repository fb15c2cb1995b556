// SPDX-License-Identifier: GPL-2.0-or-later
#include "parquet/chunk.h"

#include <string.h>

#include "base/intern.h"
#include "parquet/encode.h"

enum { PAGE_DATA = 0, PAGE_DICTIONARY = 2 };

/* The values of a column that are being written: those of a list are its items. */
struct chunk_source {
	const struct rowset *rows;
	enum column_kind kind;
	const struct column_values *values;
	const u8 *array; /* of the values; not of texts, which are in values->words */
	u32 size;	 /* of a value in the array */
	u32 nr;
};

void chunk_maker_init(struct chunk_maker *m)
{
	dictionary_init(&m->dictionary);
	m->compressor = compressor_new();
	m->page = g_byte_array_new();
	m->header = g_byte_array_new();
	m->levels = g_byte_array_new();
	m->numbers = g_array_new(FALSE, FALSE, sizeof(u32));
}

void chunk_maker_release(struct chunk_maker *m)
{
	dictionary_release(&m->dictionary);
	compressor_free(m->compressor);
	g_byte_array_unref(m->page);
	g_byte_array_unref(m->header);
	g_byte_array_unref(m->levels);
	g_array_unref(m->numbers);
}

static struct chunk_source source_of(const struct rowset *rows, u32 column)
{
	const struct column_values *v = &rows->values[column];
	struct chunk_source s = { rows, rows->columns[column].kind, v, NULL, 0, rows->nr_rows };

	switch (s.kind) {
	case COLUMN_TEXT:
		break;
	case COLUMN_U32:
	case COLUMN_S32:
		s.array = (const u8 *)v->words;
		s.size = 4;
		break;
	case COLUMN_U64:
		s.array = (const u8 *)v->longs;
		s.size = 8;
		break;
	case COLUMN_ID16:
		s.array = (const u8 *)v->ids;
		s.size = 16;
		break;
	case COLUMN_LIST:
		s.array = (const u8 *)v->items->data;
		s.size = 8;
		s.nr = v->items->len;
	}
	return s;
}

static const void *value_at(const struct chunk_source *s, u32 i)
{
	return s->array + (size_t)i * s->size;
}

static const char *text_at(const struct chunk_source *s, u32 i)
{
	return intern_text(s->rows->texts, s->values->words[i]);
}

/* The positions of the least and the greatest value. */
struct extremes {
	u32 least, greatest;
};

/* The orders of parquet.thrift's ColumnOrder: of unsigned numbers, signed ones, and bytes. Codes rise with their texts. */
static inline bool is_less(enum column_kind kind, const u8 *array, u32 a, u32 b)
{
	switch (kind) {
	case COLUMN_S32:
		return ((const s32 *)(const void *)array)[a] <
		       ((const s32 *)(const void *)array)[b];
	case COLUMN_U32:
	case COLUMN_TEXT:
		return ((const u32 *)(const void *)array)[a] <
		       ((const u32 *)(const void *)array)[b];
	case COLUMN_ID16:
		return memcmp(array + (size_t)a * 16, array + (size_t)b * 16, 16) < 0;
	default:
		return ((const u64 *)(const void *)array)[a] <
		       ((const u64 *)(const void *)array)[b];
	}
}

/* Inlined for each kind, so that the loop has no decisions about it. */
static inline __attribute__((always_inline)) struct extremes
ends_of_kind(enum column_kind kind, const u8 *array, u32 from, u32 to)
{
	struct extremes e = { from, from };

	for (u32 i = from + 1; i < to; i++) {
		if (is_less(kind, array, i, e.least))
			e.least = i;
		if (is_less(kind, array, e.greatest, i))
			e.greatest = i;
	}
	return e;
}

/* Of the values from @from to @to, at least one. */
static struct extremes ends_of(const struct chunk_maker *m, const struct chunk_source *s, u32 from,
			       u32 to)
{
	switch (s->kind) {
	case COLUMN_S32:
		return ends_of_kind(COLUMN_S32, s->array, from, to);
	case COLUMN_U32:
		return ends_of_kind(COLUMN_U32, s->array, from, to);
	case COLUMN_TEXT:
		return ends_of_kind(COLUMN_TEXT, (const u8 *)m->dictionary.codes, from, to);
	case COLUMN_ID16:
		return ends_of_kind(COLUMN_ID16, s->array, from, to);
	default:
		return ends_of_kind(COLUMN_U64, s->array, from, to);
	}
}

static void set_range(struct chunk_range *r, const void *least, u32 size_least,
		      const void *greatest, u32 size_greatest)
{
	r->known = size_least <= sizeof(r->least) && size_greatest <= sizeof(r->greatest);
	if (!r->known)
		return;
	memcpy(r->least, least, r->size_least = size_least);
	memcpy(r->greatest, greatest, r->size_greatest = size_greatest);
}

static void range_of(const struct chunk_source *s, struct extremes e, struct chunk_range *r)
{
	if (s->kind == COLUMN_TEXT)
		set_range(r, text_at(s, e.least), (u32)strlen(text_at(s, e.least)),
			  text_at(s, e.greatest), (u32)strlen(text_at(s, e.greatest)));
	else
		set_range(r, value_at(s, e.least), s->size, value_at(s, e.greatest), s->size);
}

/* Widens the chunk's ends by those of a page. */
static void widen(const struct chunk_maker *m, const struct chunk_source *s, struct extremes *all,
		  struct extremes page)
{
	const u8 *array = s->kind == COLUMN_TEXT ? (const u8 *)m->dictionary.codes : s->array;

	if (is_less(s->kind, array, page.least, all->least))
		all->least = page.least;
	if (is_less(s->kind, array, all->greatest, page.greatest))
		all->greatest = page.greatest;
}

void chunk_range_put(const struct chunk_range *r, struct thrift *t)
{
	thrift_i64(t, 3, 0); /* nulls */
	if (!r->known)
		return;
	thrift_binary(t, 5, r->greatest, r->size_greatest);
	thrift_binary(t, 6, r->least, r->size_least);
}

/* Encoded as the hybrid, with its size before it, as levels of a page are. */
static void put_levels(struct chunk_maker *m, const u32 *levels, u32 nr)
{
	u32 size;

	g_byte_array_set_size(m->levels, 0);
	encode_hybrid(m->levels, levels, nr, 1);
	size = m->levels->len;
	g_byte_array_append(m->page, (const u8 *)&size, 4);
	g_byte_array_append(m->page, m->levels->data, size);
}

/*
 * A row of a list with n values has n levels, an empty one has one. Repetition: 0 begins a row. Definition: 1 is a value, 0 is
 * none. Rows {7, 8}, {}, {9}: repetition 0 1 0 0, definition 1 1 0 1. Returns their number.
 */
static u32 put_list_levels(struct chunk_maker *m, const struct chunk_source *s, u32 from, u32 to)
{
	u32 nr = 0, *repetition, *definition;

	for (u32 row = from; row < to; row++)
		nr += MAX(1u, s->values->ends[row] - column_list_begin(s->values, row));
	g_array_set_size(m->numbers, 2 * nr);
	repetition = (u32 *)(void *)m->numbers->data;
	definition = repetition + nr;
	nr = 0;
	for (u32 row = from; row < to; row++) {
		u32 items = s->values->ends[row] - column_list_begin(s->values, row);

		for (u32 i = 0; i < MAX(1u, items); i++, nr++) {
			repetition[nr] = i > 0;
			definition[nr] = items > 0;
		}
	}
	put_levels(m, repetition, nr);
	put_levels(m, definition, nr);
	return nr;
}

static void put_values(struct chunk_maker *m, const struct chunk_source *s,
		       enum parquet_encoding encoding, u32 from, u32 to)
{
	u32 width = encode_width(m->dictionary.nr - 1);

	switch (encoding) {
	case PARQUET_RLE_DICTIONARY:
		g_byte_array_append(m->page, &(u8){ (u8)width }, 1);
		encode_hybrid(m->page, m->dictionary.codes + from, to - from, width);
		break;
	case PARQUET_DELTA_BINARY_PACKED:
		encode_delta(m->page, value_at(s, from), to - from);
		break;
	default:
		g_byte_array_append(m->page, value_at(s, from), (to - from) * s->size);
	}
}

/* The header of the page in m->page and the page itself. @range NULL: it is the dictionary. Returns their size. */
static u32 put_page(struct chunk_maker *m, struct column_chunk *chunk, u32 nr,
		    enum parquet_encoding encoding, const struct chunk_range *range)
{
	u32 at = chunk->bytes->len, packed;
	struct thrift t;

	packed = compressor_append(m->compressor, chunk->bytes, m->page->data, m->page->len);
	g_byte_array_set_size(m->header, 0);
	thrift_init(&t, m->header);
	thrift_i32(&t, 1, range ? PAGE_DATA : PAGE_DICTIONARY);
	thrift_i32(&t, 2, (s32)m->page->len);
	thrift_i32(&t, 3, (s32)packed);
	thrift_begin(&t, range ? 5 : 7);
	thrift_i32(&t, 1, (s32)nr);
	thrift_i32(&t, 2, encoding);
	if (range) {
		thrift_i32(&t, 3, PARQUET_RLE);
		thrift_i32(&t, 4, PARQUET_RLE);
		thrift_begin(&t, 5);
		chunk_range_put(range, &t);
		thrift_end(&t);
	}
	thrift_end(&t);
	thrift_end(&t);
	chunk->plain_size += m->header->len + m->page->len;
	g_byte_array_set_size(chunk->bytes, chunk->bytes->len + m->header->len);
	memmove(chunk->bytes->data + at + m->header->len, chunk->bytes->data + at, packed);
	memcpy(chunk->bytes->data + at, m->header->data, m->header->len);
	return m->header->len + packed;
}

static void put_dictionary(struct chunk_maker *m, const struct chunk_source *s,
			   struct column_chunk *chunk)
{
	const struct dictionary *d = &m->dictionary;

	g_byte_array_set_size(m->page, 0);
	for (u32 i = 0; i < d->nr; i++) {
		const char *text = s->kind == COLUMN_TEXT ? text_at(s, d->first[i]) : NULL;
		u32 size = text ? (u32)strlen(text) : s->size;

		if (text)
			g_byte_array_append(m->page, (const u8 *)&size, 4);
		g_byte_array_append(m->page, text ? (const u8 *)text : value_at(s, d->first[i]),
				    size);
	}
	chunk->dictionary_size = put_page(m, chunk, d->nr, PARQUET_PLAIN, NULL);
}

static void put_data_page(struct chunk_maker *m, const struct chunk_source *s,
			  struct column_chunk *chunk, u32 from, u32 to, struct extremes *all)
{
	struct chunk_range range = { 0 };
	struct extremes ends;
	u32 nr = to - from, first = from, end = to;

	g_byte_array_set_size(m->page, 0);
	if (s->kind == COLUMN_LIST) {
		nr = put_list_levels(m, s, from, to);
		first = column_list_begin(s->values, from);
		end = s->values->ends[to - 1];
	}
	if (end > first) {
		put_values(m, s, chunk->encoding, first, end);
		ends = ends_of(m, s, first, end);
		range_of(s, ends, &range);
		widen(m, s, all, ends);
	} else if (chunk->encoding == PARQUET_RLE_DICTIONARY) {
		g_byte_array_append(m->page, &(u8){ 0 }, 1);
	}
	chunk->nr_values += nr;
	put_page(m, chunk, nr, chunk->encoding, &range);
}

static enum parquet_encoding choose(struct chunk_maker *m, const struct chunk_source *s,
				    bool rising)
{
	if (rising && s->kind == COLUMN_U64)
		return PARQUET_DELTA_BINARY_PACKED;
	if (s->kind == COLUMN_TEXT)
		dictionary_fill_texts(&m->dictionary, s->values->words, s->nr, s->rows->texts);
	else if (!s->nr || !dictionary_fill(&m->dictionary, s->array, s->size, s->nr))
		return PARQUET_PLAIN;
	return PARQUET_RLE_DICTIONARY;
}

void chunk_make(struct chunk_maker *m, const struct rowset *rows, u32 column,
		struct column_chunk *chunk)
{
	struct chunk_source s = source_of(rows, column);
	struct extremes ends = { 0, 0 };

	g_byte_array_set_size(chunk->bytes, 0);
	*chunk = (struct column_chunk){ .bytes = chunk->bytes };
	chunk->encoding = choose(m, &s, rows->columns[column].rising);
	if (chunk->encoding == PARQUET_RLE_DICTIONARY)
		put_dictionary(m, &s, chunk);
	for (u32 row = 0; row < rows->nr_rows; row += PAGE_ROWS)
		put_data_page(m, &s, chunk, row, MIN(rows->nr_rows, row + PAGE_ROWS), &ends);
	if (s.nr)
		range_of(&s, ends, &chunk->range);
}
