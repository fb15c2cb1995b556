// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/stdio/private.h"

#include <string.h>

#include "base/text.h"
#include "cli/colour.h"

const struct rows_column *stdio_column(const struct stdio *s, u32 i)
{
	return &g_array_index(s->columns, struct rows_column, i);
}

/* Width of one part: what -w says, else its own. */
static u32 part_width(const struct stdio *s, u32 i)
{
	u32 user = i < s->user_widths->len ? g_array_index(s->user_widths, u32, i) : 0;

	return user ? user : stdio_column(s, i)->width;
}

u32 stdio_width(const struct stdio *s, u32 i)
{
	const struct rows_column *c = stdio_column(s, i);
	u32 width = part_width(s, i);

	/* A value's title always fits; a key's is cut by -w. */
	return c->value ? MAX(width * c->nr_parts, (u32)strlen(c->title)) : width;
}

void stdio_flush(struct stdio *s)
{
	fwrite(s->line->str, 1, s->line->len, s->out);
	g_string_truncate(s->line, 0);
}

void stdio_pad(struct stdio *s, s64 nr, char with)
{
	for (; nr > 0; nr--)
		g_string_append_c(s->line, with);
}

/*
 * Each part of a value has a blank before it; what is too wide for it stays whole. Returns
 * the characters that it takes.
 */
static s64 append_value(struct stdio *s, struct row row, u32 i)
{
	const struct rows_column *c = stdio_column(s, i);
	s64 width = s->options->separator ? 1 : (s64)part_width(s, i) - 1, length = 0;

	for (u32 part = 0; part < c->nr_parts; part++) {
		const char *colour = "";
		struct cell cell;

		g_string_truncate(s->cell, 0);
		s->rows->ops->text(s->rows, row, i, part, s->cell);
		if (s->options->colour && c->kind == CELL_SHARE) {
			s->rows->ops->cell(s->rows, row, i, part, &cell);
			colour = colour_of_percent(cell.real);
		}
		g_string_append(s->line, colour);
		g_string_append_c(s->line, ' ');
		stdio_pad(s, width - (s64)s->cell->len, ' ');
		g_string_append(s->line, s->cell->str);
		if (*colour)
			g_string_append(s->line, COLOUR_RESET);
		length += 1 + MAX(width, (s64)s->cell->len);
	}
	return length;
}

/* With -t the separator must not occur in a cell. */
static void hide_separator(struct stdio *s)
{
	if (!s->options->separator || !*s->options->separator)
		return;
	for (char *c = s->cell->str; *c; c++)
		if (*c == *s->options->separator)
			*c = '.';
}

static void append_key(struct stdio *s, struct row row, u32 i, bool last)
{
	const struct rows_column *c = stdio_column(s, i);
	s64 missing;

	g_string_truncate(s->cell, 0);
	if (c->tree)
		g_string_append(s->cell, s->lines->str);
	s->rows->ops->text(s->rows, row, i, 0, s->cell);
	hide_separator(s);
	if (i < s->user_widths->len && g_array_index(s->user_widths, u32, i))
		g_string_truncate(s->cell, text_fit(s->cell->str, s->cell->len, part_width(s, i)));
	missing = (s64)part_width(s, i) - text_columns(s->cell->str, s->cell->len);
	if (c->right)
		stdio_pad(s, missing, ' ');
	g_string_append(s->line, s->cell->str);
	if (!c->right && !(last && c->loose))
		stdio_pad(s, missing, ' ');
}

void stdio_cell(struct stdio *s, struct row row, u32 i, bool last)
{
	s64 length;

	if (!stdio_column(s, i)->value) {
		append_key(s, row, i, last);
		return;
	}
	length = append_value(s, row, i);
	if (!last)
		stdio_pad(s, (s64)stdio_width(s, i) - length, ' ');
}

static void print_row(struct stdio *s, struct row row)
{
	const char *separator = s->options->separator;

	if (!separator)
		g_string_append(s->line, "  ");
	for (u32 i = 0; i < s->rows->nr_columns; i++) {
		if (i)
			g_string_append(s->line, separator ? separator : "  ");
		stdio_cell(s, row, i, i + 1 == s->rows->nr_columns);
	}
	g_string_append_c(s->line, '\n');
	stdio_flush(s);
	if (!s->rows->nested)
		stdio_calls(s, row);
}

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

/* "|   |-- name": for each row around whether more follows in it, then the row's own line. */
static void print_below(struct stdio *s, struct row parent)
{
	struct row row = s->rows->ops->first(s->rows, parent), next;
	size_t around = s->lines->len;

	for (; row.kind != ROW_NONE; row = next) {
		bool draws = s->rows->nested && row.level;

		next = s->rows->ops->next(s->rows, row);
		if (draws)
			g_string_append(s->lines, next.kind == ROW_NONE ? "`-- " : "|-- ");
		print_row(s, row);
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
			return error_set(error, PERF_ERROR_USAGE, "-w: '%s' is no width", *word);
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
	else if (ok)
		print_below(&s, (struct row){ ROW_NONE });
	g_array_unref(s.columns);
	g_array_unref(s.user_widths);
	g_string_free(s.line, TRUE);
	g_string_free(s.cell, TRUE);
	g_string_free(s.lines, TRUE);
	return ok;
}
