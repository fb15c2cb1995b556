/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pages of a comparison: one per event, with a row for each thing that has samples on a side.
 *
 * For people, columns and their form are those of upstream's perf diff, with the interval and a word about each difference
 * behind it. Rows are sorted by what is certain and large; small rows within noise are one row. For programs
 * (compare_view.machine), each side's share, samples and value and the bounds of the interval are columns.
 */
#ifndef PAGES_COMPARE_PAGES_H
#define PAGES_COMPARE_PAGES_H

#include "compare/compare.h"
#include "pages/base/page.h"

enum compare_method { METHOD_DELTA, METHOD_DELTA_ABS, METHOD_RATIO, METHOD_WDIFF, METHOD_NR };

/* "delta", "delta-abs", ... */
const char *compare_method_name(enum compare_method method);

/* The number of a cell of a browser, for its colour: is a difference certain? */
enum compare_tone { TONE_NONE, TONE_MORE, TONE_LESS };

struct compare_view {
	enum compare_method method;
	s64 weight_old, weight_new; /* METHOD_WDIFF */
	s32 order; /* side by whose difference rows are sorted, 0: by the old side; -1: by certainty */
	bool old_only; /* leave out what the old side has not */
	bool formula, period;
	bool plain; /* exactly upstream's columns and rows */
	bool all;   /* fold nothing */
	bool machine;
	bool browser; /* for a terminal: bars, and what is folded is below its row */
	const char
		*first; /* the name of the column by which rows are sorted; NULL: as @order says */
	bool separated; /* -t: shares have no percent sign, as upstream */
	double least;	/* percent of a side: rows within noise that are smaller are folded */
	char **labels;	/* one per side, ends in NULL: the names of the files */
};

/* The comparison must be judged. It and @view must outlive the pages. */
struct pages *compare_pages_new(const struct comparison *c, const struct compare_view *view);

/* Of such pages: the event of page @i; the row, NULL: the sum of those that are folded. */
const struct compare_event *compare_pages_event(const struct pages *pages, u32 i);
const struct compare_row *compare_page_row(const struct page *page, struct row row);

/* "4.28 us" of a value of @event: a time if the event counts time. */
void compare_append_value(const struct comparison *c, const struct compare_event *event,
			  double value, GString *out);
/* "12.3%": the growth of a value, or "new". */
void compare_append_growth(double old, double now, GString *out);

#endif
