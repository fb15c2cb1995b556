// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows of a hierarchy: values first, then the keys of the row's level, with the level's indent. */
#include "view/stdio/private.h"

#include <string.h>

#define INDENT	  3
#define MAX_RULER 207 /* upstream's limit */

static u32 nr_values(const struct stdio *s)
{
	u32 nr = 0;

	while (nr < s->rows->nr_columns && stdio_column(s, nr)->value)
		nr++;
	return nr;
}

static void print_key_titles(struct stdio *s, u32 from)
{
	bool first = true;
	u32 level = 0;

	for (u32 i = from; i < s->rows->nr_columns; i++) {
		const struct rows_column *c = stdio_column(s, i);
		g_autofree char *title = g_strstrip(g_strdup(c->title));

		if (!first)
			g_string_append(s->line, c->level == level ? "+" : " / ");
		g_string_append(s->line, title);
		level = c->level;
		first = false;
	}
}

/* Width of the key column: the titles, or the widest level with its indent. */
static u32 keys_width(struct stdio *s, u32 from, u32 titles)
{
	u32 width = titles;

	for (u32 level = 0; level < s->rows->nr_levels; level++) {
		u32 sum = level * INDENT;

		for (u32 i = from; i < s->rows->nr_columns; i++)
			if (stdio_column(s, i)->level == level)
				sum += stdio_width(s, i);
		width = MAX(width, sum);
	}
	return width;
}

/* The first value's column is wider by the indent of the deepest level. */
static u32 value_width(const struct stdio *s, u32 i)
{
	return stdio_width(s, i) + (i ? 0 : (s->rows->nr_levels - 1) * INDENT);
}

void stdio_hierarchy_titles(struct stdio *s)
{
	u32 from = nr_values(s), titles;
	size_t before;

	g_string_append(s->line, "# ");
	for (u32 i = 0; i < from; i++) {
		const char *title = stdio_column(s, i)->title;

		stdio_pad(s, (s64)value_width(s, i) - (s64)strlen(title), ' ');
		g_string_append_printf(s->line, "%s  ", title);
	}
	before = s->line->len;
	print_key_titles(s, from);
	titles = (u32)(s->line->len - before);
	g_string_append(s->line, "\n# ");
	for (u32 i = 0; i < from; i++) {
		g_string_append(s->line, i ? ".." : "");
		stdio_pad(s, value_width(s, i), '.');
	}
	g_string_append(s->line, "  ");
	stdio_pad(s, MIN(keys_width(s, from, titles), MAX_RULER), '.');
	g_string_append(s->line, "\n#\n");
	stdio_flush(s);
}

static void print_row(struct stdio *s, struct row row)
{
	const char *separator = s->options->separator ? s->options->separator : "  ";
	u32 from = nr_values(s);

	stdio_pad(s, row.level * INDENT, ' ');
	for (u32 i = 0; i < from; i++) {
		g_string_append(s->line, i || !s->options->separator ? separator : "");
		stdio_cell(s, row, i, false);
	}
	stdio_pad(s, (s64)(s->rows->nr_levels - 1) * INDENT, ' ');
	for (u32 i = from; i < s->rows->nr_columns; i++) {
		if (stdio_column(s, i)->level != row.level)
			continue;
		g_string_append(s->line, separator);
		stdio_cell(s, row, i, true);
	}
	g_string_append_c(s->line, '\n');
	stdio_flush(s);
}

/* Printed in place of the names of the level below a row. */
static void print_none(struct stdio *s, u32 level)
{
	stdio_pad(s, (level + s->rows->nr_levels - 1) * INDENT, ' ');
	for (u32 i = 0; i < nr_values(s); i++)
		stdio_pad(s, (s64)stdio_width(s, i) + 2, ' ');
	g_string_append_printf(s->line, "  no entry >= %.2f%%\n", s->rows->least);
	stdio_flush(s);
}

static void print_level(struct stdio *s, struct row parent)
{
	struct row row = s->rows->ops->first(s->rows, parent);

	if (row.kind == ROW_NONE)
		print_none(s, parent.level + 1);
	for (; row.kind != ROW_NONE; row = s->rows->ops->next(s->rows, row)) {
		print_row(s, row);
		if (row.level + 1 < s->rows->nr_levels)
			print_level(s, row);
		else
			stdio_calls(s, row);
	}
}

void stdio_hierarchy(struct stdio *s)
{
	if (s->rows->ops->first(s->rows, (struct row){ ROW_NONE }).kind == ROW_NONE)
		return;
	print_level(s, (struct row){ ROW_NONE });
}
