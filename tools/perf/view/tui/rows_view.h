/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A view of rows with a cursor: the common part of the report, the lists and the annotated code.
 *
 * It scrolls, unfolds, keeps the cursor and the unfolded rows by the rows' keys, and fits columns to the width of the
 * screen. It makes texts only for the rows on the screen, and once for the first rows. A view of this kind has a struct rows_view as its first
 * member. It calls rows_view_init(), lists rows_view_keys after its own keys, and has the rows_view_ functions in its
 * ops. A struct rows_view_ops has the functions for what it draws differently.
 *
 *	static const struct tui_key *const keys[] = { my_keys, rows_view_keys, NULL };
 *	static const struct tui_view_ops my_ops = {
 *		.name = "types", .keys = keys, .title = my_title,
 *		.draw = rows_view_draw, .free = my_free,
 *	};
 *
 * Columns with values keep their width. If not all columns fit, these yield, in this order:
 *
 *	1. keys with the same text in all rows: they are not drawn, and the titles end with "Command: orders"
 *	2. keys in the few rows that have longer texts than most others
 *	3. keys with the same text in nearly all rows
 *	4. other keys, the widest first, symbols later
 *	5. columns on the right: they are not drawn; Right and Left scroll to them
 *
 * Texts are cut so that they still differ (elided.h).
 *
 * The widths of keys are those of the first rows, not of the rows on the screen: scrolling, other orders and new samples
 * leave columns where they are.
 */
#ifndef VIEW_TUI_ROWS_VIEW_H
#define VIEW_TUI_ROWS_VIEW_H

#include "pages/base/page.h"
#include "pages/base/visible.h"
#include "view/tui/tui.h"

struct rows_view;

struct rows_view_ops {
	/*
	 * Draws a row right of the fold mark; NULL: its cells in columns. The pen starts after the mark; view->left
	 * is the number of columns scrolled away.
	 */
	void (*draw_row)(struct rows_view *view, const struct visible_row *row, struct pen *pen);
	/* Draws the titles above. NULL: the titles of the columns. It must not set the bottom line. */
	void (*draw_titles)(struct rows_view *view, struct pen *pen);
	/* The colour of a cell that is not a percentage. NULL: plain. */
	enum ink (*ink)(struct rows_view *view, const struct visible_row *row, u32 column);
	/* The action of Enter (and m). NULL: unfolds or folds the row. */
	void (*enter)(struct rows_view *view, struct tui *tui);
};

struct elided;

/* What is known of a column. Widths only grow, and a column that tells rows apart goes on to do so. */
struct column_look {
	u32 width;	       /* of the widest text so far */
	u32 usual;	       /* of a key: most texts fit into it */
	bool varies;	       /* its text is not the same in all rows */
	bool tells;	       /* ... nor in nearly all */
	struct elided *elided; /* its texts that are cut; NULL: none */
};

struct rows_view {
	struct tui_view view;
	const struct rows_view_ops *ops;
	struct page *page; /* owned */
	struct visible *visible;
	u64 cursor, top; /* positions in visible */
	u32 height;	 /* rows on the screen, as drawn last */
	u32 left;	 /* columns scrolled away */
	GArray *fitted;	 /* of layout.c: the columns that are drawn; NULL: not measured yet */
	u32 bar;	 /* width of the bar behind the first of them; 0: none */
	u32 nr_fitting;	 /* their number, and that of the columns that are the same in all rows */
	s32 sorted;	 /* the column with the mark; -1: none */
	bool can_sort;	 /* other columns may get the mark */
	bool upwards;	 /* the smallest value is first */
	bool no_titles;
	bool no_bars;
	GArray *columns;     /* struct column_look: per column */
	char *columns_names; /* of what columns @columns is */
	u64 nr_measured_of; /* the number of visible rows when the keys were measured; 0: not yet */
	GString *text;	    /* for a cell */
};

/* Up, Down, ... + e E C, H, Left, Right, Enter. */
extern const struct tui_key rows_view_keys[];

/* The view takes ownership of @page. */
void rows_view_init(struct rows_view *view, const struct tui_view_ops *ops,
		    const struct rows_view_ops *rows_ops, struct page *page);
void rows_view_release(struct rows_view *view);

/*
 * Replaces the rows by others of the same kind (sorted, filtered or new): cursor and unfolded rows stay, by key, if
 * they still exist.
 */
void rows_view_replace(struct rows_view *view, struct page *page);

/*
 * Replaces the rows: the same columns, all folded, and the cursor at @position, on the same line of the screen.
 */
void rows_view_replace_at(struct rows_view *view, struct page *page, u64 position);

/*
 * Redraws the same rows after @change() has changed their look; it returns true if the set of rows may have changed.
 */
typedef bool rows_view_change_fn(struct rows_view *view, void *arg);
void rows_view_refresh(struct rows_view *view, rows_view_change_fn *change, void *arg);

/* The row under the cursor; kind ROW_NONE: none. */
struct row rows_view_row(const struct rows_view *view);
/* The entry under the cursor; for a call chain, the row above it. */
struct row rows_view_entry(const struct rows_view *view);
/* Unfolds the row, unless it has too many child rows. */
void rows_view_unfold(struct rows_view *view);
/* Moves the cursor to @position, and scrolls to it. */
void rows_view_go(struct rows_view *view, u64 position);

void rows_view_draw(struct tui_view *view, struct screen *screen, u32 top, u32 bottom);

/* The text of a cell, valid until the next call; "" if the row has none. */
const char *rows_view_text(struct rows_view *view, struct row row, u32 column, u32 part);

#endif
