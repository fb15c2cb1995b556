/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of a comparison's rows. */
#ifndef PAGES_COMPARE_SORT_H
#define PAGES_COMPARE_SORT_H

#include "pages/compare/compare_pages.h"

/* Puts @rows, const struct compare_row *, in order. */
void compare_sort(const struct comparison *c, const struct compare_event *event,
		  const struct compare_view *view, GPtrArray *rows);

/* The row's share of a side, in percent. */
double compare_share(const struct compare_event *event, const struct compare_row *row, u32 side);

#endif
