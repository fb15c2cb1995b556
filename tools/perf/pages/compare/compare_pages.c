// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/compare/compare_pages.h"

#include <math.h>
#include <stdlib.h>

#include "base/percent.h"
#include "base/table.h"
#include "base/text.h"
#include "pages/base/list_rows.h"
#include "pages/compare/compare_sort.h"
#include "pages/compare/compare_words.h"

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
};

struct compare_column {
	enum what what;
	u32 side; /* or the key */
	char *name, *title;
};

struct compare_pages {
	struct pages pages;
	const struct comparison *c;
	const struct compare_view *view;
	GPtrArray *events; /* const struct compare_event *: those with samples, or one */
};

struct compare_page {
	const struct compare_pages *pages;
	const struct comparison *c;
	const struct compare_view *view;
	const struct compare_event *event;
	GArray *columns; /* struct compare_column */
	GArray *shown;	 /* struct rows_column */
	GPtrArray *rows; /* const struct compare_row *, in order */
	struct compare_row
		*folded; /* the sum of the rows that are folded, as the last one; NULL: none */
	u32 nr_folded;
};

static const struct compare_row *row_at(const struct compare_page *p, u32 line)
{
	return line < p->rows->len ? g_ptr_array_index(p->rows, line) : p->folded;
}

static const struct compare_column *column_at(const struct compare_page *p, u32 i)
{
	return &g_array_index(p->columns, struct compare_column, i);
}

static bool is_on(const struct compare_row *row, u32 side)
{
	return row->sums[side].samples;
}

/* These methods have no number for what the old side has not. */
static bool needs_old(const struct compare_page *p)
{
	return p->view->method == METHOD_RATIO || p->view->method == METHOD_WDIFF;
}

/* Upstream's column is empty for what the new side has not. A share's difference is known all the same. */
static void method_cell(const struct compare_page *p, const struct compare_row *row, u32 side,
			struct cell *out)
{
	double old = (double)row->sums[0].period, now = (double)row->sums[side].period;

	out->kind = CELL_AVERAGE;
	switch (p->view->method) {
	case METHOD_RATIO:
		out->real = old > 0 ? now / old : 0;
		break;
	case METHOD_WDIFF:
		out->real = now * (double)p->view->weight_new - old * (double)p->view->weight_old;
		break;
	default:
		out->real = compare_share(p->event, row, side) - compare_share(p->event, row, 0);
	}
	if (!is_on(row, side) && (p->view->plain || needs_old(p)))
		out->kind = CELL_NONE;
}

/* Percent if values are shares. */
static double shown_value(const struct compare_page *p, double value)
{
	return p->c->options.per == PER_SHARE ? 100 * value : value;
}

/* To the digits that mean something; what follows depends on the mathematical library. */
static double rounded(double value)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];

	return g_ascii_strtod(g_ascii_formatd(text, sizeof(text), "%.6g", value), NULL);
}

static void verdict_cell(const struct compare_page *p, const struct compare_row *row,
			 const struct compare_column *column, struct cell *out)
{
	const struct compare_verdict *v = &row->verdicts[column->side];

	bool sum = row == p->folded;

	out->kind = sum && column->what != WHAT_DIFFERENCE ? CELL_NONE : CELL_AVERAGE;
	if (column->what == WHAT_P)
		out->real = v->p;
	else if (column->what == WHAT_DIFFERENCE)
		out->real = shown_value(p, row->values[column->side] - row->values[0]);
	else if (column->what == WHAT_MARGIN)
		out->real = shown_value(p, v->margin);
	else if (column->what == WHAT_LOW)
		out->real = shown_value(p, v->difference - v->margin);
	else
		out->real = shown_value(p, v->difference + v->margin);
	out->real = rounded(out->real);
}

static void cell(const void *arg, u32 line, u32 i, u32 part, struct cell *out)
{
	const struct compare_page *p = arg;
	const struct compare_row *row = row_at(p, line);
	const struct compare_column *column = column_at(p, i);

	switch (column->what) {
	case WHAT_KEY:
	case WHAT_FORMULA:
	case WHAT_VERDICT:
		return;
	case WHAT_SHARE:
		out->number = row->sums[column->side].period;
		out->real = compare_share(p->event, row, column->side);
		if (!is_on(row, column->side) && !p->view->machine)
			out->kind = CELL_NONE;
		break;
	case WHAT_VALUE:
		out->real = row->values[column->side];
		if (!is_on(row, column->side) && !p->view->machine)
			out->kind = CELL_NONE;
		break;
	case WHAT_PERIOD:
		out->number = row->sums[column->side].period;
		if (column->side && !is_on(row, column->side))
			out->kind = CELL_NONE;
		break;
	case WHAT_SAMPLES:
		out->number = row->sums[column->side].samples;
		break;
	case WHAT_METHOD:
		method_cell(p, row, column->side, out);
		break;
	default:
		verdict_cell(p, row, column, out);
	}
}

static void append_formula(const struct compare_page *p, const struct compare_row *row, u32 side,
			   GString *out)
{
	u64 old = row->sums[0].period, now = row->sums[side].period;
	const struct compare_sum *totals = p->event->totals;

	if (!is_on(row, side) && p->view->plain)
		return;
	if (p->view->method == METHOD_RATIO)
		g_string_append_printf(out, "%" G_GUINT64_FORMAT " / %" G_GUINT64_FORMAT, now, old);
	else if (p->view->method == METHOD_WDIFF)
		g_string_append_printf(out,
				       "(%" G_GUINT64_FORMAT " * %" G_GINT64_FORMAT
				       ") - (%" G_GUINT64_FORMAT " * %" G_GINT64_FORMAT ")",
				       now, p->view->weight_new, old, p->view->weight_old);
	else
		g_string_append_printf(out,
				       "(%" G_GUINT64_FORMAT " * 100 / %" G_GUINT64_FORMAT
				       ") - (%" G_GUINT64_FORMAT " * 100 / %" G_GUINT64_FORMAT ")",
				       now, totals[side].period, old, totals[0].period);
}

static void append_key(const struct compare_page *p, const struct compare_row *row, u32 key,
		       GString *out)
{
	const struct intern *texts = p->c->texts;

	if (row == p->folded) {
		if (!key)
			g_string_append_printf(out, "(within noise: %u more row%s)", p->nr_folded,
					       text_plural(p->nr_folded));
		return;
	}
	g_string_append(out, intern_text(texts, row->texts[key]));
	if (row->old_text && row->moved_key == key && !p->view->machine) {
		g_string_append(out, ", was ");
		compare_append_offset(intern_text(texts, row->old_text), out);
	}
}

static void text(const void *arg, u32 line, u32 i, u32 part, GString *out)
{
	const struct compare_page *p = arg;
	const struct compare_row *row = row_at(p, line);
	const struct compare_column *column = column_at(p, i);

	if (column->what == WHAT_KEY)
		append_key(p, row, column->side, out);
	else if (row == p->folded)
		return;
	else if (column->what == WHAT_FORMULA)
		append_formula(p, row, column->side, out);
	else
		g_string_append(out, compare_verdict_word(row, column->side, p->view->machine));
}

static void append_method(const struct compare_page *p, const struct compare_row *row,
			  const struct cell *cell, GString *out)
{
	if (cell->kind == CELL_NONE)
		return;
	if (needs_old(p) && !is_on(row, 0))
		g_string_append(out, "N/A");
	else if (p->view->method == METHOD_RATIO)
		g_string_append_printf(out, "%.6f", cell->real);
	else if (p->view->method == METHOD_WDIFF)
		g_string_append_printf(out, "%.0f", cell->real);
	else
		g_string_append_printf(out, "%+.2f%%", cell->real);
}

static void number(const void *arg, u32 line, u32 i, const struct cell *cell, GString *out)
{
	const struct compare_page *p = arg;
	enum what what = column_at(p, i)->what;
	bool share = p->c->options.per == PER_SHARE;

	if (what == WHAT_METHOD)
		append_method(p, row_at(p, line), cell, out);
	else if (cell->kind == CELL_NONE)
		return;
	else if (what == WHAT_SHARE)
		g_string_append_printf(out, p->view->separated ? "%.2f" : "%.2f%%", cell->real);
	else if (what == WHAT_PERIOD || what == WHAT_SAMPLES)
		g_string_append_printf(out, "%" G_GUINT64_FORMAT, cell->number);
	else if (what == WHAT_MARGIN && share)
		g_string_append_printf(out, "%.2f", cell->real);
	else {
		if (what == WHAT_DIFFERENCE && cell->real >= 0)
			g_string_append_c(out, '+');
		compare_append_value(p->c, p->event, cell->real, out);
	}
}

static u64 key(const void *arg, u32 line)
{
	const struct compare_page *p = arg;
	const struct compare_row *row = row_at(p, line);
	u64 mixed = row == p->folded;

	for (u32 i = 0; row != p->folded && i < p->c->nr_keys; i++)
		mixed = table_mix(mixed, row->texts[i]);
	return mixed;
}

/* Adds a column; @format has the number of the side behind it, if there are more than two. */
static void add(struct compare_page *p, enum what what, u32 side, const char *name,
		const char *title, enum cell_kind kind, u32 width)
{
	bool many = p->c->options.nr_sides > 2;
	struct compare_column column = { what, side };
	struct rows_column shown = { .kind = kind, .width = width, .value = what != WHAT_KEY };

	/* Upstream's numbers have no blank in front; shares have, and colours. */
	if (what != WHAT_SHARE)
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
	p->nr_folded++;
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

static void fill_rows(struct compare_page *p)
{
	g_autoptr(GPtrArray) all = compare_sorted(p->c, p->event, p->view);
	u32 nr_small = 0;

	for (u32 i = 0; i < all->len; i++)
		nr_small += is_small(p, all->pdata[i]);
	for (u32 i = 0; i < all->len; i++) {
		if (nr_small > 1 && is_small(p, all->pdata[i]))
			add_to_folded(p, all->pdata[i]);
		else
			g_ptr_array_add(p->rows, all->pdata[i]);
	}
}

static void page_free_own(void *arg)
{
	struct compare_page *p = arg;

	for (u32 i = 0; i < p->columns->len; i++) {
		g_free(column_at(p, i)->name);
		g_free(column_at(p, i)->title);
	}
	g_array_unref(p->columns);
	g_array_unref(p->shown);
	g_ptr_array_unref(p->rows);
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
	static const struct list_ops ops = { cell, text, key, number };
	const struct compare_pages *c = container_of(pages, struct compare_pages, pages);
	struct compare_page *p = g_new0(struct compare_page, 1);
	struct page *page;

	p->pages = c;
	p->c = c->c;
	p->view = c->view;
	p->event = g_ptr_array_index(c->events, i);
	p->columns = g_array_new(FALSE, FALSE, sizeof(struct compare_column));
	p->shown = g_array_new(FALSE, FALSE, sizeof(struct rows_column));
	p->rows = g_ptr_array_new();
	if (p->view->machine)
		add_machine_columns(p);
	else
		add_columns(p);
	fill_rows(p);
	page = page_new(g_strdup(p->event->name));
	page->own = p;
	page->free_own = page_free_own;
	compare_add_notes(&page->notes, p->c, p->event, p->view);
	page->rows = list_rows_new((const struct rows_column *)(const void *)p->shown->data,
				   p->shown->len, &ops, p);
	for (u32 k = 0; k < p->rows->len + !!p->folded; k++)
		list_rows_add(page->rows, LIST_TOP);
	return page;
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
