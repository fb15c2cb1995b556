// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints a cell as text (padded, cut, coloured), and the line of cells. */
#include "view/stdio/private.h"

#include <string.h>

#include "base/append.h"
#include "base/text.h"
#include "cli/colour.h"

const struct rows_column *stdio_column(const struct stdio *s, u32 i)
{
	return &g_array_index(s->columns, struct rows_column, i);
}

/* Width of one part, from -w if it is set. */
static u32 part_width(const struct stdio *s, u32 i)
{
	u32 user = i < s->user_widths->len ? g_array_index(s->user_widths, u32, i) : 0;

	return user ? user : stdio_column(s, i)->width;
}

u32 stdio_width(const struct stdio *s, u32 i)
{
	const struct rows_column *c = stdio_column(s, i);
	u32 width = part_width(s, i);

	/* A value's title is never cut; a key's title is cut by -w. */
	return c->value ? MAX(width * c->nr_parts, (u32)strlen(c->title)) : width;
}

void stdio_flush(struct stdio *s)
{
	if (s->text)
		append_bytes(s->text, s->line->str, s->line->len);
	else
		fwrite(s->line->str, 1, s->line->len, s->out);
	g_string_truncate(s->line, 0);
}

void stdio_pad(struct stdio *s, s64 nr, char with)
{
	append_many(s->line, nr, with);
}

/*
 * Each part of a value has a blank before it. A value wider than its column is not cut. Returns the number of
 * characters.
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
		append_text(s->line, colour);
		append_char(s->line, ' ');
		stdio_pad(s, width - (s64)s->cell->len, ' ');
		append_bytes(s->line, s->cell->str, s->cell->len);
		if (*colour)
			g_string_append(s->line, COLOUR_RESET);
		length += 1 + MAX(width, (s64)s->cell->len);
	}
	return length;
}

/* With -t, replaces the separator where it occurs in a cell. */
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
	if (c->cut || (i < s->user_widths->len && g_array_index(s->user_widths, u32, i)))
		g_string_truncate(s->cell, text_fit(s->cell->str, s->cell->len, part_width(s, i)));
	missing = (s64)part_width(s, i) - text_columns(s->cell->str, s->cell->len);
	if (c->right)
		stdio_pad(s, missing, ' ');
	append_bytes(s->line, s->cell->str, s->cell->len);
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
