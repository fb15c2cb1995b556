// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/tui/layout.h"

#include <string.h>

#include "base/text.h"

#define KEY_LEAST     12 /* least width of a key, if its texts need it */
#define LAST_LEAST    6	 /* least width of the last shown column */
#define BAR_WIDTH     10
#define BAR_ROOM      100 /* terminals with this width have bars */
#define INDENT	      2	  /* of a row below another row */
#define CALLS_INDENT  8
#define MEASURED_ROWS 1000
#define MAX_FRAMES    256 /* limit of drawn frames per row: no screen is wider */

static struct rows_column column_of(const struct rows_view *v, u32 i)
{
	struct rows_column column;

	v->page->rows->ops->column(v->page->rows, i, &column);
	return column;
}

static bool is_hierarchy(const struct rows_view *v)
{
	return v->page->rows->nr_levels > 1;
}

/* Does the row have the column? In a hierarchy, each level has its own columns. */
static bool has_column(const struct rows_view *v, const struct rows_column *c, struct row row)
{
	return c->value || !is_hierarchy(v) || c->level == row.level;
}

static u32 title_width(const struct rows_column *c)
{
	return text_columns(c->title, strlen(c->title));
}

static u32 width_of(const struct rows_view *v, u32 column)
{
	return g_array_index(v->widths, u32, column);
}

static void widen(struct rows_view *v, u32 column, u32 width)
{
	u32 *is = &g_array_index(v->widths, u32, column);

	*is = MAX(*is, width);
}

const char *rows_view_text(struct rows_view *v, struct row row, u32 column, u32 part)
{
	struct rows *rows = v->page->rows;

	g_string_truncate(v->text, 0);
	rows->ops->text(rows, row, column, part, v->text);
	return v->text->str;
}

/* Width of a cell: all its parts, with a blank between them. */
static u32 cell_width(struct rows_view *v, struct row row, u32 i, const struct rows_column *c)
{
	u32 width = 0;

	for (u32 part = 0; part < MAX(c->nr_parts, 1); part++) {
		const char *text = rows_view_text(v, row, i, part);
		u32 columns = text_columns(text, strlen(text));

		width = MAX(width, columns);
	}
	if (c->tree)
		width += row.level * INDENT;
	return width;
}

/* Computes the widths for the rows on the screen and for all rows shown before. */
static void measure_texts(struct rows_view *v)
{
	struct visible_row rows[MEASURED_ROWS];
	u32 nr = visible_window(v->visible, v->top, rows, MIN(v->height, MEASURED_ROWS));

	for (u32 i = 0; i < v->page->rows->nr_columns; i++) {
		struct rows_column c = column_of(v, i);

		if (c.value) /* a row with "100.00%" must not move the others */
			widen(v, i,
			      MAX(c.kind == CELL_SHARE ? 7 : c.width,
				  title_width(&c) / MAX(c.nr_parts, 1)));
		else
			widen(v, i, title_width(&c) + (v->sorted == (s32)i));
		for (u32 k = 0; k < nr; k++)
			if (rows[k].row.kind == ROW_ENTRY && has_column(v, &c, rows[k].row))
				widen(v, i, cell_width(v, rows[k].row, i, &c));
	}
}

/* Width of a column with all its parts. */
static u32 whole_width(const struct rows_view *v, u32 i, const struct rows_column *c)
{
	u32 parts = MAX(c->nr_parts, 1);
	u32 width = (width_of(v, i) + 1) * parts - 1;

	return MAX(width, c->value ? title_width(c) + (v->sorted == (s32)i) : 0);
}

struct fitted {
	u32 column;
	u32 width;
	bool flexible; /* a key: it may be cut */
};

/* The columns that are shown, from the left one on. The first value is always shown. */
static GArray *columns_shown(const struct rows_view *v)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(struct fitted));

	for (u32 i = 0; i < v->page->rows->nr_columns; i++) {
		struct rows_column c = column_of(v, i);
		struct fitted f = { i, whole_width(v, i, &c), !c.value };

		if (i && i <= v->left)
			continue;
		if (!is_hierarchy(v) || c.value)
			g_array_append_val(list, f);
	}
	return list;
}

static u32 sum_of(const GArray *list, bool least)
{
	u32 sum = 0;

	for (u32 i = 0; i < list->len; i++) {
		const struct fitted *f = &g_array_index(list, struct fitted, i);

		sum += 2 + (least && f->flexible ? MIN(f->width, KEY_LEAST) : f->width);
	}
	return sum;
}

/* Cuts the widest keys until all columns fit. */
static void cut_widest(GArray *list, u32 width)
{
	while (sum_of(list, false) > width + 2) {
		struct fitted *widest = NULL;

		for (u32 i = 0; i < list->len; i++) {
			struct fitted *f = &g_array_index(list, struct fitted, i);

			if (f->flexible && f->width > KEY_LEAST &&
			    (!widest || f->width >= widest->width))
				widest = f;
		}
		if (!widest)
			break;
		widest->width--;
	}
}

static GArray *fit(struct rows_view *v, u32 width)
{
	GArray *list = columns_shown(v);

	while (list->len > 1 && sum_of(list, true) > width + 2) {
		struct fitted last = g_array_index(list, struct fitted, list->len - 1);

		g_array_set_size(list, list->len - 1);
		if (sum_of(list, true) + LAST_LEAST > width || !last.flexible)
			continue;
		last.width = width - sum_of(list, true);
		g_array_append_val(list, last);
		break;
	}
	cut_widest(list, width);
	v->nr_fitting = list->len;
	return list;
}

void layout_measure(struct rows_view *v, u32 width)
{
	measure_texts(v);
	g_array_unref(fit(v, width));
}

static bool has_bar(const struct rows_view *v, const GArray *list, const struct pen *pen)
{
	return !v->no_bars && pen->to >= BAR_ROOM &&
	       sum_of(list, false) + BAR_WIDTH + 1 <= pen->to - (u32)pen->at;
}

/* The bar is after the first column, if that is a single share. */
static u32 bar_width(const struct rows_view *v, const GArray *list, const struct pen *pen, u32 i)
{
	struct rows_column c = column_of(v, g_array_index(list, struct fitted, i).column);

	return !i && c.kind == CELL_SHARE && c.nr_parts < 2 && has_bar(v, list, pen) ? BAR_WIDTH
										     : 0;
}

/* Draws a percentage followed by a bar in eighths, @columns wide. */
static void rows_view_bar(struct pen *pen, double percent, u32 columns)
{
	u32 eighths = (u32)(CLAMP(percent, 0.0, 100.0) * columns * 8 / 100 + 0.5);
	u32 end = (u32)pen->at + columns;

	if (!eighths && percent > 0)
		eighths = 1;
	pen_repeat(pen, ink_of_percent(percent), 0x2588, eighths / 8);
	if (eighths % 8) /* 0x258f is one eighth, 0x2589 seven */
		pen_repeat(pen, ink_of_percent(percent), 0x2590 - eighths % 8, 1);
	pen_move(pen, end);
}

static void draw_title(struct rows_view *v, const struct fitted *f, struct pen *pen)
{
	struct rows_column c = column_of(v, f->column);
	g_autofree char *text = g_strconcat(c.title,
					    v->sorted != (s32)f->column ? ""
					    : v->upwards		? "▲"
									: "▼",
					    NULL);

	pen_fit(pen, INK_HEADING, text, f->width, c.right_title || (c.value && c.nr_parts < 2));
}

/* The titles of the levels: "Comm / Dso / Symbol". */
static void draw_level_titles(struct rows_view *v, struct pen *pen)
{
	const char *between = "";

	for (u32 i = 0; i < v->page->rows->nr_columns; i++) {
		struct rows_column c = column_of(v, i);

		if (c.value)
			continue;
		pen_printf(pen, INK_HEADING, "%s%s", between, c.title);
		between = " / ";
	}
}

void layout_draw_titles(struct rows_view *v, struct pen *pen)
{
	g_autoptr(GArray) list = fit(v, pen->to - MIN(pen->to, (u32)pen->at));

	for (u32 i = 0; i < list->len; i++) {
		u32 bar = bar_width(v, list, pen, i);

		draw_title(v, &g_array_index(list, struct fitted, i), pen);
		pen_repeat(pen, INK_PLAIN, ' ', 2 + (bar ? bar + 1 : 0));
	}
	if (is_hierarchy(v))
		draw_level_titles(v, pen);
}

static enum ink cell_ink(struct rows_view *v, const struct visible_row *row, u32 column,
			 const struct cell *cell)
{
	if (cell->kind == CELL_SHARE)
		return ink_of_percent(cell->real);
	return v->ops->ink ? v->ops->ink(v, row, column) : INK_PLAIN;
}

static void draw_part(struct rows_view *v, const struct visible_row *row, u32 column, u32 part,
		      u32 width, bool right, struct pen *pen)
{
	struct rows *rows = v->page->rows;
	struct cell cell;

	rows->ops->cell(rows, row->row, column, part, &cell);
	pen_fit(pen, cell_ink(v, row, column, &cell), rows_view_text(v, row->row, column, part),
		width, right);
}

static void draw_cell(struct rows_view *v, const struct visible_row *row, const struct fitted *f,
		      struct pen *pen)
{
	struct rows_column c = column_of(v, f->column);
	u32 end = (u32)pen->at + f->width, indent;

	if (c.value) {
		u32 parts = MAX(c.nr_parts, 1);
		u32 width = parts > 1 ? width_of(v, f->column) : f->width;

		for (u32 part = 0; part < parts; part++) {
			pen_text(pen, INK_PLAIN, part ? " " : "");
			draw_part(v, row, f->column, part, width, true, pen);
		}
	} else {
		indent = c.tree ? MIN(row->row.level * INDENT, f->width / 2) : 0;
		pen_repeat(pen, INK_PLAIN, ' ', indent);
		draw_part(v, row, f->column, 0, f->width - indent, c.right, pen);
	}
	pen_move(pen, end);
}

static double share_of(struct rows_view *v, struct row row, u32 column)
{
	struct cell cell;

	v->page->rows->ops->cell(v->page->rows, row, column, 0, &cell);
	return cell.kind == CELL_SHARE ? cell.real : 0;
}

/* Draws the keys of a hierarchy's row, indented by its level. */
static void draw_level(struct rows_view *v, const struct visible_row *row, struct pen *pen)
{
	bool first = true;

	pen_repeat(pen, INK_PLAIN, ' ', row->row.level * INDENT);
	for (u32 i = 0; i < v->page->rows->nr_columns; i++) {
		struct rows_column c = column_of(v, i);
		const char *text;

		if (c.value || c.level != row->row.level)
			continue;
		pen_text(pen, INK_PLAIN, first ? "" : "  ");
		text = rows_view_text(v, row->row, i, 0);
		pen_fit(pen, INK_PLAIN, text,
			MIN(text_columns(text, strlen(text)), pen->to - MIN(pen->to, (u32)pen->at)),
			false);
		first = false;
	}
}

/* Draws the frames of a call tree up to the next fork: "└ 60.00% parse ‹ read ‹ main". */
static void draw_calls(struct rows_view *v, const struct visible_row *row, struct pen *pen)
{
	struct rows *rows = v->page->rows;
	struct rows_calls calls;

	rows->ops->calls(rows, row->row, &calls);
	/* Scroll by columns, as for the rows around it. */
	pen->at -= (s32)(v->left * CALLS_INDENT * 2);
	pen_repeat(pen, INK_PLAIN, ' ', CALLS_INDENT + (row->depth - 1) * INDENT);
	pen_text(pen, INK_ARROW, "└ ");
	pen_printf(pen, ink_of_percent(calls.percent), "%s", calls.value);
	for (u32 i = 0; i < MIN(calls.nr_frames, MAX_FRAMES) && pen->at < (s32)pen->to; i++) {
		pen_text(pen, INK_ARROW, !i ? " " : rows->callers_first ? " › " : " ‹ ");
		g_string_truncate(v->text, 0);
		rows->ops->frame(rows, row->row, i, v->text);
		pen_text(pen, INK_PLAIN, v->text->str);
	}
}

void layout_draw_row(struct rows_view *v, const struct visible_row *row, struct pen *pen)
{
	g_autoptr(GArray) list = NULL;

	if (row->row.kind != ROW_ENTRY) {
		draw_calls(v, row, pen);
		return;
	}
	list = fit(v, pen->to - MIN(pen->to, (u32)pen->at));
	for (u32 i = 0; i < list->len; i++) {
		const struct fitted *f = &g_array_index(list, struct fitted, i);
		u32 bar = bar_width(v, list, pen, i);

		draw_cell(v, row, f, pen);
		pen_repeat(pen, INK_PLAIN, ' ', 2);
		if (!bar)
			continue;
		rows_view_bar(pen, share_of(v, row->row, f->column), bar);
		pen_repeat(pen, INK_PLAIN, ' ', 1);
	}
	if (is_hierarchy(v))
		draw_level(v, row, pen);
}
