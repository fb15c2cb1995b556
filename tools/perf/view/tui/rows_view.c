// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/tui/rows_view.h"

#include "view/tui/elided.h"
#include "view/tui/layout.h"

static struct rows_view *of(struct tui_view *view)
{
	return container_of(view, struct rows_view, view);
}

static void column_clear(void *p)
{
	elided_free(((struct column_look *)p)->elided);
}

void rows_view_init(struct rows_view *v, const struct tui_view_ops *ops,
		    const struct rows_view_ops *rows_ops, struct page *page)
{
	v->view.ops = ops;
	v->ops = rows_ops;
	v->page = page;
	v->visible = visible_new(page->rows);
	v->sorted = -1;
	v->columns = g_array_new(FALSE, TRUE, sizeof(struct column_look));
	g_array_set_clear_func(v->columns, column_clear);
	v->text = g_string_new(NULL);
	layout_follow(v);
}

void rows_view_release(struct rows_view *v)
{
	visible_free(v->visible);
	page_free(v->page);
	g_array_unref(v->columns);
	g_clear_pointer(&v->fitted, g_array_unref);
	g_free(v->columns_names);
	g_string_free(v->text, TRUE);
}

void rows_view_go(struct rows_view *v, u64 position)
{
	u64 nr = visible_nr(v->visible);

	v->cursor = nr ? MIN(position, nr - 1) : 0;
	if (v->cursor < v->top)
		v->top = v->cursor;
	if (v->height && v->cursor >= v->top + v->height)
		v->top = v->cursor - v->height + 1;
	if (v->top + v->height > nr)
		v->top = nr - MIN(nr, v->height);
}

static struct visible_row row_at(const struct rows_view *v, u64 position)
{
	struct visible_row row = { .row = { ROW_NONE } };

	visible_window(v->visible, position, &row, 1);
	return row;
}

struct row rows_view_row(const struct rows_view *v)
{
	return row_at(v, v->cursor).row;
}

struct row rows_view_entry(const struct rows_view *v)
{
	u64 at = v->cursor;
	struct visible_row row = row_at(v, at);

	while (row.row.kind != ROW_ENTRY && row.row.kind != ROW_NONE && at)
		row = row_at(v, --at);
	return row.row;
}

/* Shows the rows of @page. The cursor goes to the row with @key, in the same line of the screen. */
static void follow(struct rows_view *v, struct page *page, u64 key, bool had_row)
{
	u64 below = v->cursor - MIN(v->cursor, v->top);
	s64 found;

	visible_follow(v->visible, page->rows);
	found = had_row ? visible_find(v->visible, key, v->cursor) : -1;
	v->top = found < 0 ? 0 : (u64)found - MIN((u64)found, below);
	rows_view_go(v, found < 0 ? 0 : (u64)found);
}

static u64 cursor_key(const struct rows_view *v, bool *has_row)
{
	struct row row = rows_view_row(v);

	*has_row = row.kind != ROW_NONE;
	return *has_row ? v->page->rows->ops->key(v->page->rows, row) : 0;
}

void rows_view_replace_at(struct rows_view *v, struct page *page, u64 position)
{
	struct page *old = v->page;
	u64 below = v->cursor - MIN(v->cursor, v->top);

	v->page = page;
	visible_free(v->visible);
	v->visible = visible_new(page->rows);
	page_free(old);
	v->top = position - MIN(position, below);
	rows_view_go(v, position);
}

void rows_view_replace(struct rows_view *v, struct page *page)
{
	struct page *old = v->page;
	bool has_row;
	u64 key = cursor_key(v, &has_row);

	v->page = page;
	if (layout_follow(v)) {
		v->sorted = -1;
		v->left = 0;
	}
	follow(v, page, key, has_row);
	page_free(old);
}

void rows_view_refresh(struct rows_view *v, rows_view_change_fn *change, void *arg)
{
	bool has_row;
	u64 key = cursor_key(v, &has_row);

	if (change(v, arg))
		follow(v, v->page, key, has_row);
	layout_forget(v);
}

/* Moving the cursor. */

static void move(struct tui_view *view, struct tui *tui, u32 key)
{
	struct rows_view *v = of(view);
	u64 nr = visible_nr(v->visible), page = MAX(v->height, 2) - 1;

	switch (key) {
	case KEY_UP:
		rows_view_go(v, v->cursor - MIN(v->cursor, 1));
		break;
	case KEY_DOWN:
		rows_view_go(v, v->cursor + 1);
		break;
	case KEY_PAGE_UP:
		rows_view_go(v, v->cursor - MIN(v->cursor, page));
		break;
	case KEY_HOME:
		rows_view_go(v, 0);
		break;
	case KEY_END:
		rows_view_go(v, nr);
		break;
	default:
		rows_view_go(v, v->cursor + page);
		break;
	}
}

static void scroll(struct tui_view *view, struct tui *tui, u32 key)
{
	struct rows_view *v = of(view);

	if (key == KEY_LEFT) {
		v->left -= MIN(v->left, 1);
		return;
	}
	if (v->left + v->nr_fitting < v->page->rows->nr_columns || v->ops->draw_row)
		v->left++;
}

/* Unfolding. */

static void fold_one(struct tui_view *view, struct tui *tui, u32 key)
{
	struct rows_view *v = of(view);

	if (!visible_close(v->visible, v->cursor) && !visible_open(v->visible, v->cursor))
		tui_say(tui, "there is nothing below this row");
	rows_view_go(v, v->cursor);
}

#define MAX_UNFOLDED 100000 /* limit of rows that one key adds */
#define FEW_ROWS     200

#define LOOK_UP 8192 /* rows between two checks for ^C */

/* Unfolds @from and the rows below it, as long as rows of @depth or more follow. */
static void unfold_from(struct rows_view *v, struct tui *tui, u64 from, u32 depth, bool all)
{
	u64 most = visible_nr(v->visible) + MAX_UNFOLDED;

	for (u64 at = from; at < visible_nr(v->visible) && visible_nr(v->visible) < most; at++) {
		struct visible_row row = row_at(v, at);

		if (!all && at > from && row.depth <= depth)
			break;
		if (!row.open)
			visible_open(v->visible, at);
		if (at % LOOK_UP == LOOK_UP - 1 && tui &&
		    !tui_busy(tui, "Unfolding", at, visible_nr(v->visible)))
			break;
	}
}

/* e: unfolds all rows of the cursor's entry, or folds them all. */
static void fold_entry(struct tui_view *view, struct tui *tui, u32 key)
{
	struct rows_view *v = of(view);
	u64 at = visible_entry(v->visible, v->cursor);
	bool was = row_at(v, at).open;

	rows_view_go(v, at);
	if (was)
		visible_close(v->visible, at);
	else
		unfold_from(v, tui, at, 0, false);
	rows_view_go(v, at);
}

static void unfold_all(struct tui_view *view, struct tui *tui, u32 key)
{
	struct rows_view *v = of(view);
	struct row row = rows_view_row(v);
	u64 before = visible_nr(v->visible);
	s64 found;

	if (row.kind == ROW_NONE)
		return;
	unfold_from(v, tui, 0, 0, true);
	if (visible_nr(v->visible) >= before + MAX_UNFOLDED)
		tui_warn(tui, "too many rows: only the first %u were unfolded", MAX_UNFOLDED);
	found = visible_find(v->visible, v->page->rows->ops->key(v->page->rows, row), v->cursor);
	rows_view_go(v, found < 0 ? 0 : (u64)found);
}

void rows_view_unfold(struct rows_view *v)
{
	if (visible_nr(v->visible) < FEW_ROWS)
		unfold_from(v, NULL, 0, 0, true);
}

static void fold_all(struct tui_view *view, struct tui *tui, u32 key)
{
	struct rows_view *v = of(view);
	u64 at = visible_above(v->visible, v->cursor);

	visible_close_all(v->visible);
	rows_view_go(v, at);
}

static void toggle_titles(struct tui_view *view, struct tui *tui, u32 key)
{
	of(view)->no_titles = !of(view)->no_titles;
}

static void enter(struct tui_view *view, struct tui *tui, u32 key)
{
	struct rows_view *v = of(view);

	if (v->ops->enter && visible_nr(v->visible))
		v->ops->enter(v, tui);
	else
		fold_one(view, tui, key);
}

const struct tui_key rows_view_keys[] = {
	{ KEY_UP, 0, NULL, "a row up or down", move },
	{ KEY_DOWN, 0, NULL, NULL, move },
	{ KEY_PAGE_UP, 0, NULL, "a page up or down", move },
	{ KEY_PAGE_DOWN, 0, NULL, NULL, move },
	{ ' ', 0, NULL, NULL, move },
	{ KEY_HOME, 0, NULL, "the first row, the last one", move },
	{ KEY_END, 0, NULL, NULL, move },
	{ KEY_LEFT, 0, NULL, "scroll to columns at the left or right", scroll },
	{ KEY_RIGHT, 0, NULL, NULL, scroll },
	{ KEY_ENTER, 0, NULL, "actions for this row", enter },
	{ 'm', 0, NULL, NULL, enter },
	{ '+', 0, NULL, "unfold or fold this row", fold_one },
	{ 'e', 0, NULL, "unfold or fold all that is below this entry", fold_entry },
	{ 'E', 0, NULL, "unfold all", unfold_all },
	{ 'C', 0, NULL, "fold all", fold_all },
	{ 'H', 0, NULL, "show or hide the columns' titles", toggle_titles },
	{ 0 },
};

/* Drawing. */

#define MARK_WIDTH 2 /* the mark for folded or unfolded, and a blank */
#define SHOWN_ROWS 64

static void draw_mark(struct rows_view *v, const struct visible_row *row, struct pen *pen)
{
	struct rows *rows = v->page->rows;
	bool foldable = row->open || rows->ops->foldable(rows, row->row);

	pen_text(pen, INK_ARROW, row->open ? "▾ " : foldable ? "▸ " : "  ");
}

static void draw_rows(struct rows_view *v, struct screen *screen, u32 top, u32 nr)
{
	struct visible_row run[SHOWN_ROWS];
	u32 drawn = 0;

	while (drawn < nr) {
		u32 got = visible_window(v->visible, v->top + drawn, run,
					 MIN(nr - drawn, SHOWN_ROWS));

		for (u32 i = 0; i < got; i++) {
			struct pen pen = pen_at(screen, top + drawn + i, 0);

			draw_mark(v, &run[i], &pen);
			pen.from = MARK_WIDTH;
			if (v->ops->draw_row)
				v->ops->draw_row(v, &run[i], &pen);
			else
				layout_draw_row(v, &run[i], &pen);
			if (v->top + drawn + i == v->cursor)
				screen_reverse(screen, pen.row, 0, screen_columns(screen));
		}
		drawn += got;
		if (!got)
			break;
	}
}

void rows_view_draw(struct tui_view *view, struct screen *screen, u32 top, u32 bottom)
{
	struct rows_view *v = of(view);
	bool titles = !v->no_titles && bottom > top + 1;
	struct pen pen = pen_at(screen, top, 0);

	v->height = bottom - top - (titles ? 1 : 0);
	rows_view_go(v, v->cursor);
	if (!v->ops->draw_row || !v->ops->draw_titles)
		layout_measure(v, screen_columns(screen) - MIN(MARK_WIDTH, screen_columns(screen)));
	if (titles) {
		pen_move(&pen, MARK_WIDTH);
		if (v->ops->draw_titles)
			v->ops->draw_titles(v, &pen);
		else
			layout_draw_titles(v, &pen);
	}
	if (!visible_nr(v->visible)) {
		pen = pen_at(screen, top + (titles ? 1 : 0), MARK_WIDTH);
		pen_text(&pen, INK_WARNING, "(no rows)");
	}
	draw_rows(v, screen, top + (titles ? 1 : 0), v->height);
}
