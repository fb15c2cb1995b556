// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/compare/compare_sort.h"

#include <math.h>
#include <string.h>

#include "base/percent.h"

double compare_share(const struct compare_event *event, const struct compare_row *row, u32 side)
{
	return percent_of(row->sums[side].period, event->totals[side].period);
}

/* A row with the numbers that it is sorted by; larger ones stand first. */
struct sorted_row {
	const struct compare_row *row;
	const struct comparison *c;
	const struct compare_event *event;
	const struct compare_view *view;
	bool certain, has;
	double number, old;
};

static double method_number(const struct compare_event *event, const struct compare_row *row,
			    const struct compare_view *view, u32 side)
{
	double old = (double)row->sums[0].period, now = (double)row->sums[side].period;
	double delta = compare_share(event, row, side) - compare_share(event, row, 0);

	switch (view->method) {
	case METHOD_RATIO:
		return old > 0 ? now / old : 0;
	case METHOD_WDIFF:
		if (!row->sums[0].samples)
			return -INFINITY; /* no number: behind all others */
		return now * (double)view->weight_new - old * (double)view->weight_old;
	case METHOD_DELTA:
		return delta;
	default:
		return fabs(delta);
	}
}

static struct sorted_row sorted_of(const struct comparison *c, const struct compare_event *event,
				   const struct compare_view *view, const struct compare_row *row)
{
	bool by_certainty = view->order < 0 && !view->plain;
	struct sorted_row s = { row, c, event, view, .has = true };

	s.old = compare_share(event, row, 0);
	if (!view->order) {
		s.number = s.old;
	} else if (by_certainty && c->options.per != PER_SHARE) {
		s.number = fabs(row->verdicts[1].difference);
	} else {
		u32 side = view->order < 0 ? 1 : (u32)view->order;

		/* As upstream: what the side lacks is last. */
		s.has = by_certainty || row->sums[side].samples;
		s.number = method_number(event, row, view, side);
	}
	s.certain = by_certainty && compare_is_certain(c, row);
	return s;
}

static int falling(double a, double b)
{
	return a > b ? -1 : a < b;
}

/* Rows that are equal so far, by the difference of a side, then by its share. */
static int compare_on(const struct sorted_row *x, const struct sorted_row *y, u32 side)
{
	bool a = x->row->sums[side].samples, b = y->row->sums[side].samples;
	int order;

	if (a != b)
		return a ? -1 : 1;
	order = falling(method_number(x->event, x->row, x->view, side),
			method_number(y->event, y->row, y->view, side));
	return order ? order
		     : falling(compare_share(x->event, x->row, side),
			       compare_share(y->event, y->row, side));
}

static int compare(const void *a, const void *b)
{
	const struct sorted_row *x = a, *y = b;
	int order = 0;

	if (x->certain != y->certain)
		return x->certain ? -1 : 1;
	if (x->has != y->has)
		return x->has ? -1 : 1;
	if (x->has && x->number != y->number)
		return falling(x->number, y->number);
	if (x->old != y->old)
		return falling(x->old, y->old);
	for (u32 s = 1; !order && s < x->c->options.nr_sides; s++)
		order = compare_on(x, y, s);
	for (u32 i = 0; !order && i < x->c->nr_keys; i++)
		order = strcmp(intern_text(x->c->texts, x->row->texts[i]),
			       intern_text(x->c->texts, y->row->texts[i]));
	return order;
}

void compare_sort(const struct comparison *c, const struct compare_event *event,
		  const struct compare_view *view, GPtrArray *rows)
{
	g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(struct sorted_row));

	for (u32 i = 0; i < rows->len; i++) {
		struct sorted_row s = sorted_of(c, event, view, rows->pdata[i]);

		g_array_append_val(list, s);
	}
	g_array_sort(list, compare);
	for (u32 i = 0; i < list->len; i++)
		rows->pdata[i] = (void *)g_array_index(list, struct sorted_row, i).row;
}
