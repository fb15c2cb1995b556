// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/csv/csv.h"

#include <string.h>

#include "base/digits.h"
#include "view/stdio/pages.h"

void csv_append(GString *line, const char *text)
{
	if (!text[strcspn(text, ",\"\r\n")] && *text != ' ') {
		g_string_append(line, text);
		return;
	}
	g_string_append_c(line, '"');
	for (; *text; text++) {
		if (*text == '"')
			g_string_append_c(line, '"');
		g_string_append_c(line, *text);
	}
	g_string_append_c(line, '"');
}

static void append_real(GString *line, double value)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];

	g_string_append(line, g_ascii_formatd(text, sizeof(text), "%.10g", value));
}

void csv_append_cell(GString *line, const struct cell *cell, const char *text)
{
	switch (cell->kind) {
	case CELL_TEXT:
		csv_append(line, text);
		break;
	case CELL_SHARE:
	case CELL_AVERAGE:
		append_real(line, cell->real);
		break;
	case CELL_ADDRESS:
		g_string_append(line, "0x");
		digits_hex(line, cell->number, 0);
		break;
	case CELL_NONE:
	case CELL_NR_KINDS:
		break;
	default:
		if (cell->is_signed)
			digits_signed(line, (s64)cell->number, 0);
		else
			digits_dec(line, cell->number, 0);
	}
}

void csv_append_title(GString *line, const char *name, enum cell_kind kind, const char *part)
{
	const char *unit = cell_kind_unit(kind);
	g_autofree char *title =
		g_strconcat(name, unit ? "_" : "", unit ?: "", part ? ":" : "", part ?: "", NULL);

	csv_append(line, title);
}

struct csv_writer {
	struct rows *rows;
	const struct page *page;
	GArray *columns; /* struct rows_column */
	GString *line, *text;
	FILE *out;
};

static const struct rows_column *column_at(const struct csv_writer *w, u32 i)
{
	return &g_array_index(w->columns, struct rows_column, i);
}

static bool has_levels(const struct rows *rows)
{
	return rows->nr_levels > 1 || rows->nested;
}

static void flush(struct csv_writer *w)
{
	g_string_append_c(w->line, '\n');
	fwrite(w->line->str, 1, w->line->len, w->out);
	g_string_truncate(w->line, 0);
}

static void build_titles(struct csv_writer *w)
{
	g_string_append(w->line, "page");
	if (has_levels(w->rows))
		g_string_append(w->line, ",level");
	for (u32 i = 0; i < w->columns->len; i++) {
		const struct rows_column *c = column_at(w, i);

		for (u32 part = 0; part < c->nr_parts; part++) {
			const char *event =
				c->nr_parts > 1 ? g_ptr_array_index(w->page->parts, part) : NULL;

			g_string_append_c(w->line, ',');
			csv_append_title(w->line, c->name, c->kind, event);
		}
	}
}

static void append_part(struct csv_writer *w, struct row row, u32 column, u32 part)
{
	struct cell cell;

	w->rows->ops->cell(w->rows, row, column, part, &cell);
	g_string_truncate(w->text, 0);
	if (cell.kind == CELL_TEXT)
		w->rows->ops->text(w->rows, row, column, part, w->text);
	csv_append_cell(w->line, &cell, g_strstrip(w->text->str));
}

static void write_row(struct csv_writer *w, struct row row)
{
	csv_append(w->line, w->page->title);
	if (has_levels(w->rows))
		g_string_append_printf(w->line, ",%u", row.level);
	for (u32 i = 0; i < w->columns->len; i++) {
		const struct rows_column *c = column_at(w, i);

		for (u32 part = 0; part < c->nr_parts; part++) {
			g_string_append_c(w->line, ',');
			/* The keys of the levels around a row say where it stands. */
			if (c->value || w->rows->nr_levels < 2 || c->level <= row.level)
				append_part(w, row, i, part);
		}
	}
	flush(w);
}

/* Call trees are left out: they are no rows of a table. */
static void write_rows(struct csv_writer *w)
{
	g_autoptr(GArray) above = g_array_new(FALSE, FALSE, sizeof(struct row));
	struct row row = w->rows->ops->first(w->rows, (struct row){ ROW_NONE });

	while (row.kind == ROW_ENTRY || above->len) {
		struct row below;

		if (row.kind != ROW_ENTRY) {
			row = g_array_index(above, struct row, above->len - 1);
			g_array_set_size(above, above->len - 1);
			row = w->rows->ops->next(w->rows, row);
			continue;
		}
		write_row(w, row);
		below = has_levels(w->rows) ? w->rows->ops->first(w->rows, row)
					    : (struct row){ ROW_NONE };
		if (below.kind == ROW_ENTRY) {
			g_array_append_val(above, row);
			row = below;
		} else {
			row = w->rows->ops->next(w->rows, row);
		}
	}
}

/* @titles: of the page before; a page with others starts a new table behind an empty line. */
static void write_page(struct csv_writer *w, const struct page *page, GString *titles)
{
	w->page = page;
	w->rows = page->rows;
	g_array_set_size(w->columns, 0);
	for (u32 i = 0; i < w->rows->nr_columns; i++) {
		struct rows_column column;

		w->rows->ops->column(w->rows, i, &column);
		g_array_append_val(w->columns, column);
	}
	build_titles(w);
	if (!g_string_equal(titles, w->line)) {
		if (titles->len)
			fputc('\n', w->out);
		g_string_assign(titles, w->line->str);
		flush(w);
	}
	g_string_truncate(w->line, 0);
	write_rows(w);
}

bool csv_print_pages(struct pages *pages, const struct view_options *options, FILE *out,
		     GError **error)
{
	g_autoptr(GString) titles = g_string_new(NULL);
	struct csv_writer w = { .out = out };

	w.line = g_string_new(NULL);
	w.text = g_string_new(NULL);
	w.columns = g_array_new(FALSE, FALSE, sizeof(struct rows_column));
	for (u32 i = 0; i < pages->nr; i++) {
		struct page *page = pages->ops->open(pages, i);

		if (page)
			write_page(&w, page, titles);
		page_free(page);
	}
	fflush(out);
	stdio_print_pages_remarks(pages, options);
	g_array_unref(w.columns);
	g_string_free(w.line, TRUE);
	g_string_free(w.text, TRUE);
	return true;
}
