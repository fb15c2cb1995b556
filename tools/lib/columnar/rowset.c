// SPDX-License-Identifier: GPL-2.0-or-later
#include "columnar/rowset.h"

static void values_init(struct column_values *v, enum column_kind kind, u32 rows)
{
	switch (kind) {
	case COLUMN_U64:
		v->longs = g_new(u64, rows);
		break;
	case COLUMN_ID16:
		v->ids = g_malloc_n(rows, sizeof(*v->ids));
		break;
	case COLUMN_LIST:
		v->ends = g_new(u32, rows);
		v->items = g_array_new(FALSE, FALSE, sizeof(u64));
		break;
	default:
		v->words = g_new(u32, rows);
	}
}

struct rowset *rowset_new(const struct column_spec *columns, u32 nr_columns, u32 most_rows,
			  const struct intern *texts)
{
	struct rowset *b = g_new(struct rowset, 1);

	*b = (struct rowset){ .columns = columns,
			      .nr_columns = nr_columns,
			      .most_rows = most_rows,
			      .values = g_new0(struct column_values, nr_columns),
			      .texts = texts };
	for (u32 i = 0; i < nr_columns; i++)
		values_init(&b->values[i], columns[i].kind, most_rows);
	return b;
}

void rowset_free(struct rowset *b)
{
	if (!b)
		return;
	for (u32 i = 0; i < b->nr_columns; i++) {
		struct column_values *v = &b->values[i];

		g_free(v->words);
		g_free(v->longs);
		g_free(v->ids);
		g_free(v->ends);
		if (v->items)
			g_array_unref(v->items);
	}
	g_free(b->values);
	g_free(b);
}

void rowset_clear(struct rowset *b)
{
	b->nr_rows = 0;
	b->full = false;
	for (u32 i = 0; i < b->nr_columns; i++)
		if (b->values[i].items)
			g_array_set_size(b->values[i].items, 0);
}

void rowset_append(struct rowset *b, u32 column, u64 value)
{
	g_array_append_val(b->values[column].items, value);
}

void rowset_end_row(struct rowset *b)
{
	for (u32 i = 0; i < b->nr_columns; i++)
		if (b->values[i].items) {
			b->values[i].ends[b->nr_rows] = b->values[i].items->len;
			b->full |= b->values[i].items->len >= ROWSET_MOST_ITEMS;
		}
	b->full |= ++b->nr_rows == b->most_rows;
}
