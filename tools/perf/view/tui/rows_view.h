/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A view of rows under a cursor: what the report, the lists and the annotated code have in common.
 *
 * It scrolls, unfolds, keeps cursor and what is unfolded by the rows' keys, lays out columns that
 * fit the width, and makes texts for the rows on the screen only, however many there are. A view
 * that is one has a struct rows_view as its first member, begins with rows_view_init(), lists
 * rows_view_keys behind its own keys and uses the rows_view_ functions in its ops; struct
 * rows_view_ops says what it draws differently.
 *
 *	static const struct tui_key *const keys[] = { my_keys, rows_view_keys, NULL };
 *	static const struct tui_view_ops my_ops = {
 *		.name = "types", .keys = keys, .title = my_title,
 *		.draw = rows_view_draw, .free = my_free,
 *	};
 *
 * Columns: values keep their width; the least width of a key is KEY_LEAST, and the widest ones are
 * cut first, in the middle of their texts, when all of them do not fit. Where even the least widths
 * do not, columns are left out at the right, which Right and Left scroll to.
 */
#ifndef VIEW_TUI_ROWS_VIEW_H
#define VIEW_TUI_ROWS_VIEW_H

#include "pages/page.h"
#include "pages/visible.h"
#include "view/tui/tui.h"

struct rows_view;

struct rows_view_ops {
	/*
	 * Draws a row right of the fold mark; NULL: its cells in columns. The pen starts after the mark; view->left
	 * is the number of columns scrolled away.
	 */
	void (*draw_row)(struct rows_view *view, const struct visible_row *row, struct pen *pen);
	/* The titles above; NULL: those of the columns. Does not set the bottom line. */
	void (*draw_titles)(struct rows_view *view, struct pen *pen);
	/* Colour of a cell other than a share; NULL: plain. */
	enum ink (*ink)(struct rows_view *view, const struct visible_row *row, u32 column);
	/* Enter (and m); NULL: unfolds and folds. */
	void (*enter)(struct rows_view *view, struct tui *tui);
};

struct rows_view {
	struct tui_view view;
	const struct rows_view_ops *ops;
	struct page *page; /* owned */
	struct visible *visible;
	u64 cursor, top; /* positions in visible */
	u32 height;	 /* rows on the screen, as drawn last */
	u32 left;	 /* columns scrolled away */
	u32 nr_fitting;	 /* columns that were drawn */
	s32 sorted;	 /* the column with the mark; -1: none */
	bool upwards;	 /* ... with the smallest one first */
	bool no_titles;
	bool no_bars;
	GArray *widths; /* u32 per column: width of the widest text so far */
	GString *text;	/* for a cell */
};

/* Up, Down, ... + e E C, H, Left, Right, Enter. */
extern const struct tui_key rows_view_keys[];

/* @page is the view's from here on. */
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
/* Unfolds the row, if it has not too many rows. */
void rows_view_unfold(struct rows_view *view);
/* Moves the cursor there, and scrolls to it. */
void rows_view_go(struct rows_view *view, u64 position);

void rows_view_draw(struct tui_view *view, struct screen *screen, u32 top, u32 bottom);

/* The text of a cell, valid until the next call; "" if the row has none. */
const char *rows_view_text(struct rows_view *view, struct row row, u32 column, u32 part);

/* Draws a percentage followed by a bar in eighths, @columns wide. */
void rows_view_bar(struct pen *pen, double percent, u32 columns);

#endif
