// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/compare/compare_pages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pages/compare/compare_private.h"
#include "pages/compare/compare_sort.h"
#include "pages/compare/compare_words.h"

struct compare_pages {
	struct pages pages;
	const struct comparison *c;
	const struct compare_view *view;
	GPtrArray *events; /* const struct compare_event *: those with samples, or one */
};

/* Adds a column; @format has the number of the side behind it, if there are more than two. */
static void add(struct compare_page *p, enum what what, u32 side, const char *name,
		const char *title, enum cell_kind kind, u32 width)
{
	bool many = p->c->options.nr_sides > 2;
	struct compare_column column = { what, side };
	struct rows_column shown = { .kind = kind, .width = width, .value = what != WHAT_KEY };

	/* Upstream's numbers have no blank in front; shares have, and colours. A browser keeps the width of values. */
	if (what != WHAT_SHARE && !p->view->browser)
		shown.value = false;
	shown.right = shown.right_title = what != WHAT_KEY && what != WHAT_VERDICT;
	column.title = many && what != WHAT_KEY ? g_strdup_printf("%s/%u", title, side)
						: g_strdup(title);
	column.name = many && what != WHAT_KEY ? g_strdup_printf("%s_%u", name, side)
					       : g_strdup(name);
	shown.name = column.name;
	shown.title = column.title;
	shown.unit = what == WHAT_SAMPLES ? "samples" : NULL;
	g_array_append_val(p->columns, column);
	g_array_append_val(p->shown, shown);
}

static void add_keys(struct compare_page *p)
{
	for (u32 i = 0; i < p->c->nr_keys; i++) {
		const struct field *field = g_ptr_array_index(p->c->options.keys, i);

		add(p, WHAT_KEY, i, field->name, field->header, CELL_TEXT, field->width);
		g_array_index(p->shown, struct rows_column, p->shown->len - 1).loose = field->loose;
	}
}

static void add_machine_columns(struct compare_page *p)
{
	u32 nr_sides = p->c->options.nr_sides;

	for (u32 s = 0; s < nr_sides; s++) {
		const char *const *n = (const char *const[]){ "old", "old_samples", "old_value" };
		const char *const *m = (const char *const[]){ "new", "new_samples", "new_value" };

		n = s ? m : n;
		add(p, WHAT_SHARE, s, n[0], s ? "New" : "Old", CELL_SHARE, 0);
		add(p, WHAT_SAMPLES, s, n[1], s ? "New samples" : "Old samples", CELL_COUNT, 0);
		if (p->c->options.per != PER_SHARE)
			add(p, WHAT_VALUE, s, n[2], s ? "New value" : "Old value", CELL_AVERAGE, 0);
		if (!s)
			continue;
		add(p, WHAT_DIFFERENCE, s, "difference", "Difference", CELL_AVERAGE, 0);
		add(p, WHAT_LOW, s, "low", "Low", CELL_AVERAGE, 0);
		add(p, WHAT_HIGH, s, "high", "High", CELL_AVERAGE, 0);
		add(p, WHAT_P, s, "p", "p", CELL_AVERAGE, 0);
		add(p, WHAT_VERDICT, s, "verdict", "Verdict", CELL_TEXT, 0);
	}
	add_keys(p);
}

/* Upstream's title and width of each method's column. */
static const struct {
	const char *name, *title;
	u32 width;
} methods[METHOD_NR] = {
	[METHOD_DELTA] = { "delta", "Delta", 7 },
	[METHOD_DELTA_ABS] = { "delta-abs", "Delta Abs", 9 },
	[METHOD_RATIO] = { "ratio", "Ratio", 14 },
	[METHOD_WDIFF] = { "wdiff", "Weighted diff", 14 },
};

const char *compare_method_name(enum compare_method method)
{
	return methods[method].name;
}

static void add_columns(struct compare_page *p)
{
	const struct compare_view *v = p->view;
	bool share = p->c->options.per == PER_SHARE;

	add(p, share ? WHAT_SHARE : WHAT_VALUE, 0, "baseline", share ? "Baseline" : "Before",
	    share ? CELL_SHARE : CELL_AVERAGE, share ? 8 : 9);
	if (v->period)
		add(p, WHAT_PERIOD, 0, "base_period", "Base period", CELL_COUNT, 14);
	for (u32 s = 1; s < p->c->options.nr_sides; s++) {
		if (share) {
			add(p, WHAT_METHOD, s, methods[v->method].name, methods[v->method].title,
			    CELL_AVERAGE, methods[v->method].width);
		} else {
			add(p, WHAT_VALUE, s, "after", "After", CELL_AVERAGE, 9);
			add(p, WHAT_DIFFERENCE, s, "difference", "Change", CELL_AVERAGE, 10);
		}
		if (v->formula && share)
			add(p, WHAT_FORMULA, s, "formula", "Formula", CELL_TEXT, 70);
		if (v->period)
			add(p, WHAT_PERIOD, s, "period", "Period", CELL_COUNT, 14);
		if (v->plain)
			continue;
		add(p, WHAT_MARGIN, s, "margin", "+-95%", CELL_AVERAGE, share ? 6 : 9);
		add(p, WHAT_VERDICT, s, "verdict", "Verdict", CELL_TEXT, 7);
	}
	add_keys(p);
}

/* A bar also says what is certain. */
static void add_browser_columns(struct compare_page *p)
{
	bool share = p->c->options.per == PER_SHARE;
	enum what what = share ? WHAT_SHARE : WHAT_VALUE;
	enum cell_kind kind = share ? CELL_SHARE : CELL_AVERAGE;

	add(p, what, 0, "before", "Before", kind, 7);
	for (u32 s = 1; s < p->c->options.nr_sides; s++) {
		add(p, what, s, "after", "After", kind, 7);
		add(p, WHAT_DIFFERENCE, s, "change", "Change", CELL_AVERAGE, 7);
		add(p, WHAT_MARGIN, s, "margin", "+-95%", CELL_AVERAGE, 6);
		add(p, WHAT_BAR, s, "bar", "less│more", CELL_TEXT, 9);
	}
	add_keys(p);
}

static void add_to_folded(struct compare_page *p, const struct compare_row *row)
{
	u32 nr_sides = p->c->options.nr_sides;

	if (!p->folded) {
		p->folded = g_new0(struct compare_row, 1);
		p->folded->sums = g_new0(struct compare_sum, nr_sides);
		p->folded->values = g_new0(double, nr_sides);
		p->folded->verdicts = g_new0(struct compare_verdict, nr_sides);
	}
	for (u32 s = 0; s < nr_sides; s++) {
		p->folded->sums[s].period += row->sums[s].period;
		p->folded->sums[s].samples += row->sums[s].samples;
		p->folded->values[s] += row->values[s];
	}
}

/* Small rows within noise; never a single one, which needs no row of its own to be replaced. */
static bool is_small(const struct compare_page *p, const struct compare_row *row)
{
	bool large = p->view->plain || p->view->all || p->view->machine;

	for (u32 s = 0; s < p->c->options.nr_sides; s++)
		large |= row->verdicts[s].certain ||
			 compare_share(p->event, row, s) >= p->view->least;
	return !large;
}

struct order {
	const struct compare_page *page;
	const struct compare_column *column;
};

static int compare_by_column(const void *a, const void *b, void *arg)
{
	const struct compare_row *x = *(const struct compare_row *const *)a;
	const struct compare_row *y = *(const struct compare_row *const *)b;
	const struct order *o = arg;
	g_autoptr(GString) first = NULL, second = NULL;
	double p, q;

	if (o->column->what != WHAT_KEY) {
		p = compare_number(o->page, x, o->column);
		q = compare_number(o->page, y, o->column);
		return p > q ? -1 : p < q;
	}
	first = g_string_new(NULL);
	second = g_string_new(NULL);
	compare_append_key(o->page, x, o->column->side, first);
	compare_append_key(o->page, y, o->column->side, second);
	return strcmp(first->str, second->str);
}

/* Rows that are equal in the column keep their order. The order of bars is that of the rows without this. */
static void sort_by_column(struct compare_page *p, GPtrArray *rows)
{
	for (u32 i = 0; p->view->first && i < p->columns->len; i++) {
		struct order order = { p, compare_column_at(p, i) };

		if (!strcmp(order.column->name, p->view->first) && order.column->what != WHAT_BAR)
			g_ptr_array_sort_with_data(rows, compare_by_column, &order);
	}
}

static bool is_on_both(const struct compare_row *row, u32 nr_sides)
{
	bool found = false;

	for (u32 s = 1; s < nr_sides; s++)
		found |= row->sums[s].samples > 0;
	return found && row->sums[0].samples;
}

static void choose_row(struct compare_page *p, const struct compare_row *row)
{
	u32 nr_sides = p->c->options.nr_sides;

	if (p->view->old_only && !is_on_both(row, nr_sides))
		return;
	for (u32 s = 1; s < nr_sides; s++)
		p->largest = MAX(p->largest, fabs(row->verdicts[s].difference));
	g_ptr_array_add(is_small(p, row) ? p->small : p->rows, (void *)row);
}

static void sort_rows(struct compare_page *p, GPtrArray *rows)
{
	compare_sort(p->c, p->event, p->view, rows);
	sort_by_column(p, rows);
}

/* Most rows of a long list are small, and text shows only their sum: they are not sorted for it. */
static void fill_rows(struct compare_page *p)
{
	for (u32 i = 0; i < p->event->rows->len; i++)
		choose_row(p, compare_row_at(p->event, i));
	if (p->small->len == 1)
		g_ptr_array_add(p->rows, g_ptr_array_steal_index(p->small, 0));
	sort_rows(p, p->rows);
	if (p->view->browser)
		sort_rows(p, p->small);
	for (u32 i = 0; i < p->small->len; i++)
		add_to_folded(p, p->small->pdata[i]);
}

static void page_free_own(void *arg)
{
	struct compare_page *p = arg;

	for (u32 i = 0; i < p->columns->len; i++) {
		g_free(compare_column_at(p, i)->name);
		g_free(compare_column_at(p, i)->title);
	}
	g_array_unref(p->columns);
	g_array_unref(p->shown);
	g_ptr_array_unref(p->rows);
	g_ptr_array_unref(p->small);
	if (p->folded) {
		g_free(p->folded->sums);
		g_free(p->folded->values);
		g_free(p->folded->verdicts);
		g_free(p->folded);
	}
	g_free(p);
}

static struct page *open_page(struct pages *pages, u32 i)
{
	const struct compare_pages *c = container_of(pages, struct compare_pages, pages);
	struct compare_page *p = g_new0(struct compare_page, 1);
	struct page *page;

	p->c = c->c;
	p->view = c->view;
	p->event = g_ptr_array_index(c->events, i);
	p->columns = g_array_new(FALSE, FALSE, sizeof(struct compare_column));
	p->shown = g_array_new(FALSE, FALSE, sizeof(struct rows_column));
	p->rows = g_ptr_array_new();
	p->small = g_ptr_array_new();
	if (p->view->machine)
		add_machine_columns(p);
	else if (p->view->browser)
		add_browser_columns(p);
	else
		add_columns(p);
	fill_rows(p);
	page = page_new(g_strdup(p->event->name));
	page->own = p;
	page->free_own = page_free_own;
	compare_add_notes(&page->notes, p->c, p->event, p->view);
	page->rows = list_rows_new((const struct rows_column *)(const void *)p->shown->data,
				   p->shown->len, &compare_cells, p);
	for (u32 k = 0; k < p->rows->len + !!p->folded; k++)
		list_rows_add(page->rows, LIST_TOP);
	for (u32 k = 0; p->view->browser && k < p->small->len; k++)
		list_rows_add(page->rows, p->rows->len);
	return page;
}

const struct compare_event *compare_pages_event(const struct pages *pages, u32 i)
{
	return container_of(pages, struct compare_pages, pages)->events->pdata[i];
}

const struct compare_row *compare_page_row(const struct page *page, struct row row)
{
	const struct compare_page *p = page->own;
	const struct compare_row *at = compare_line(p, list_rows_line(row));

	return at == p->folded ? NULL : at;
}

static void pages_free_own(struct pages *pages)
{
	struct compare_pages *c = container_of(pages, struct compare_pages, pages);

	g_ptr_array_unref(c->events);
	pages_release(pages);
	g_free(c);
}

struct pages *compare_pages_new(const struct comparison *c, const struct compare_view *view)
{
	static const struct pages_ops ops = { .open = open_page, .free = pages_free_own };
	struct compare_pages *p = g_new0(struct compare_pages, 1);

	pages_init(&p->pages, &ops, "diff", "difference");
	p->c = c;
	p->view = view;
	p->events = g_ptr_array_new();
	for (u32 i = 0; i < c->events->len; i++)
		if (((const struct compare_event *)c->events->pdata[i])->rows->len)
			g_ptr_array_add(p->events, c->events->pdata[i]);
	if (!p->events->len && c->events->len)
		g_ptr_array_add(p->events, c->events->pdata[0]);
	p->pages.nr = p->events->len;
	return &p->pages;
}
