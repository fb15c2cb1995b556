/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by compare_pages.c, which chooses rows and columns, and compare_cells.c. */
#ifndef PAGES_COMPARE_PRIVATE_H
#define PAGES_COMPARE_PRIVATE_H

#include "pages/base/list_rows.h"
#include "pages/compare/compare_pages.h"

/* What a column shows; of the sides from 1 on, each has its own. */
enum what {
	WHAT_KEY,
	WHAT_SHARE,   /* of a side */
	WHAT_VALUE,   /* of a side, per something */
	WHAT_PERIOD,  /* of a side */
	WHAT_SAMPLES, /* of a side */
	WHAT_METHOD,  /* delta, ratio, ... */
	WHAT_FORMULA,
	WHAT_DIFFERENCE, /* of values */
	WHAT_MARGIN,
	WHAT_LOW,
	WHAT_HIGH, /* the bounds of the interval */
	WHAT_P,
	WHAT_VERDICT,
	WHAT_BAR, /* the difference as a bar to the left or to the right */
};

struct compare_column {
	enum what what;
	u32 side; /* or the key */
	char *name, *title;
};

struct compare_page {
	const struct comparison *c;
	const struct compare_view *view;
	const struct compare_event *event;
	GArray *columns; /* struct compare_column */
	GArray *shown;	 /* struct rows_column */
	GPtrArray *rows; /* const struct compare_row *, in order */
	struct compare_row
		*folded; /* the sum of the rows that are folded, as the last one; NULL: none */
	GPtrArray *
		small; /* const struct compare_row *: they, for a browser, in which they can be unfolded */
	double largest; /* of all differences: of bars */
};

extern const struct list_ops compare_cells;

/* The row in a line of the list, see list_rows.h. */
const struct compare_row *compare_line(const struct compare_page *p, u32 line);
/* The number by which rows are sorted by a column that shows one; larger ones stand first. */
double compare_number(const struct compare_page *p, const struct compare_row *row,
		      const struct compare_column *column);
/* The text of a key. */
void compare_append_key(const struct compare_page *p, const struct compare_row *row, u32 key,
			GString *out);

static inline const struct compare_column *compare_column_at(const struct compare_page *p, u32 i)
{
	return &g_array_index(p->columns, struct compare_column, i);
}

#endif
