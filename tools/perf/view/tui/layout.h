/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Layout of columns for rows_view.h. */
#ifndef VIEW_TUI_LAYOUT_H
#define VIEW_TUI_LAYOUT_H

#include "view/tui/rows_view.h"

/* Other rows are shown. True: they have other columns, so what was known of the columns is forgotten. */
bool layout_follow(struct rows_view *view);
/* The texts have changed: forgets what is known of the columns. */
void layout_forget(struct rows_view *view);

/* Fits columns into @width. Once before titles and rows are drawn, each in this width. */
void layout_measure(struct rows_view *view, u32 width);

void layout_draw_titles(struct rows_view *view, struct pen *pen);
/* Writes @text of @column in @width columns. If it must be cut, it still differs from other texts of the column. */
void layout_draw_text(struct rows_view *view, u32 column, struct pen *pen, enum ink ink,
		      const char *text, u32 width, bool right);
void layout_draw_row(struct rows_view *view, const struct visible_row *row, struct pen *pen);

#endif
