// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/json/rows.h"

#include <math.h>
#include <string.h>

static const struct rows_column *column_at(const struct json_rows *w, u32 i)
{
	return &g_array_index(w->columns, struct rows_column, i);
}

void json_cell(struct json_out *j, const struct cell *cell, const GString *text, bool brief)
{
	switch (cell->kind) {
	case CELL_TEXT:
		json_out_text_size(j, text->str, text->len);
		break;
	case CELL_SHARE:
		if (brief) {
			json_out_real(j, round(cell->real * 100) / 100);
			break;
		}
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

void json_fact(struct json_out *j, const struct note *note, bool brief)
{
	GString words = { note->words, note->words ? strlen(note->words) : 0, 0 };

	if (note->kind != NOTE_FACT || !note->name || (brief && note->value.kind == CELL_NONE))
		return;
	json_out_key(j, note->name);
	json_cell(j, &note->value, &words, brief);
}

void json_facts(struct json_out *j, const struct notes *notes, bool brief)
{
	for (u32 i = 0; i < notes->list->len; i++)
		json_fact(j, notes_at(notes, i), brief);
}

void json_rows_columns(struct json_rows *w)
{
	struct json_out *j = &w->json;

	json_out_key(j, "columns");
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

/* The text of a cell, without blanks that only align columns. */
static const GString *text_of(struct json_rows *w, struct row row, u32 column, u32 part)
{
	size_t start = 0;

	g_string_truncate(w->text, 0);
	w->rows->ops->text(w->rows, row, column, part, w->text);
	while (w->text->len && w->text->str[w->text->len - 1] == ' ')
		g_string_truncate(w->text, w->text->len - 1);
	while (w->text->str[start] == ' ')
		start++;
	return start ? g_string_erase(w->text, 0, (gssize)start) : w->text;
}

static void write_cell(struct json_rows *w, struct row row, u32 column, u32 part,
		       const struct cell *cell)
{
	json_cell(&w->json, cell, cell->kind == CELL_TEXT ? text_of(w, row, column, part) : NULL,
		  w->brief);
}

static bool has_column(const struct json_rows *w, struct row row, u32 column)
{
	const struct rows_column *c = column_at(w, column);

	return c->value || w->rows->nr_levels < 2 || c->level == row.level;
}

static bool is_left_out(struct json_rows *w, struct row row, u32 column, const struct cell *cell)
{
	if (cell->kind == CELL_NONE)
		return w->rows->sparse || w->brief;
	return w->brief && cell->kind == CELL_TEXT && !text_of(w, row, column, 0)->len;
}

void json_rows_cells(struct json_rows *w, struct row row)
{
	struct json_out *j = &w->json;

	for (u32 i = 0; i < w->columns->len; i++) {
		const struct rows_column *c = column_at(w, i);
		struct cell cell;

		if (!has_column(w, row, i))
			continue;
		w->rows->ops->cell(w->rows, row, i, 0, &cell);
		if (is_left_out(w, row, i, &cell))
			continue;
		json_out_key(j, c->name);
		if (c->nr_parts > 1)
			json_out_begin(j, '[');
		write_cell(w, row, i, 0, &cell);
		for (u32 part = 1; part < c->nr_parts; part++) {
			w->rows->ops->cell(w->rows, row, i, part, &cell);
			write_cell(w, row, i, part, &cell);
		}
		if (c->nr_parts > 1)
			json_out_end(j, ']');
	}
}

static void write_calls(struct json_rows *w, struct row row)
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

/* The rows of one parent that are being written, and their JSON list. */
struct json_rows_level {
	struct row next;
	u32 nr;
	bool is_top; /* the list is not a member of a row's object */
};

/* Opens the list of the rows below @parent, if there are such rows. */
static void begin_level(struct json_rows *w, GArray *levels, struct row parent)
{
	struct json_rows_level level = { w->rows->ops->first(w->rows, parent), 0,
					 parent.kind == ROW_NONE };

	if (level.next.kind == ROW_NONE && parent.kind != ROW_NONE)
		return;
	json_out_key(&w->json, level.next.kind == ROW_CALLS || level.next.kind == ROW_REST
				       ? "calls"
				       : "rows");
	json_out_begin(&w->json, '[');
	g_array_append_val(levels, level);
}

static void begin_row(struct json_rows *w, struct row row)
{
	json_out_begin(&w->json, '{');
	if (row.kind != ROW_ENTRY) {
		write_calls(w, row);
		return;
	}
	json_out_open(&w->json, "cells", '{');
	json_rows_cells(w, row);
	json_out_end(&w->json, '}');
}

/* Writes the open lists. Has its own stack instead of recursion, because call trees may be deep. */
static void write_levels(struct json_rows *w, GArray *levels)
{
	while (levels->len) {
		struct json_rows_level *at =
			&g_array_index(levels, struct json_rows_level, levels->len - 1);
		struct row row = at->next;
		u32 depth = levels->len;

		if (row.kind == ROW_NONE ||
		    (row.kind == ROW_CALLS && w->rows->max_calls && at->nr == w->rows->max_calls)) {
			json_out_end(&w->json, ']');
			if (!at->is_top)
				json_out_end(&w->json, '}');
			g_array_set_size(levels, depth - 1);
			continue;
		}
		at->nr++;
		at->next = w->rows->ops->next(w->rows, row);
		json_out_line(&w->json);
		begin_row(w, row);
		begin_level(w, levels, row);
		if (levels->len == depth)
			json_out_end(&w->json, '}');
	}
}

void json_rows_all(struct json_rows *w)
{
	g_autoptr(GArray) levels = g_array_new(FALSE, FALSE, sizeof(struct json_rows_level));

	begin_level(w, levels, (struct row){ ROW_NONE });
	write_levels(w, levels);
}

/* Writes one object: the row, with all rows below it. */
static void json_rows_one(struct json_rows *w, struct row row)
{
	g_autoptr(GArray) levels = g_array_new(FALSE, FALSE, sizeof(struct json_rows_level));

	begin_row(w, row);
	begin_level(w, levels, row);
	if (levels->len)
		write_levels(w, levels);
	else
		json_out_end(&w->json, '}');
}

void json_rows_init(struct json_rows *w, FILE *out)
{
	json_out_init(&w->json, out);
	w->rows = NULL;
	w->brief = false;
	w->text = g_string_new(NULL);
	w->columns = g_array_new(FALSE, FALSE, sizeof(struct rows_column));
}

void json_rows_release(struct json_rows *w)
{
	json_out_release(&w->json);
	g_array_unref(w->columns);
	g_string_free(w->text, TRUE);
}

void json_rows_use(struct json_rows *w, struct rows *rows)
{
	w->rows = rows;
	g_array_set_size(w->columns, 0);
	for (u32 i = 0; i < rows->nr_columns; i++) {
		struct rows_column column;

		rows->ops->column(rows, i, &column);
		g_array_append_val(w->columns, column);
	}
}

void json_rows_begin(struct json_rows *w, const char *command, const char *kind)
{
	json_out_key(&w->json, "format");
	json_out_text(&w->json, "perf-rows");
	json_out_key(&w->json, "version");
	json_out_text(&w->json, JSON_ROWS_VERSION);
	json_out_key(&w->json, "command");
	json_out_text(&w->json, command);
	json_out_key(&w->json, "kind");
	json_out_text(&w->json, kind);
}

/* A stream has one JSON value per line: first a description, then one row per line. */
static void *stream_open(struct rows *rows)
{
	struct json_rows *w = g_new0(struct json_rows, 1);

	json_rows_init(w, NULL);
	json_rows_use(w, rows);
	w->json.one_line = true;
	return w;
}

static void drain(struct json_rows *w, GString *out)
{
	g_string_append_len(out, w->json.text->str, (gssize)w->json.text->len);
	g_string_append_c(out, '\n');
	g_string_truncate(w->json.text, 0);
	w->json.comma = false;
}

static void stream_begin(void *arg, const char *command, const char *kind, GString *out)
{
	struct json_rows *w = arg;

	w->json.one_line = false;
	json_out_begin(&w->json, '{');
	json_rows_begin(w, command, kind);
	w->json.one_line = true;
	json_rows_columns(w);
	json_out_end(&w->json, '}');
	drain(w, out);
}

static void stream_row(void *arg, struct row row, GString *out)
{
	json_rows_one(arg, row);
	drain(arg, out);
}

static void stream_close(void *arg)
{
	json_rows_release(arg);
	g_free(arg);
}

const struct view_stream json_stream = {
	.open = stream_open,
	.begin = stream_begin,
	.row = stream_row,
	.close = stream_close,
};
