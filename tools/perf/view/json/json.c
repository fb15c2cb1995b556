// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/json/json.h"

#include <string.h>

struct json_writer {
	struct json_out json;
	struct rows *rows;
	GArray *columns; /* struct rows_column */
	GString *text;
};

static const struct rows_column *column_at(const struct json_writer *w, u32 i)
{
	return &g_array_index(w->columns, struct rows_column, i);
}

void json_cell(struct json_out *j, const struct cell *cell, const GString *text)
{
	switch (cell->kind) {
	case CELL_TEXT:
		json_out_text_size(j, text->str, text->len);
		break;
	case CELL_SHARE:
		json_out_begin(j, '{');
		json_out_key(j, "percent");
		json_out_real(j, cell->real);
		json_out_key(j, "number");
		json_out_u64(j, cell->number);
		json_out_end(j, '}');
		break;
	case CELL_AVERAGE:
		json_out_real(j, cell->real);
		break;
	case CELL_ADDRESS:
		json_out_hex(j, cell->number);
		break;
	case CELL_NONE:
	case CELL_NR_KINDS:
		json_out_null(j);
		break;
	default:
		if (cell->is_signed)
			json_out_s64(j, (s64)cell->number);
		else
			json_out_u64(j, cell->number);
	}
}

static void write_facts(struct json_out *j, const struct notes *notes)
{
	json_out_begin(j, '{');
	for (u32 i = 0; i < notes->list->len; i++) {
		const struct note *note = notes_at(notes, i);
		GString words = { note->words, note->words ? strlen(note->words) : 0, 0 };

		if (note->kind != NOTE_FACT || !note->name)
			continue;
		json_out_key(j, note->name);
		json_cell(j, &note->value, &words);
	}
	json_out_end(j, '}');
}

static void write_remarks(struct json_out *j, const struct notes *notes)
{
	json_out_begin(j, '[');
	for (u32 i = 0; i < notes->list->len; i++) {
		const struct note *note = notes_at(notes, i);

		json_out_line(j);
		json_out_begin(j, '{');
		json_out_key(j, "kind");
		json_out_text(j, note_kind_name(note->kind));
		json_out_key(j, "text");
		json_out_text(j, note->text);
		json_out_end(j, '}');
	}
	json_out_end(j, ']');
}

static void write_columns(struct json_writer *w)
{
	struct json_out *j = &w->json;

	json_out_begin(j, '[');
	for (u32 i = 0; i < w->columns->len; i++) {
		const struct rows_column *c = column_at(w, i);
		g_autofree char *title = g_strstrip(g_strdup(c->title));
		const char *unit = c->unit ?: cell_kind_unit(c->kind);

		json_out_line(j);
		json_out_begin(j, '{');
		json_out_key(j, "name");
		json_out_text(j, c->name);
		json_out_key(j, "title");
		json_out_text(j, title);
		json_out_key(j, "kind");
		json_out_text(j, cell_kind_name(c->kind));
		if (unit) {
			json_out_key(j, "unit");
			json_out_text(j, unit);
		}
		if (w->rows->nr_levels > 1) {
			json_out_key(j, "level");
			json_out_u64(j, c->level);
		}
		json_out_end(j, '}');
	}
	json_out_end(j, ']');
}

static void write_part(struct json_writer *w, struct row row, u32 column, u32 part)
{
	struct cell cell;
	size_t start = 0;

	w->rows->ops->cell(w->rows, row, column, part, &cell);
	g_string_truncate(w->text, 0);
	if (cell.kind == CELL_TEXT)
		w->rows->ops->text(w->rows, row, column, part, w->text);
	/* Blanks around it are for columns. */
	while (w->text->len && w->text->str[w->text->len - 1] == ' ')
		g_string_truncate(w->text, w->text->len - 1);
	while (w->text->str[start] == ' ')
		start++;
	json_cell(&w->json, &cell, g_string_erase(w->text, 0, (gssize)start));
}

static bool has_column(const struct json_writer *w, struct row row, u32 column)
{
	const struct rows_column *c = column_at(w, column);

	return c->value || w->rows->nr_levels < 2 || c->level == row.level;
}

static void write_cells(struct json_writer *w, struct row row)
{
	struct json_out *j = &w->json;

	json_out_key(j, "cells");
	json_out_begin(j, '{');
	for (u32 i = 0; i < w->columns->len; i++) {
		const struct rows_column *c = column_at(w, i);

		if (!has_column(w, row, i))
			continue;
		json_out_key(j, c->name);
		if (c->nr_parts > 1)
			json_out_begin(j, '[');
		for (u32 part = 0; part < c->nr_parts; part++)
			write_part(w, row, i, part);
		if (c->nr_parts > 1)
			json_out_end(j, ']');
	}
	json_out_end(j, '}');
}

static void write_calls(struct json_writer *w, struct row row)
{
	struct json_out *j = &w->json;
	struct rows_calls calls;

	w->rows->ops->calls(w->rows, row, &calls);
	json_out_key(j, "frames");
	json_out_begin(j, '[');
	for (u32 i = 0; row.kind == ROW_CALLS && i < calls.nr_frames; i++) {
		g_string_truncate(w->text, 0);
		w->rows->ops->frame(w->rows, row, i, w->text);
		json_out_text_size(j, w->text->str, w->text->len);
	}
	json_out_end(j, ']');
	json_out_key(j, "period");
	json_out_u64(j, calls.period);
	json_out_key(j, "samples");
	json_out_u64(j, calls.samples);
}

/* Rows of one parent that are being written, and the list that they stand in. */
struct json_open {
	struct row next;
	u32 nr;
};

/* Opens the list of the rows below @parent, if there are any. */
static void begin_level(struct json_writer *w, GArray *levels, struct row parent)
{
	struct json_open level = { w->rows->ops->first(w->rows, parent), 0 };

	if (level.next.kind == ROW_NONE && parent.kind != ROW_NONE)
		return;
	json_out_key(&w->json, level.next.kind == ROW_CALLS || level.next.kind == ROW_REST
				       ? "calls"
				       : "rows");
	json_out_begin(&w->json, '[');
	g_array_append_val(levels, level);
}

/* With a stack of its own for the levels, since call trees may be deep. */
static void write_rows(struct json_writer *w)
{
	g_autoptr(GArray) levels = g_array_new(FALSE, FALSE, sizeof(struct json_open));

	begin_level(w, levels, (struct row){ ROW_NONE });
	while (levels->len) {
		struct json_open *at = &g_array_index(levels, struct json_open, levels->len - 1);
		struct row row = at->next;
		u32 depth = levels->len;

		if (row.kind == ROW_NONE ||
		    (row.kind == ROW_CALLS && w->rows->max_calls && at->nr == w->rows->max_calls)) {
			json_out_end(&w->json, ']');
			if (depth > 1)
				json_out_end(&w->json, '}');
			g_array_set_size(levels, depth - 1);
			continue;
		}
		at->nr++;
		at->next = w->rows->ops->next(w->rows, row);
		json_out_line(&w->json);
		json_out_begin(&w->json, '{');
		if (row.kind == ROW_ENTRY)
			write_cells(w, row);
		else
			write_calls(w, row);
		begin_level(w, levels, row);
		if (levels->len == depth)
			json_out_end(&w->json, '}');
	}
}

static void write_page(struct json_writer *w, const struct page *page)
{
	struct json_out *j = &w->json;

	w->rows = page->rows;
	g_array_set_size(w->columns, 0);
	for (u32 i = 0; i < w->rows->nr_columns; i++) {
		struct rows_column column;

		w->rows->ops->column(w->rows, i, &column);
		g_array_append_val(w->columns, column);
	}
	json_out_line(j);
	json_out_begin(j, '{');
	json_out_key(j, "title");
	json_out_text(j, page->title);
	if (page->parts->len) {
		json_out_key(j, "events");
		json_out_begin(j, '[');
		for (u32 i = 0; i < page->parts->len; i++)
			json_out_text(j, g_ptr_array_index(page->parts, i));
		json_out_end(j, ']');
	}
	json_out_key(j, "facts");
	write_facts(j, &page->notes);
	json_out_key(j, "columns");
	write_columns(w);
	write_rows(w);
	json_out_end(j, '}');
}

static void write_headers(struct json_out *j, const struct pages *pages)
{
	json_out_key(j, "headers");
	json_out_begin(j, '[');
	for (u32 i = 0; i < pages->headers->len; i++)
		write_facts(j, g_ptr_array_index(pages->headers, i));
	json_out_end(j, ']');
}

bool json_print_pages(struct pages *pages, const struct view_options *options, FILE *out,
		      GError **error)
{
	struct json_writer w = { 0 };
	struct notes remarks;

	json_out_init(&w.json, out);
	w.text = g_string_new(NULL);
	w.columns = g_array_new(FALSE, FALSE, sizeof(struct rows_column));
	json_out_begin(&w.json, '{');
	json_out_key(&w.json, "format");
	json_out_text(&w.json, "perf-rows");
	json_out_key(&w.json, "version");
	json_out_text(&w.json, JSON_ROWS_VERSION);
	json_out_key(&w.json, "command");
	json_out_text(&w.json, pages->command);
	json_out_key(&w.json, "kind");
	json_out_text(&w.json, pages->kind);
	if (pages->headers->len)
		write_headers(&w.json, pages);
	json_out_key(&w.json, "facts");
	write_facts(&w.json, &pages->notes);
	json_out_key(&w.json, "pages");
	json_out_begin(&w.json, '[');
	for (u32 i = 0; i < pages->nr; i++) {
		struct page *page = pages->ops->open(pages, i);

		if (page)
			write_page(&w, page);
		page_free(page);
	}
	json_out_end(&w.json, ']');
	notes_init(&remarks);
	pages_remark(pages, &remarks);
	json_out_key(&w.json, "notes");
	write_remarks(&w.json, &remarks);
	notes_release(&remarks);
	json_out_end(&w.json, '}');
	g_string_append_c(w.json.text, '\n');
	json_out_release(&w.json);
	g_array_unref(w.columns);
	g_string_free(w.text, TRUE);
	return true;
}
