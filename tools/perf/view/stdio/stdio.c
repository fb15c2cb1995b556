// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/stdio/stdio.h"

#include <string.h>

#include "view/stdio/private.h"

static void print_titles(struct stdio *s)
{
	const char *separator = s->options->separator;

	g_string_append(s->line, "# ");
	for (u32 i = 0; i < s->rows->nr_columns; i++) {
		const struct rows_column *c = stdio_column(s, i);
		s64 width = stdio_width(s, i), missing = width - (s64)strlen(c->title);

		if (i)
			g_string_append(s->line, separator ? separator : "  ");
		if (c->value || c->right_title)
			stdio_pad(s, missing, ' ');
		g_string_append_len(s->line, c->title,
				    c->value ? -1 : (gssize)MIN(width, (s64)strlen(c->title)));
		if (!c->value && !c->right_title)
			stdio_pad(s, missing, ' ');
	}
	g_string_append_c(s->line, '\n');
	stdio_flush(s);
	if (separator)
		return;
	g_string_append(s->line, "# ");
	for (u32 i = 0; i < s->rows->nr_columns; i++) {
		g_string_append(s->line, i ? "  " : "");
		stdio_pad(s, stdio_width(s, i), '.');
	}
	g_string_append(s->line, "\n#\n");
	stdio_flush(s);
}

/* Prints the rows below @parent: "|   |-- name". A bar stands for an outer row that has further siblings. */
static void print_below(struct stdio *s, struct row parent)
{
	struct row row = s->rows->ops->first(s->rows, parent), next;
	size_t around = s->lines->len;

	for (; row.kind != ROW_NONE; row = next) {
		bool draws = s->rows->nested && row.level;

		next = s->rows->ops->next(s->rows, row);
		if (draws)
			g_string_append(s->lines, next.kind == ROW_NONE ? "`-- " : "|-- ");
		stdio_row(s, row);
		g_string_truncate(s->lines, around);
		if (draws)
			g_string_append(s->lines, next.kind == ROW_NONE ? "    " : "|   ");
		if (s->rows->nested)
			print_below(s, row);
		g_string_truncate(s->lines, around);
	}
}

static bool parse_widths(struct stdio *s, GError **error)
{
	g_auto(GStrv) words = s->options->widths ? g_strsplit(s->options->widths, ",", -1) : NULL;

	for (char **word = words; word && *word; word++) {
		u64 width = 0;

		if (**word && !g_ascii_string_to_unsigned(*word, 10, 0, 65535, &width, NULL))
			return error_set(error, PERF_ERROR_USAGE, "-w: '%s' is not a width", *word);
		g_array_append_vals(s->user_widths, &(u32){ (u32)width }, 1);
	}
	return true;
}

bool stdio_print_rows(struct rows *rows, const struct view_options *options, FILE *out,
		      GError **error)
{
	struct stdio s = { .rows = rows, .options = options, .out = out };
	bool ok;

	s.columns = g_array_new(FALSE, FALSE, sizeof(struct rows_column));
	s.user_widths = g_array_new(FALSE, FALSE, sizeof(u32));
	s.line = g_string_sized_new(256);
	s.cell = g_string_sized_new(256);
	s.lines = g_string_new(NULL);
	for (u32 i = 0; i < rows->nr_columns; i++) {
		struct rows_column column;
		u32 widest;

		rows->ops->column(rows, i, &column);
		widest = rows->ops->widest ? rows->ops->widest(rows, i) : 0;
		column.width = MAX(column.width, widest);
		g_array_append_val(s.columns, column);
	}
	ok = parse_widths(&s, error);
	if (ok && !options->quiet && rows->nr_levels > 1)
		stdio_hierarchy_titles(&s);
	else if (ok && !options->quiet)
		print_titles(&s);
	if (ok && rows->nr_levels > 1)
		stdio_hierarchy(&s);
	else if (ok && !stdio_print_in_parts(&s))
		print_below(&s, (struct row){ ROW_NONE });
	g_array_unref(s.columns);
	g_array_unref(s.user_widths);
	g_string_free(s.line, TRUE);
	g_string_free(s.cell, TRUE);
	g_string_free(s.lines, TRUE);
	return ok;
}
