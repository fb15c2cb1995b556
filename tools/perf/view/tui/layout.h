/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Layout of columns for rows_view.h. */
#ifndef VIEW_TUI_LAYOUT_H
#define VIEW_TUI_LAYOUT_H

#include "view/tui/rows_view.h"

/* Fits columns into @width, by the rows that are or were on the screen. */
void layout_measure(struct rows_view *view, u32 width);

void layout_draw_titles(struct rows_view *view, struct pen *pen);
void layout_draw_row(struct rows_view *view, const struct visible_row *row, struct pen *pen);

#endif
