// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/base/rows.h"

#include <string.h>

void rows_free(struct rows *rows)
{
	if (rows)
		rows->ops->free(rows);
}

s32 rows_find_column(const struct rows *rows, const char *name)
{
	for (u32 i = 0; i < rows->nr_columns; i++) {
		struct rows_column column;

		rows->ops->column(rows, i, &column);
		if (!strcmp(column.name, name))
			return (s32)i;
	}
	return -1;
}
