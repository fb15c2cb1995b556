// SPDX-License-Identifier: GPL-2.0-or-later
#include "clickhouse/native.h"

#include <string.h>

#include "base/intern.h"

/*
 * LowCardinality, as ClickHouse's source documents it (SerializationLowCardinality): a column begins with its version. A
 * block's numbers are of 32 bits (2), and its texts stand in the block: they are "additional", and replace those before.
 */
#define DICTIONARIES_WITH_ADDITIONAL 1
#define KEYS_ARE_U32		     2
#define KEYS_ARE_ADDITIONAL	     (1 << 9)
#define KEYS_REPLACE		     (1 << 10)

static void put_varint(FILE *out, u64 value)
{
	for (; value >= 0x80; value >>= 7)
		putc_unlocked((int)(value & 0x7f) | 0x80, out);
	putc_unlocked((int)value, out);
}

static void put_text(FILE *out, const char *text)
{
	size_t size = strlen(text);

	put_varint(out, size);
	fwrite(text, 1, size, out);
}

static void put_u64(FILE *out, u64 value)
{
	fwrite(&value, sizeof(value), 1, out);
}

const char *native_type(enum column_kind kind)
{
	static const char *const types[] = {
		[COLUMN_U32] = "UInt32",	   [COLUMN_S32] = "Int32",
		[COLUMN_U64] = "UInt64",	   [COLUMN_TEXT] = "LowCardinality(String)",
		[COLUMN_ID16] = "FixedString(16)", [COLUMN_LIST] = "Array(UInt64)",
	};

	return types[kind];
}

/* The empty text is the first one, as ClickHouse has it in its own dictionaries. */
static void put_texts(FILE *out, const u32 *texts, u32 nr, const struct intern *in)
{
	g_autoptr(GHashTable) numbers = g_hash_table_new(NULL, NULL);
	g_autoptr(GArray) order = g_array_new(FALSE, TRUE, sizeof(u32));
	g_autofree u32 *keys = g_new(u32, nr);

	g_array_set_size(order, 1);
	g_hash_table_insert(numbers, GUINT_TO_POINTER(0), GUINT_TO_POINTER(0));
	for (u32 i = 0; i < nr; i++) {
		void *number;

		if (i && texts[i] == texts[i - 1]) {
			keys[i] = keys[i - 1];
			continue;
		}
		if (!g_hash_table_lookup_extended(numbers, GUINT_TO_POINTER(texts[i]), NULL,
						  &number)) {
			number = GUINT_TO_POINTER(order->len);
			g_hash_table_insert(numbers, GUINT_TO_POINTER(texts[i]), number);
			g_array_append_val(order, texts[i]);
		}
		keys[i] = GPOINTER_TO_UINT(number);
	}
	put_u64(out, DICTIONARIES_WITH_ADDITIONAL);
	put_u64(out, KEYS_ARE_U32 | KEYS_ARE_ADDITIONAL | KEYS_REPLACE);
	put_u64(out, order->len);
	for (u32 i = 0; i < order->len; i++)
		put_text(out, intern_text(in, g_array_index(order, u32, i)));
	put_u64(out, nr);
	fwrite(keys, sizeof(u32), nr, out);
}

static void put_list(FILE *out, const struct column_values *v, u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		put_u64(out, v->ends[i]);
	fwrite(v->items->data, sizeof(u64), v->items->len, out);
}

static void put_column(FILE *out, const struct rowset *b, u32 column)
{
	const struct column_values *v = &b->values[column];
	u32 nr = b->nr_rows;

	put_text(out, b->columns[column].name);
	put_text(out, native_type(b->columns[column].kind));
	switch (b->columns[column].kind) {
	case COLUMN_TEXT:
		put_texts(out, v->words, nr, b->texts);
		break;
	case COLUMN_U64:
		fwrite(v->longs, sizeof(u64), nr, out);
		break;
	case COLUMN_ID16:
		fwrite(v->ids, 16, nr, out);
		break;
	case COLUMN_LIST:
		put_list(out, v, nr);
		break;
	default:
		fwrite(v->words, sizeof(u32), nr, out);
	}
}

void native_write(FILE *out, const struct rowset *b)
{
	if (!b->nr_rows)
		return;
	put_varint(out, b->nr_columns);
	put_varint(out, b->nr_rows);
	for (u32 i = 0; i < b->nr_columns; i++)
		put_column(out, b, i);
}
