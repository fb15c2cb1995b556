// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/columnar/table.h"

#include <string.h>

static void column_free(void *column)
{
	struct table_column *c = column;

	g_free(c->name);
	g_free(c->type);
	g_free(c->encodings);
	g_ptr_array_unref(c->cells);
	g_free(c);
}

struct table_rows *table_rows_new(void)
{
	struct table_rows *r = g_new0(struct table_rows, 1);

	r->columns = g_ptr_array_new_with_free_func(column_free);
	r->notes = g_ptr_array_new_with_free_func(g_free);
	return r;
}

void table_rows_free(struct table_rows *r)
{
	g_ptr_array_unref(r->columns);
	g_ptr_array_unref(r->notes);
	g_free(r->problem);
	g_free(r);
}

const struct table_column *table_column(const struct table_rows *r, const char *name)
{
	for (u32 i = 0; i < r->columns->len; i++) {
		const struct table_column *c = r->columns->pdata[i];

		if (!strcmp(c->name, name))
			return c;
	}
	return NULL;
}

const char *table_cell(const struct table_rows *r, const char *column, u64 row)
{
	const struct table_column *c = table_column(r, column);

	return c && row < c->cells->len ? c->cells->pdata[row] : NULL;
}
