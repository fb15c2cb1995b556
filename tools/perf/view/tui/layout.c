// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/tui/layout.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "view/tui/elided.h"

#define KEY_LEAST     12 /* least width of a key, if its texts need it */
#define BESIDE_LEAST  8	 /* ... if there is a symbol, too */
#define DULL_LEAST    4	 /* ... of a key that is nearly always the same */
#define DULL_PERCENT  90 /* such a key has the same text in this share of the rows */
#define SYMBOL_WEIGHT 2	 /* symbols may be this many times as wide as other keys that are cut */
#define LAST_LEAST    6	 /* least width of the last shown column */
#define BAR_WIDTH     10
#define BAR_ROOM      98 /* rows with this width have bars */
#define INDENT	      2	 /* of a row below another row */
#define CALLS_INDENT  8
#define MEASURED_ROWS 300  /* also a limit for the rows on a screen */
#define COMPARED_ROWS 5000 /* of these rows it is known whether a key is the same in all */
#define USUAL_PERCENT 90   /* this share of the texts fits into the usual width */
#define MAX_FRAMES    256  /* limit of drawn frames per row: no screen is wider */

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

static struct column_look *look_of(const struct rows_view *v, u32 column)
{
	return &g_array_index(v->columns, struct column_look, column);
}

static u32 width_of(const struct rows_view *v, u32 column)
{
	return look_of(v, column)->width;
}

static void widen(struct rows_view *v, u32 column, u32 width)
{
	look_of(v, column)->width = MAX(width_of(v, column), width);
}

void layout_forget(struct rows_view *v)
{
	g_array_set_size(v->columns, 0);
	g_array_set_size(v->columns, v->page->rows->nr_columns);
	v->nr_measured_of = 0;
}

bool layout_follow(struct rows_view *v)
{
	GString *names = g_string_new(NULL);
	bool others;

	for (u32 i = 0; i < v->page->rows->nr_columns; i++)
		g_string_append_printf(names, "%s,", column_of(v, i).name);
	others = g_strcmp0(names->str, v->columns_names) != 0;
	g_free(v->columns_names);
	v->columns_names = g_string_free(names, FALSE);
	v->nr_measured_of = 0;
	if (others)
		layout_forget(v);
	return others;
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

/* Columns for the mark of the order. If it can move, all titles have room for it, so another order moves nothing. */
static u32 mark_width(const struct rows_view *v, u32 i)
{
	return v->can_sort || v->sorted == (s32)i;
}

static int compare_widths(const void *a, const void *b)
{
	const u32 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void measure_cells(struct rows_view *v, u32 i, const struct rows_column *c,
			  const struct visible_row *rows, u32 nr)
{
	struct column_look *look = look_of(v, i);
	u32 widths[MEASURED_ROWS], nr_widths = 0;

	for (u32 k = 0; k < nr; k++)
		if (rows[k].row.kind == ROW_ENTRY && has_column(v, c, rows[k].row))
			widths[nr_widths++] = cell_width(v, rows[k].row, i, c);
	if (!nr_widths)
		return;
	qsort(widths, nr_widths, sizeof(*widths), compare_widths);
	widen(v, i, widths[nr_widths - 1]);
	look->usual = MAX(look->usual, widths[(nr_widths - 1) * USUAL_PERCENT / 100]);
}

/* Does a row behind the first ones have another text? Of many rows, the last ones are not looked at: they may. */
static bool varies_below(struct rows_view *v, u32 i, const char *first)
{
	struct visible_row rows[MEASURED_ROWS];
	u64 nr = visible_nr(v->visible), at = MEASURED_ROWS;

	while (at < MIN(nr, COMPARED_ROWS)) {
		u32 got = visible_window(v->visible, at, rows, MEASURED_ROWS);

		for (u32 k = 0; k < got; k++)
			if (rows[k].row.kind == ROW_ENTRY &&
			    strcmp(rows_view_text(v, rows[k].row, i, 0), first) != 0)
				return true;
		at += MAX(got, 1);
	}
	return nr > COMPARED_ROWS;
}

/* Is it what the rows are about, a symbol or else the first key? A single row is not without it. */
static bool is_subject(const struct rows_view *v, u32 i)
{
	s32 symbol = rows_find_column(v->page->rows, "symbol");
	u32 first = 0;

	while (first < i && column_of(v, first).value)
		first++;
	return symbol < 0 ? first == i : i == (u32)symbol;
}

/* Is the text of a key the same in all rows, or in nearly all of the first ones? */
static void compare_cells(struct rows_view *v, u32 i, const struct visible_row *rows, u32 nr)
{
	struct column_look *look = look_of(v, i);
	g_autofree char *first = NULL;
	u32 same = 0, all = 0;

	for (u32 k = 0; k < nr; k++) {
		const char *text;

		if (rows[k].row.kind != ROW_ENTRY)
			continue;
		text = rows_view_text(v, rows[k].row, i, 0);
		if (!first)
			first = g_strdup(text);
		same += !strcmp(text, first);
		all++;
	}
	look->varies |= same < all || (all < 2 && is_subject(v, i)) || varies_below(v, i, first);
	look->tells |= same * 100 < all * DULL_PERCENT || all < 2;
}

/* Measures the titles and the first rows, once. */
static void measure_first(struct rows_view *v, struct visible_row *rows)
{
	u32 nr = visible_window(v->visible, 0, rows, MEASURED_ROWS);

	for (u32 i = 0; i < v->page->rows->nr_columns; i++) {
		struct rows_column c = column_of(v, i);

		if (c.value) { /* a row with "100.00%" must not move the others */
			widen(v, i,
			      MAX(c.kind == CELL_SHARE ? 7 : c.width,
				  title_width(&c) / MAX(c.nr_parts, 1)));
			continue;
		}
		widen(v, i, title_width(&c) + mark_width(v, i));
		measure_cells(v, i, &c, rows, nr);
		compare_cells(v, i, rows, nr);
	}
}

/* In the rows on the screen, values are always measured, because a number is never cut; keys if rows were unfolded. */
static void measure_texts(struct rows_view *v)
{
	struct visible_row rows[MEASURED_ROWS];
	bool unfolded = v->nr_measured_of != visible_nr(v->visible);
	u32 nr;

	if (!v->nr_measured_of)
		measure_first(v, rows);
	v->nr_measured_of = visible_nr(v->visible);
	nr = visible_window(v->visible, v->top, rows, MIN(v->height, MEASURED_ROWS));
	for (u32 i = 0; i < v->page->rows->nr_columns; i++) {
		struct rows_column c = column_of(v, i);

		if (c.value || unfolded)
			measure_cells(v, i, &c, rows, nr);
	}
}

/* Width of a column with all its parts. */
static u32 whole_width(const struct rows_view *v, u32 i, const struct rows_column *c)
{
	u32 parts = MAX(c->nr_parts, 1);
	u32 width = (width_of(v, i) + 1) * parts - 1;

	return MAX(width, c->value ? title_width(c) + mark_width(v, i) : 0);
}

struct fitted {
	u32 column;
	u32 width;
	bool flexible; /* a key: it may be cut */
	bool dull;     /* ... before others: it is the same in nearly all rows */
	u32 usual;     /* cut to it before others are cut further */
	u32 least;
	u32 weight;
};

static struct fitted fitted_of(const struct rows_view *v, u32 i, const struct rows_column *c)
{
	bool symbol = !strcmp(c->name, "symbol"), dull = !c->value && !look_of(v, i)->tells;
	bool beside = !symbol && rows_find_column(v->page->rows, "symbol") >= 0;
	u32 least = dull ? DULL_LEAST : beside ? BESIDE_LEAST : KEY_LEAST;

	return (struct fitted){
		.column = i,
		.width = whole_width(v, i, c),
		.flexible = !c->value,
		.dull = dull,
		.usual = c->value ? UINT32_MAX : MAX(look_of(v, i)->usual, title_width(c)),
		.least = c->value ? UINT32_MAX : least,
		.weight = symbol ? SYMBOL_WEIGHT : 1,
	};
}

/* The columns that are shown, from the left one on. The first value is always shown. */
static GArray *columns_shown(const struct rows_view *v)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(struct fitted));

	for (u32 i = 0; i < v->page->rows->nr_columns; i++) {
		struct rows_column c = column_of(v, i);
		struct fitted f = fitted_of(v, i, &c);

		if (i && i <= v->left)
			continue;
		if (!is_hierarchy(v) || c.value)
			g_array_append_val(list, f);
	}
	return list;
}

enum widths { WIDTHS_WHOLE, WIDTHS_USUAL, WIDTHS_LEAST };

static u32 sum_of(const GArray *list, enum widths widths)
{
	u32 sum = 0;

	for (u32 i = 0; i < list->len; i++) {
		const struct fitted *f = &g_array_index(list, struct fitted, i);

		sum += 2 + (widths == WIDTHS_LEAST   ? MIN(f->width, f->least)
			    : widths == WIDTHS_USUAL ? MIN(f->width, f->usual)
						     : f->width);
	}
	return sum;
}

/* Does @a yield before @b? */
static bool yields(const struct fitted *a, const struct fitted *b)
{
	if ((a->width > a->usual) != (b->width > b->usual))
		return a->width > a->usual;
	if (a->dull != b->dull)
		return a->dull;
	return a->width * b->weight >= b->width * a->weight;
}

/* Cuts the widest keys until all columns fit. */
static void cut_widest(GArray *list, u32 width)
{
	while (sum_of(list, WIDTHS_WHOLE) > width + 2) {
		struct fitted *widest = NULL;

		for (u32 i = 0; i < list->len; i++) {
			struct fitted *f = &g_array_index(list, struct fitted, i);

			if (f->width > f->least && (!widest || yields(f, widest)))
				widest = f;
		}
		if (!widest)
			break;
		widest->width--;
	}
}

/* Is it a key with the same text in all rows? One key is always shown. */
static bool is_constant(const struct rows_view *v, const GArray *list, u32 i)
{
	const struct fitted *f = &g_array_index(list, struct fitted, i);
	u32 others = 0;

	for (u32 k = 0; k < list->len; k++)
		others += k != i && g_array_index(list, struct fitted, k).flexible;
	return f->flexible && others && !look_of(v, f->column)->varies;
}

/* Removes constant columns, from the right on, until all columns fit. */
static void drop_constants(const struct rows_view *v, GArray *list, u32 width)
{
	for (u32 i = list->len; i-- && sum_of(list, WIDTHS_WHOLE) > width + 2;)
		if (is_constant(v, list, i))
			g_array_remove_index(list, i);
}

/* Removes columns on the right until all fit, if they are cut as far as they can. A key may get what is left. */
static void drop_last(GArray *list, u32 width)
{
	while (list->len > 1 && sum_of(list, WIDTHS_LEAST) > width + 2) {
		struct fitted last = g_array_index(list, struct fitted, list->len - 1);

		g_array_set_size(list, list->len - 1);
		if (sum_of(list, WIDTHS_LEAST) + LAST_LEAST > width || !last.flexible)
			continue;
		last.width = width - sum_of(list, WIDTHS_LEAST);
		g_array_append_val(list, last);
		break;
	}
}

/* The width of the bar after the first column: only if that is a single share, and there is room. */
static u32 bar_width(const struct rows_view *v, const GArray *list, u32 width)
{
	struct rows_column c;

	if (v->no_bars || !list->len || width < BAR_ROOM)
		return 0;
	c = column_of(v, g_array_index(list, struct fitted, 0).column);
	return c.kind == CELL_SHARE && c.nr_parts < 2 &&
			       sum_of(list, WIDTHS_USUAL) + BAR_WIDTH + 1 <= width
		       ? BAR_WIDTH
		       : 0;
}

void layout_measure(struct rows_view *v, u32 width)
{
	GArray *list;
	u32 constants;

	measure_texts(v);
	list = columns_shown(v);
	constants = list->len;
	drop_constants(v, list, width);
	constants -= list->len;
	v->bar = bar_width(v, list, width);
	width -= v->bar ? v->bar + 1 : 0;
	drop_last(list, width);
	cut_widest(list, width);
	v->nr_fitting = list->len + constants;
	g_clear_pointer(&v->fitted, g_array_unref);
	v->fitted = list;
}

static const struct fitted *fitted_at(const struct rows_view *v, u32 i)
{
	return &g_array_index(v->fitted, struct fitted, i);
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

/* Titles are cut at their end, but keep the mark of the order. */
static void draw_title(struct rows_view *v, const struct fitted *f, bool last, struct pen *pen)
{
	struct rows_column c = column_of(v, f->column);
	const char *mark = v->sorted != (s32)f->column ? "" : v->upwards ? "▲" : "▼";
	g_autoptr(GString) text = g_string_new(NULL);
	u32 room = f->width - mark_width(v, f->column);

	if (title_width(&c) > room)
		text_append_cut(text, c.title, MAX(room, 1), MAX(room, 1) - 1);
	else
		g_string_append(text, c.title);
	g_string_append(text, mark);
	if (last && !c.value)
		pen_text(pen, INK_HEADING, text->str);
	else
		pen_fit(pen, INK_HEADING, text->str, f->width,
			c.right_title || (c.value && c.nr_parts < 2));
}

/* "Command: orders": what columns without room show in all rows, if there is room behind the titles. */
static void draw_constants(struct rows_view *v, struct pen *pen)
{
	struct visible_row row;
	u32 shown = 0, nr = v->page->rows->nr_columns;
	g_autoptr(GString) text = g_string_new(NULL);

	if (!visible_window(v->visible, 0, &row, 1) || is_hierarchy(v))
		return;
	for (u32 i = MAX(v->left + 1, 1); i < nr; i++) {
		struct rows_column c = column_of(v, i);

		while (shown < v->fitted->len && fitted_at(v, shown)->column < i)
			shown++;
		if (c.value || look_of(v, i)->varies ||
		    (shown < v->fitted->len && fitted_at(v, shown)->column == i))
			continue;
		g_string_append_printf(text, "  %s: %s", c.title, rows_view_text(v, row.row, i, 0));
	}
	if ((u32)pen->at + text_columns(text->str, text->len) > pen->to)
		return;
	pen_move(pen, pen->to - text_columns(text->str, text->len));
	pen_text(pen, INK_FAINT, text->str);
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

/* "›": Right shows more columns. A title that is cut gives room for it. */
static void draw_more(const struct rows_view *v, struct pen *pen)
{
	const struct fitted *last = fitted_at(v, v->fitted->len - 1);
	struct rows_column c = column_of(v, last->column);
	s32 edge = (s32)pen->to - 1;

	if (v->left + v->nr_fitting >= v->page->rows->nr_columns ||
	    (pen->at >= edge && (c.value || title_width(&c) < last->width)))
		return;
	pen_move(pen, (u32)edge);
	pen->at = edge;
	pen_text(pen, INK_ARROW, "›");
}

void layout_draw_titles(struct rows_view *v, struct pen *pen)
{
	u32 nr = v->fitted->len;

	for (u32 i = 0; i < nr; i++) {
		draw_title(v, fitted_at(v, i), i + 1 == nr, pen);
		if (i + 1 < nr || is_hierarchy(v))
			pen_repeat(pen, INK_PLAIN, ' ', 2 + (v->bar && !i ? v->bar + 1 : 0));
	}
	if (is_hierarchy(v))
		draw_level_titles(v, pen);
	draw_constants(v, pen);
	if (!is_hierarchy(v))
		draw_more(v, pen);
}

static enum ink cell_ink(struct rows_view *v, const struct visible_row *row, u32 column,
			 const struct cell *cell)
{
	if (cell->kind == CELL_SHARE)
		return ink_of_percent(cell->real);
	return v->ops->ink ? v->ops->ink(v, row, column) : INK_PLAIN;
}

void layout_draw_text(struct rows_view *v, u32 column, struct pen *pen, enum ink ink,
		      const char *raw, u32 width, bool right)
{
	struct column_look *look = look_of(v, column);
	g_autofree char *made = text_is_shown(raw) ? NULL : text_shown(raw);
	const char *text = made ?: raw;

	if (width && text_columns(text, strlen(text)) > width) {
		if (!look->elided || elided_columns(look->elided) != width) {
			elided_free(look->elided);
			look->elided = elided_new(width);
		}
		text = elided_text(look->elided, text);
	}
	pen_fit(pen, ink, text, width, right);
}

static void draw_part(struct rows_view *v, const struct visible_row *row, u32 column, u32 part,
		      u32 width, bool right, struct pen *pen)
{
	struct rows *rows = v->page->rows;
	struct cell cell;

	rows->ops->cell(rows, row->row, column, part, &cell);
	layout_draw_text(v, column, pen, cell_ink(v, row, column, &cell),
			 rows_view_text(v, row->row, column, part), width, right);
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
		pen_last(pen, INK_PLAIN, v->text->str);
	}
}

void layout_draw_row(struct rows_view *v, const struct visible_row *row, struct pen *pen)
{
	if (row->row.kind != ROW_ENTRY) {
		draw_calls(v, row, pen);
		return;
	}
	for (u32 i = 0; i < v->fitted->len; i++) {
		const struct fitted *f = fitted_at(v, i);

		draw_cell(v, row, f, pen);
		pen_repeat(pen, INK_PLAIN, ' ', 2);
		if (!v->bar || i)
			continue;
		rows_view_bar(pen, share_of(v, row->row, f->column), v->bar);
		pen_repeat(pen, INK_PLAIN, ' ', 1);
	}
	if (is_hierarchy(v))
		draw_level(v, row, pen);
}
