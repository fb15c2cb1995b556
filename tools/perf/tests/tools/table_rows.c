// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints the rows of a file that `perf data convert --to=parquet` or `--to=native` wrote, as text with tabs:
 *
 *	table_rows FILE [COLUMN...]
 *
 * A file that breaks a rule of its format is an error.
 */
#include <stdio.h>
#include <string.h>

#include "tests/columnar/table.h"

static void print_row(const struct table_rows *rows, char **columns, u64 row)
{
	for (u32 i = 0; columns[i]; i++) {
		const char *cell = table_cell(rows, columns[i], row);

		printf("%s%s", i ? "\t" : "", cell ? cell : "?");
	}
	putchar('\n');
}

static char **all_columns(const struct table_rows *rows)
{
	GPtrArray *names = g_ptr_array_new();

	for (u32 i = 0; i < rows->columns->len; i++)
		g_ptr_array_add(names, ((struct table_column *)rows->columns->pdata[i])->name);
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, FALSE);
}

int main(int argc, char **argv)
{
	g_autofree char *bytes = NULL, **all = NULL;
	struct table_rows *rows;
	char **columns;
	gsize size;

	if (argc < 2 || !g_file_get_contents(argv[1], &bytes, &size, NULL)) {
		fprintf(stderr, "cannot read %s\n", argc < 2 ? "" : argv[1]);
		return 1;
	}
	rows = size >= 4 && !memcmp(bytes, "PAR1", 4) ? parquet_read((u8 *)bytes, size)
						      : native_read((u8 *)bytes, size);
	if (rows->problem) {
		fprintf(stderr, "%s: not valid: %s\n", argv[1], rows->problem);
		return 1;
	}
	all = all_columns(rows);
	columns = argc > 2 ? argv + 2 : all;
	for (u32 i = 0; columns[i]; i++)
		printf("%s%s", i ? "\t" : "", columns[i]);
	putchar('\n');
	for (u64 i = 0; i < rows->nr_rows; i++)
		print_row(rows, columns, i);
	table_rows_free(rows);
	return 0;
}
