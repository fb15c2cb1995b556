// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/csv/csv.h"

#include <string.h>

#include "base/digits.h"
#include "view/stdio/pages.h"

static void append_text(GString *line, const char *text)
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

static void append_cell(GString *line, const struct cell *cell, const char *text)
{
	switch (cell->kind) {
	case CELL_TEXT:
		append_text(line, text);
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

static void append_title(GString *line, const char *name, enum cell_kind kind, const char *part)
{
	const char *unit = cell_kind_unit(kind);
	g_autofree char *title =
		g_strconcat(name, unit ? "_" : "", unit ?: "", part ? ":" : "", part ?: "", NULL);

	append_text(line, title);
}

struct csv_writer {
	struct rows *rows;
	const struct page *page; /* NULL: rows are written as a stream */
	GArray *columns;	 /* struct rows_column */
	GString *line, *text;
	u32 nr_fields; /* fields so far in the line */
	FILE *out;
};

static const struct rows_column *column_at(const struct csv_writer *w, u32 i)
{
	return &g_array_index(w->columns, struct rows_column, i);
}

static bool has_levels(const struct csv_writer *w)
{
	return w->page && (w->rows->nr_levels > 1 || w->rows->nested);
}

static GString *next_field(struct csv_writer *w)
{
	if (w->nr_fields++)
		g_string_append_c(w->line, ',');
	return w->line;
}

static void end_line(struct csv_writer *w)
{
	g_string_append_c(w->line, '\n');
	w->nr_fields = 0;
}

static void flush(struct csv_writer *w)
{
	fwrite(w->line->str, 1, w->line->len, w->out);
	g_string_truncate(w->line, 0);
}

static void build_titles(struct csv_writer *w)
{
	if (w->page)
		g_string_append(next_field(w), "page");
	if (has_levels(w))
		g_string_append(next_field(w), "level");
	for (u32 i = 0; i < w->columns->len; i++) {
		const struct rows_column *c = column_at(w, i);

		for (u32 part = 0; part < c->nr_parts; part++)
			append_title(next_field(w), c->name, c->kind,
				     c->nr_parts > 1 ? g_ptr_array_index(w->page->parts, part)
						     : NULL);
	}
	end_line(w);
}

static void append_part(struct csv_writer *w, struct row row, u32 column, u32 part)
{
	struct cell cell;

	w->rows->ops->cell(w->rows, row, column, part, &cell);
	g_string_truncate(w->text, 0);
	if (cell.kind == CELL_TEXT)
		w->rows->ops->text(w->rows, row, column, part, w->text);
	append_cell(w->line, &cell, g_strstrip(w->text->str));
}

static void build_row(struct csv_writer *w, struct row row)
{
	if (w->page)
		append_text(next_field(w), w->page->title);
	if (has_levels(w))
		g_string_append_printf(next_field(w), "%u", row.level);
	for (u32 i = 0; i < w->columns->len; i++) {
		const struct rows_column *c = column_at(w, i);

		for (u32 part = 0; part < c->nr_parts; part++) {
			next_field(w);
			/*
			 * A row also has the keys of the rows that contain it. They tell its position in the hierarchy.
			 */
			if (c->value || w->rows->nr_levels < 2 || c->level <= row.level)
				append_part(w, row, i, part);
		}
	}
	end_line(w);
}

/* Call trees are left out: they do not fit into a table's rows. */
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
		build_row(w, row);
		flush(w);
		below = has_levels(w) ? w->rows->ops->first(w->rows, row)
				      : (struct row){ ROW_NONE };
		if (below.kind == ROW_ENTRY) {
			g_array_append_val(above, row);
			row = below;
		} else {
			row = w->rows->ops->next(w->rows, row);
		}
	}
}

static void use_rows(struct csv_writer *w, struct rows *rows)
{
	w->rows = rows;
	g_array_set_size(w->columns, 0);
	for (u32 i = 0; i < rows->nr_columns; i++) {
		struct rows_column column;

		rows->ops->column(rows, i, &column);
		g_array_append_val(w->columns, column);
	}
}

/* @titles: those of the previous page. A page with other titles starts a new table, after an empty line. */
static void write_page(struct csv_writer *w, const struct page *page, GString *titles)
{
	w->page = page;
	use_rows(w, page->rows);
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

static void writer_init(struct csv_writer *w, FILE *out)
{
	*w = (struct csv_writer){ .out = out };
	w->line = g_string_new(NULL);
	w->text = g_string_new(NULL);
	w->columns = g_array_new(FALSE, FALSE, sizeof(struct rows_column));
}

static void writer_release(struct csv_writer *w)
{
	g_array_unref(w->columns);
	g_string_free(w->line, TRUE);
	g_string_free(w->text, TRUE);
}

bool csv_print_pages(struct pages *pages, const struct view_options *options, FILE *out,
		     GError **error)
{
	g_autoptr(GString) titles = g_string_new(NULL);
	struct csv_writer w;

	if (!pages->nr && pages->headers->len)
		return error_set(
			error, PERF_ERROR_USAGE,
			"--format=csv prints rows, and a header has none: use --format=json");
	writer_init(&w, out);
	for (u32 i = 0; i < pages->nr; i++) {
		struct page *page = pages->ops->open(pages, i);

		if (page)
			write_page(&w, page, titles);
		page_free(page);
	}
	fflush(out);
	stdio_print_pages_remarks(pages, options);
	writer_release(&w);
	return true;
}

static void *stream_open(struct rows *rows)
{
	struct csv_writer *w = g_new0(struct csv_writer, 1);

	writer_init(w, NULL);
	use_rows(w, rows);
	return w;
}

static void drain(struct csv_writer *w, GString *out)
{
	g_string_append_len(out, w->line->str, (gssize)w->line->len);
	g_string_truncate(w->line, 0);
}

static void stream_begin(void *arg, const char *command, const char *kind, GString *out)
{
	build_titles(arg);
	drain(arg, out);
}

static void stream_row(void *arg, struct row row, GString *out)
{
	build_row(arg, row);
	drain(arg, out);
}

static void stream_close(void *arg)
{
	writer_release(arg);
	g_free(arg);
}

const struct view_stream csv_stream = {
	.open = stream_open,
	.begin = stream_begin,
	.row = stream_row,
	.close = stream_close,
};
