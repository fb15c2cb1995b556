// SPDX-License-Identifier: GPL-2.0-or-later
/* report --timeline: one line per key; time goes from left to right, in as many columns as fit. */
#include <string.h>

#include "base/text.h"
#include "pages/report/timeline_pages.h"
#include "view/stdio/bodies.h"
#include "view/stdio/notes.h"

#define USUAL_COLUMNS 80
#define LEAST_BLOCKS  16
#define WIDEST_KEY    40

/* No activity, then blocks of one to eight eighths. */
static const char *const blocks[] = { " ",	"\u2581", "\u2582", "\u2583", "\u2584",
				      "\u2585", "\u2586", "\u2587", "\u2588" };

struct timeline_printer {
	struct rows *rows;
	const struct view_options *options;
	u32 nr_keys, nr_durations, nr_slices, nr_blocks;
	u64 slice_ns;
	u32 *widths;	/* widths of the columns for the sum and the keys */
	double *wholes; /* sums by slice, if cells are shares */
	double largest; /* largest value of all blocks */
	GString *text;
	FILE *out;
};

static struct row first_row(const struct timeline_printer *p)
{
	return p->rows->ops->first(p->rows, (struct row){ ROW_NONE });
}

/* Computes the sum of all rows in each slice. A cell with a share of the slice gives it. */
static void find_wholes(struct timeline_printer *p)
{
	struct row row = first_row(p);

	p->wholes = g_new0(double, p->nr_slices + 1);
	for (; row.kind != ROW_NONE; row = p->rows->ops->next(p->rows, row))
		for (u32 i = 0; i < p->nr_slices; i++) {
			struct cell cell;

			p->rows->ops->cell(p->rows, row, p->rows->nr_columns - 1, i, &cell);
			if (cell.kind == CELL_SHARE && cell.real > 0)
				p->wholes[i] = (double)cell.number * 100 / cell.real;
		}
}

/*
 * The row's value in the slices of block @i: its share of their sum; or total seconds; or the average number of
 * threads.
 */
static double block_at(const struct timeline_printer *p, struct row row, u32 i)
{
	u32 from = (u32)((u64)i * p->nr_slices / p->nr_blocks);
	u32 to = (u32)((u64)(i + 1) * p->nr_slices / p->nr_blocks);
	double sum = 0, whole = 0;
	struct cell cell = { CELL_NONE };

	for (u32 part = from; part < to; part++) {
		p->rows->ops->cell(p->rows, row, p->rows->nr_columns - 1, part, &cell);
		sum += cell.kind == CELL_AVERAGE ? cell.real : (double)cell.number;
		whole += p->wholes[part];
	}
	if (cell.kind == CELL_SHARE)
		return whole > 0 ? sum / whole * 100 : 0;
	return cell.kind == CELL_AVERAGE ? sum / (to - from) : sum;
}

/* Any value above 0 gets at least the smallest block. */
static const char *block_of(double part, double whole)
{
	if (part <= 0 || whole <= 0)
		return blocks[0];
	return blocks[CLAMP((u32)(part / whole * 8 + 0.5), 1, 8)];
}

static const char *cell_text(struct timeline_printer *p, struct row row, u32 column)
{
	struct cell cell;

	g_string_truncate(p->text, 0);
	p->rows->ops->cell(p->rows, row, column, 0, &cell);
	if (!column && cell.kind == CELL_TIME)
		g_string_append_printf(p->text, "%.6f", (double)cell.number / 1e9);
	else if (!column && cell.kind == CELL_AVERAGE)
		g_string_append_printf(p->text, "%.3f", cell.real);
	else
		p->rows->ops->text(p->rows, row, column, 0, p->text);
	text_make_shown(p->text, 0);
	return p->text->str;
}

static void measure(struct timeline_printer *p)
{
	u32 used = 0, columns = p->options->columns ?: USUAL_COLUMNS;

	p->widths = g_new0(u32, p->nr_keys + 1);
	for (u32 i = 0; i <= p->nr_keys; i++) {
		struct rows_column c;

		p->rows->ops->column(p->rows, i, &c);
		p->widths[i] = (u32)strlen(c.title);
	}
	for (struct row row = first_row(p); row.kind != ROW_NONE;
	     row = p->rows->ops->next(p->rows, row))
		for (u32 i = 0; i <= p->nr_keys; i++) {
			const char *text = cell_text(p, row, i);

			p->widths[i] = MAX(p->widths[i],
					   MIN(text_columns(text, strlen(text)), WIDEST_KEY));
		}
	for (u32 i = 0; i <= p->nr_keys; i++)
		used += p->widths[i] + 2;
	used += p->nr_durations ? p->nr_durations + 2 : 0;
	p->nr_blocks =
		MIN(p->nr_slices, columns > used + LEAST_BLOCKS ? columns - used : LEAST_BLOCKS);
	find_wholes(p);
	for (struct row row = first_row(p); row.kind != ROW_NONE;
	     row = p->rows->ops->next(p->rows, row))
		for (u32 i = 0; i < p->nr_blocks; i++)
			p->largest = MAX(p->largest, block_at(p, row, i));
}

static void print_fitting(const struct timeline_printer *p, const char *text, u32 width, bool right)
{
	size_t size = text_fit(text, strlen(text), width);
	u32 missing = width - text_columns(text, size);

	fprintf(p->out, "%*s%.*s%*s", right ? (int)missing : 0, "", (int)size, text,
		right ? 0 : (int)missing, "");
}

static void print_titles(struct timeline_printer *p)
{
	fputs("# ", p->out);
	for (u32 i = 0; i <= p->nr_keys; i++) {
		struct rows_column c;

		p->rows->ops->column(p->rows, i, &c);
		print_fitting(p, c.title, p->widths[i], false);
		fputs("  ", p->out);
	}
	if (p->nr_durations)
		print_fitting(p, "1us...10s", p->nr_durations + 2, false);
	fputs("Timeline\n# ", p->out);
	for (u32 i = 0; i <= p->nr_keys; i++) {
		for (u32 k = 0; k < p->widths[i]; k++)
			fputc('.', p->out);
		fputs("  ", p->out);
	}
	if (p->nr_durations)
		fputs(".........  ", p->out);
	for (u32 k = 0; k < MAX(p->nr_blocks, 8); k++)
		fputc('.', p->out);
	fputs("\n#\n", p->out);
}

static void print_durations(const struct timeline_printer *p, struct row row)
{
	u32 first = 1 + p->nr_keys;
	u64 numbers[64] = { 0 }, most = 0;

	for (u32 i = 0; i < p->nr_durations && i < ARRAY_SIZE(numbers); i++) {
		struct cell cell;

		p->rows->ops->cell(p->rows, row, first + i, 0, &cell);
		numbers[i] = cell.number;
		most = MAX(most, cell.number);
	}
	for (u32 i = 0; i < p->nr_durations && i < ARRAY_SIZE(numbers); i++)
		fputs(block_of((double)numbers[i], (double)most), p->out);
	if (p->nr_durations)
		fputs("  ", p->out);
}

static void print_row(struct timeline_printer *p, struct row row)
{
	fputs("  ", p->out);
	for (u32 i = 0; i <= p->nr_keys; i++) {
		print_fitting(p, cell_text(p, row, i), p->widths[i], !i);
		fputs("  ", p->out);
	}
	print_durations(p, row);
	for (u32 i = 0; i < p->nr_blocks; i++)
		fputs(block_of(block_at(p, row, i), p->largest), p->out);
	fputc('\n', p->out);
}

static void print_scale(const struct timeline_printer *p)
{
	struct rows_column c;

	p->rows->ops->column(p->rows, p->rows->nr_columns - 1, &c);
	if (p->nr_blocks < p->nr_slices) /* several slices in one */
		fprintf(p->out, "# A block is %.6f s\n",
			(double)p->slice_ns / 1e9 * p->nr_slices / p->nr_blocks);
	if (c.kind == CELL_SHARE)
		fprintf(p->out, "# A full block is %.2f%% of %s time\n#\n", p->largest,
			p->nr_blocks < p->nr_slices ? "its" : "the slice's");
	else if (c.kind == CELL_TIME)
		fprintf(p->out, "# A full block is %.6f s\n#\n", p->largest / 1e9);
	else
		fprintf(p->out, "# A full block is %.2f threads\n#\n", p->largest);
}

void stdio_print_timeline(const struct page *page, const struct view_options *options, FILE *out)
{
	struct timeline_printer p = { .rows = page->rows,
				      .options = options,
				      .nr_keys = timeline_pages_nr_keys(page->rows),
				      .nr_durations = timeline_pages_nr_durations(page->rows),
				      .nr_slices = page->parts->len,
				      .slice_ns = timeline_pages_slice_ns(page),
				      .text = g_string_new(NULL),
				      .out = out };

	measure(&p);
	if (!options->quiet) {
		stdio_print_notes(&page->notes, out);
		print_scale(&p);
		print_titles(&p);
	}
	for (struct row row = first_row(&p); row.kind != ROW_NONE;
	     row = p.rows->ops->next(p.rows, row))
		print_row(&p, row);
	fputs("\n\n", out);
	g_free(p.widths);
	g_free(p.wholes);
	g_string_free(p.text, TRUE);
}
