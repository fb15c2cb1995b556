// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/base/list_rows.h"

#include <string.h>

#include "base/digits.h"
#include "base/table.h"
#include "base/text.h"

#define LIST_INDENT 4 /* columns of indent per level */

struct list_line {
	u32 parent;
	u32 at;		  /* index among the parent's children */
	u32 level;	  /* number of parents */
	GArray *children; /* u32; NULL: none */
};

struct list_rows {
	struct rows rows;
	const struct rows_column *columns;
	const struct list_ops *ops;
	const void *arg;
	GArray *lines; /* struct list_line */
	GArray *top;   /* u32 */
};

static const struct list_rows *of(const struct rows *rows)
{
	return container_of(rows, struct list_rows, rows);
}

static struct list_line *line_at(const struct list_rows *l, u32 i)
{
	return &g_array_index(l->lines, struct list_line, i);
}

/* A row's number is its line's number plus 1. */
u32 list_rows_line(struct row row)
{
	return row.entry - 1;
}

static const GArray *below(const struct list_rows *l, struct row parent)
{
	return parent.kind == ROW_NONE ? l->top : line_at(l, list_rows_line(parent))->children;
}

static struct row row_of(const struct list_rows *l, const GArray *lines, u32 at)
{
	u32 line;

	if (!lines || at >= lines->len)
		return (struct row){ ROW_NONE };
	line = g_array_index(lines, u32, at);
	return (struct row){ ROW_ENTRY, line_at(l, line)->level, line + 1, 0 };
}

static struct row rows_first(struct rows *rows, struct row parent)
{
	return row_of(of(rows), below(of(rows), parent), 0);
}

static struct row rows_next(struct rows *rows, struct row row)
{
	const struct list_rows *l = of(rows);
	const struct list_line *line = line_at(l, list_rows_line(row));
	const GArray *lines = line->parent == LIST_TOP ? l->top
						       : line_at(l, line->parent)->children;

	return row_of(l, lines, line->at + 1);
}

static u32 rows_nr(struct rows *rows, struct row parent)
{
	const GArray *lines = below(of(rows), parent);

	return lines ? lines->len : 0;
}

static u32 rows_window(struct rows *rows, struct row parent, u32 from, struct row *out, u32 nr)
{
	const GArray *lines = below(of(rows), parent);
	u32 filled = 0;

	for (; lines && filled < nr && from + filled < lines->len; filled++)
		out[filled] = row_of(of(rows), lines, from + filled);
	return filled;
}

static bool rows_foldable(const struct rows *rows, struct row row)
{
	return line_at(of(rows), list_rows_line(row))->children != NULL;
}

static u64 rows_key(struct rows *rows, struct row row)
{
	const struct list_rows *l = of(rows);
	u64 mixed = 0;

	for (u32 i = list_rows_line(row); i != LIST_TOP; i = line_at(l, i)->parent)
		mixed = table_mix(mixed, l->ops->key(l->arg, i));
	return mixed;
}

static void rows_column(const struct rows *rows, u32 column, struct rows_column *out)
{
	*out = of(rows)->columns[column];
	out->width = MAX(out->width, (u32)strlen(out->title));
	out->nr_parts = MAX(out->nr_parts, 1);
}

static void rows_cell(const struct rows *rows, struct row row, u32 column, u32 part,
		      struct cell *out)
{
	const struct list_rows *l = of(rows);

	*out = (struct cell){ .kind = l->columns[column].kind };
	l->ops->cell(l->arg, list_rows_line(row), column, part, out);
}

/* A number as text, for views without their own format. */
static void cell_append(const struct cell *cell, GString *out)
{
	switch (cell->kind) {
	case CELL_TEXT:
	case CELL_NONE:
	case CELL_NR_KINDS:
		break;
	case CELL_SHARE:
		g_string_append_printf(out, "%.2f%%", cell->real);
		break;
	case CELL_AVERAGE:
		g_string_append_printf(out, "%.1f", cell->real);
		break;
	case CELL_ADDRESS:
		digits_hex(out, cell->number, 0);
		break;
	default:
		if (cell->is_signed)
			digits_signed(out, (s64)cell->number, 0);
		else
			digits_dec(out, cell->number, 0);
	}
}

static void rows_text(const struct rows *rows, struct row row, u32 column, u32 part, GString *out)
{
	const struct list_rows *l = of(rows);
	struct cell cell;

	rows_cell(rows, row, column, part, &cell);
	if (cell.kind == CELL_TEXT)
		l->ops->text(l->arg, list_rows_line(row), column, part, out);
	else if (l->ops->number)
		l->ops->number(l->arg, list_rows_line(row), column, &cell, out);
	else
		cell_append(&cell, out);
}

static u32 rows_widest(const struct rows *rows, u32 column)
{
	const struct list_rows *l = of(rows);
	g_autoptr(GString) text = g_string_new(NULL);
	u32 widest = 0;

	if (l->columns[column].value)
		return 0;
	for (u32 i = 0; i < l->lines->len; i++) {
		struct row row = { ROW_ENTRY, line_at(l, i)->level, i + 1, 0 };
		u32 around = l->columns[column].tree ? row.level * LIST_INDENT : 0;

		g_string_truncate(text, 0);
		rows_text(rows, row, column, 0, text);
		widest = MAX(widest, around + text_columns(text->str, text->len));
	}
	return widest;
}

static void list_rows_free(struct rows *rows)
{
	struct list_rows *l = (struct list_rows *)of(rows);

	for (u32 i = 0; i < l->lines->len; i++)
		g_clear_pointer(&line_at(l, i)->children, g_array_unref);
	g_array_unref(l->lines);
	g_array_unref(l->top);
	g_free(l);
}

static const struct rows_ops ops = {
	.column = rows_column,
	.free = list_rows_free,
	.first = rows_first,
	.next = rows_next,
	.nr = rows_nr,
	.window = rows_window,
	.foldable = rows_foldable,
	.key = rows_key,
	.cell = rows_cell,
	.text = rows_text,
	.widest = rows_widest,
};

struct rows *list_rows_new(const struct rows_column *columns, u32 nr_columns,
			   const struct list_ops *list, const void *arg)
{
	struct list_rows *l = g_new0(struct list_rows, 1);

	l->rows = (struct rows){ .ops = &ops, .nr_columns = nr_columns, .nr_levels = 1 };
	l->columns = columns;
	l->ops = list;
	l->arg = arg;
	l->lines = g_array_new(FALSE, FALSE, sizeof(struct list_line));
	l->top = g_array_new(FALSE, FALSE, sizeof(u32));
	return &l->rows;
}

u32 list_rows_add(struct rows *rows, u32 parent)
{
	struct list_rows *l = (struct list_rows *)of(rows);
	struct list_line line = { .parent = parent };
	u32 i = l->lines->len;
	GArray *siblings = l->top;

	if (parent != LIST_TOP) {
		struct list_line *above = line_at(l, parent);

		if (!above->children)
			above->children = g_array_new(FALSE, FALSE, sizeof(u32));
		siblings = above->children;
		line.level = above->level + 1;
		rows->nested = true;
	}
	line.at = siblings->len;
	g_array_append_val(siblings, i);
	g_array_append_val(l->lines, line);
	return i;
}
