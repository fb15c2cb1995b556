// SPDX-License-Identifier: GPL-2.0-or-later
/* The cells of a comparison: numbers, words and bars of a row. */
#include <math.h>
#include <string.h>

#include "base/table.h"
#include "base/text.h"
#include "pages/compare/compare_private.h"
#include "pages/compare/compare_sort.h"
#include "pages/compare/compare_words.h"

const struct compare_row *compare_line(const struct compare_page *p, u32 line)
{
	u32 nr = p->rows->len;

	if (line < nr)
		return p->rows->pdata[line];
	return line == nr ? p->folded : p->small->pdata[line - nr - 1];
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

static enum compare_tone tone_of(const struct compare_row *row, const struct compare_column *column)
{
	const struct compare_verdict *v = &row->verdicts[column->side];
	bool shows = column->what == WHAT_BAR || column->what == WHAT_DIFFERENCE;

	return !shows || !v->certain ? TONE_NONE : v->difference > 0 ? TONE_MORE : TONE_LESS;
}

static void cell(const void *arg, u32 line, u32 i, u32 part, struct cell *out)
{
	const struct compare_page *p = arg;
	const struct compare_row *row = compare_line(p, line);
	const struct compare_column *column = compare_column_at(p, i);

	if (p->view->browser)
		out->number = tone_of(row, column);
	switch (column->what) {
	case WHAT_KEY:
	case WHAT_FORMULA:
	case WHAT_VERDICT:
	case WHAT_BAR:
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

/* The key that names the folded rows: on a terminal the one that is not left out where room is short. */
static u32 subject_of(const struct compare_page *p)
{
	for (u32 i = 0; p->view->browser && i < p->c->nr_keys; i++)
		if (!strcmp(((const struct field *)p->c->options.keys->pdata[i])->name, "symbol"))
			return i;
	return 0;
}

/* ", was +0x10": where it was in the old recording. */
static void append_old(const struct compare_page *p, const struct compare_row *row, GString *out)
{
	const char *text = intern_text(p->c->texts, row->old_text);
	const char *file = strrchr(text, '(');

	g_string_append(out, ", was ");
	if (row->moved == MOVED_MEMBER)
		compare_append_offset(text, out);
	else if (row->moved == MOVED_LINE)
		g_string_append(out, text);
	else
		g_string_append_len(out, file + 1, (gssize)strlen(file) - 2);
}

void compare_append_key(const struct compare_page *p, const struct compare_row *row, u32 key,
			GString *out)
{
	const struct intern *texts = p->c->texts;

	if (row == p->folded) {
		if (key == subject_of(p))
			g_string_append_printf(out,
					       p->view->browser ? "(%u row%s within noise)"
								: "(within noise: %u more row%s)",
					       p->small->len, text_plural(p->small->len));
		return;
	}
	g_string_append(out, intern_text(texts, row->texts[key]));
	if (row->old_text && row->moved_key == key && !p->view->machine)
		append_old(p, row, out);
}

#define BAR_HALF 4 /* columns of a bar on each side */

static void append_times(GString *out, const char *block, u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		g_string_append(out, block);
}

/* A bar that grows to the right, with an eighth of a column as the smallest part; to the left, with a half. */
static void append_solid(GString *out, u32 eighths, bool left)
{
	u32 whole = eighths / 8, half = eighths % 8 >= 4, part = left ? half : eighths % 8 > 0;

	append_times(out, " ", left ? BAR_HALF - whole - part : 0);
	if (left && part)
		g_string_append(out, "▐");
	append_times(out, "█", whole);
	if (!left && part)
		g_string_append_unichar(out, 0x2590 - eighths % 8); /* 0x258f is one eighth */
	append_times(out, " ", left ? 0 : BAR_HALF - whole - part);
}

static void append_shade(GString *out, u32 eighths, bool left)
{
	u32 whole = (eighths + 4) / 8;

	append_times(out, " ", left ? BAR_HALF - whole : 0);
	append_times(out, "░", whole);
	append_times(out, " ", left ? 0 : BAR_HALF - whole);
}

/* "   ▐│    " or "    │██▌  ": less to the left, more to the right. What is within noise is a shade: "    │░   ". */
static void append_bar(const struct compare_page *p, const struct compare_row *row, u32 side,
		       GString *out)
{
	const struct compare_verdict *v = &row->verdicts[side];
	double part = p->largest > 0 ? v->difference / p->largest : 0;
	u32 eighths = (u32)(fabs(part) * BAR_HALF * 8 + 0.5);
	bool left = part < 0;

	append_times(out, " ", left ? 0 : BAR_HALF);
	g_string_append(out, left ? "" : "│");
	if (v->certain)
		append_solid(out, eighths, left);
	else
		append_shade(out, eighths, left);
	g_string_append(out, left ? "│" : "");
	append_times(out, " ", left ? BAR_HALF : 0);
}

static void text(const void *arg, u32 line, u32 i, u32 part, GString *out)
{
	const struct compare_page *p = arg;
	const struct compare_row *row = compare_line(p, line);
	const struct compare_column *column = compare_column_at(p, i);

	if (column->what == WHAT_KEY)
		compare_append_key(p, row, column->side, out);
	else if (row == p->folded)
		return;
	else if (column->what == WHAT_BAR)
		append_bar(p, row, column->side, out);
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
	enum what what = compare_column_at(p, i)->what;
	bool share = p->c->options.per == PER_SHARE;

	if (what == WHAT_METHOD)
		append_method(p, compare_line(p, line), cell, out);
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
	const struct compare_row *row = compare_line(p, line);
	u64 mixed = row == p->folded;

	for (u32 i = 0; row != p->folded && i < p->c->nr_keys; i++)
		mixed = table_mix(mixed, row->texts[i]);
	return mixed;
}

double compare_number(const struct compare_page *p, const struct compare_row *row,
		      const struct compare_column *column)
{
	u32 side = column->side;

	switch (column->what) {
	case WHAT_SHARE:
		return compare_share(p->event, row, side);
	case WHAT_VALUE:
		return row->values[side];
	case WHAT_PERIOD:
		return (double)row->sums[side].period;
	case WHAT_SAMPLES:
		return (double)row->sums[side].samples;
	case WHAT_MARGIN:
		return row->verdicts[side].margin;
	case WHAT_P:
		return -row->verdicts[side].p;
	default:
		return row->verdicts[side].difference;
	}
}

const struct list_ops compare_cells = { cell, text, key, number };
