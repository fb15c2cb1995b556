// SPDX-License-Identifier: GPL-2.0-or-later
#include "ask/answer.h"

#include <math.h>
#include <string.h>

#include "ask/handle.h"

#define MAX_NOTE 400 /* bytes */
/* Bytes of "rows", "left_out", "notes", "next" and their brackets, and of numbers. */
#define TAIL 96

void answer_init(struct answer *a, const char *tool, const struct budget *budget)
{
	*a = (struct answer){ .budget = *budget };
	json_out_init(&a->facts, NULL);
	a->facts.one_line = true;
	json_out_begin(&a->facts, '{');
	json_out_key(&a->facts, "tool");
	json_out_text(&a->facts, tool);
	a->rows = g_ptr_array_new_with_free_func(g_free);
	a->shares = g_array_new(FALSE, FALSE, sizeof(double));
	a->notes = g_ptr_array_new_with_free_func(g_free);
	a->next = g_ptr_array_new_with_free_func(g_free);
}

void answer_release(struct answer *a)
{
	json_out_release(&a->facts);
	g_ptr_array_unref(a->rows);
	g_array_unref(a->shares);
	g_ptr_array_unref(a->notes);
	g_ptr_array_unref(a->next);
	g_free(a->share_name);
}

/* Two digits of a percentage say all that samples can. */
static double rounded(double value)
{
	return round(value * 100) / 100;
}

/* A page's rows while they are written. */
struct answer_writer {
	struct answer *a;
	const struct answer_look *look;
	struct rows *rows;
	GArray *columns; /* struct rows_column */
	s32 share;	 /* the first column of shares; -1: none */
	GString *text;
};

static const struct rows_column *column_at(const struct answer_writer *w, u32 i)
{
	return &g_array_index(w->columns, struct rows_column, i);
}

static void writing_init(struct answer_writer *w, struct answer *a, const struct answer_look *look,
			 struct rows *rows)
{
	*w = (struct answer_writer){ .a = a, .look = look, .rows = rows, .share = -1 };
	w->columns = g_array_new(FALSE, FALSE, sizeof(struct rows_column));
	w->text = g_string_new(NULL);
	for (u32 i = 0; i < rows->nr_columns; i++) {
		struct rows_column column;

		rows->ops->column(rows, i, &column);
		g_array_append_val(w->columns, column);
		if (w->share < 0 && column.kind == CELL_SHARE)
			w->share = (s32)i;
	}
}

static void writing_release(struct answer_writer *w)
{
	g_array_unref(w->columns);
	g_string_free(w->text, TRUE);
}

/* The text of a cell without blanks around it, until the next call. */
static const char *text_of(struct answer_writer *w, struct row row, u32 i, u32 part)
{
	g_string_truncate(w->text, 0);
	w->rows->ops->text(w->rows, row, i, part, w->text);
	return g_strstrip(w->text->str);
}

static bool is_empty(struct answer_writer *w, struct row row, u32 i, const struct cell *cell)
{
	const struct rows_column *c = column_at(w, i);

	if (w->rows->nr_levels > 1 && !c->value && c->level != row.level)
		return true;
	if (cell->kind == CELL_TEXT)
		return !*text_of(w, row, i, 0);
	return cell->kind == CELL_NONE;
}

static void write_value(struct answer_writer *w, struct json_out *j, struct row row, u32 i,
			u32 part, const struct cell *cell)
{
	switch (cell->kind) {
	case CELL_TEXT:
		json_out_text(j, text_of(w, row, i, part));
		break;
	case CELL_SHARE:
		json_out_real(j, rounded(cell->real));
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

/* Upstream's report has this column beside symbols, and it is always empty here. */
static bool is_filler(const char *column)
{
	return !strcmp(column, "ipc_null");
}

/* Parts are the events of a group: a list. */
static void write_cell(struct answer_writer *w, struct json_out *j, struct row row, u32 i)
{
	const struct rows_column *c = column_at(w, i);
	struct cell cell;

	w->rows->ops->cell(w->rows, row, i, 0, &cell);
	if (is_filler(c->name) || (c->nr_parts < 2 && is_empty(w, row, i, &cell)))
		return;
	json_out_key(j, c->name);
	if (c->nr_parts > 1)
		json_out_begin(j, '[');
	write_value(w, j, row, i, 0, &cell);
	for (u32 part = 1; part < c->nr_parts; part++) {
		w->rows->ops->cell(w->rows, row, i, part, &cell);
		write_value(w, j, row, i, part, &cell);
	}
	if (c->nr_parts > 1)
		json_out_end(j, ']');
}

/* NULL: the row has no handle. */
static char *handle_of(struct answer_writer *w, struct row row)
{
	GString *handle;
	bool any = false;

	if (!w->look->keys)
		return NULL;
	handle = g_string_new(w->look->within);
	for (const char *const *key = w->look->keys; *key; key++) {
		s32 i = rows_find_column(w->rows, *key);
		const char *text = i >= 0 ? text_of(w, row, (u32)i, 0) : "";

		if (!*text || is_filler(*key))
			continue;
		handle_append(handle, *key, text);
		any = true;
	}
	if (any)
		return g_string_free(handle, FALSE);
	g_string_free(handle, TRUE);
	return NULL;
}

static char *row_text(struct answer_writer *w, struct row row)
{
	g_autofree char *handle = handle_of(w, row);
	struct json_out j;
	char *text;

	json_out_init(&j, NULL);
	json_out_begin(&j, '{');
	if (row.level && !w->look->by_share) {
		json_out_key(&j, "level");
		json_out_u64(&j, row.level);
	}
	for (u32 i = 0; i < w->columns->len; i++)
		write_cell(w, &j, row, i);
	if (handle) {
		json_out_key(&j, "handle");
		json_out_text(&j, handle);
	}
	json_out_end(&j, '}');
	text = g_strndup(j.text->str, j.text->len);
	json_out_release(&j);
	return text;
}

static double share_of(struct answer_writer *w, struct row row)
{
	struct cell cell;

	if (w->share < 0)
		return 0;
	w->rows->ops->cell(w->rows, row, (u32)w->share, 0, &cell);
	return cell.kind == CELL_SHARE ? cell.real : 0;
}

/* Counts the row, and keeps it if it may fit. Rows behind one that does not fit are only counted. */
static void take_row(struct answer_writer *w, struct row row)
{
	struct answer *a = w->a;
	double share = share_of(w, row), counted = row.level && !w->look->by_share ? -1 : share;
	char *text;

	a->nr_rows++;
	if (counted > 0)
		a->share += counted;
	if (a->full || (w->look->skip_zero && share <= 0))
		return;
	a->full = a->rows->len == a->budget.rows;
	if (a->full)
		return;
	text = row_text(w, row);
	a->full = a->rows_size + strlen(text) > a->budget.bytes;
	if (a->full) {
		g_free(text);
		return;
	}
	a->rows_size += strlen(text) + 1;
	g_ptr_array_add(a->rows, text);
	g_array_append_val(a->shares, counted);
}

/* Calls @fn for all entries, each before those below it. */
static void each_row(struct answer_writer *w,
		     void (*fn)(struct answer_writer *w, struct row row, void *arg), void *arg)
{
	g_autoptr(GArray) levels = g_array_new(FALSE, FALSE, sizeof(struct row));
	struct row row = w->rows->ops->first(w->rows, (struct row){ ROW_NONE });

	for (;;) {
		struct row below = { ROW_NONE };

		while (row.kind != ROW_ENTRY && levels->len) {
			row = g_array_index(levels, struct row, levels->len - 1);
			g_array_set_size(levels, levels->len - 1);
			row = w->rows->ops->next(w->rows, row);
		}
		if (row.kind != ROW_ENTRY)
			return;
		fn(w, row, arg);
		if (w->rows->ops->foldable(w->rows, row))
			below = w->rows->ops->first(w->rows, row);
		if (below.kind == ROW_ENTRY) {
			g_array_append_val(levels, row);
			row = below;
		} else {
			row = w->rows->ops->next(w->rows, row);
		}
	}
}

static void take_one(struct answer_writer *w, struct row row, void *arg)
{
	take_row(w, row);
}

struct shared_row {
	double share;
	u32 at;
	struct row row;
};

static void rank_one(struct answer_writer *w, struct row row, void *arg)
{
	GArray *all = arg;
	struct shared_row r = { share_of(w, row), all->len, row };

	/* A source line adds up the instructions below it. */
	if (!w->rows->ops->foldable(w->rows, row))
		g_array_append_val(all, r);
}

static int by_share(const void *a, const void *b)
{
	const struct shared_row *x = a, *y = b;

	if (x->share != y->share)
		return x->share < y->share ? 1 : -1;
	return x->at < y->at ? -1 : x->at > y->at;
}

static void take_by_share(struct answer_writer *w)
{
	g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(struct shared_row));

	each_row(w, rank_one, all);
	g_array_sort(all, by_share);
	for (u32 i = 0; i < all->len; i++)
		take_row(w, g_array_index(all, struct shared_row, i).row);
}

static void write_units(struct answer_writer *w)
{
	struct json_out *j = &w->a->facts;

	json_out_key(j, "units");
	json_out_begin(j, '{');
	for (u32 i = 0; i < w->columns->len; i++) {
		const struct rows_column *c = column_at(w, i);
		const char *unit = c->unit ?: cell_kind_unit(c->kind);

		if (!unit)
			continue;
		json_out_key(j, c->name);
		json_out_text(j, unit);
	}
	json_out_end(j, '}');
}

void answer_page(struct answer *a, const struct page *page, const struct answer_look *look)
{
	struct answer_writer w;

	writing_init(&w, a, look, page->rows);
	json_out_key(&a->facts, "title");
	json_out_text(&a->facts, page->title ?: "");
	answer_facts(a, &page->notes);
	write_units(&w);
	a->has_rows = true;
	/* The column is of the page, which ends before the answer. */
	a->share_name = w.share < 0 ? NULL : g_strdup(column_at(&w, (u32)w.share)->name);
	if (look->by_share)
		take_by_share(&w);
	else
		each_row(&w, take_one, NULL);
	writing_release(&w);
}

char *answer_first_handle(const struct page *page, const struct answer_look *look)
{
	struct row first = page->rows->ops->first(page->rows, (struct row){ ROW_NONE });
	struct answer_writer w;
	char *handle;

	if (first.kind != ROW_ENTRY)
		return NULL;
	writing_init(&w, NULL, look, page->rows);
	handle = handle_of(&w, first);
	writing_release(&w);
	return handle;
}

void answer_facts(struct answer *a, const struct notes *notes)
{
	struct json_out *j = &a->facts;

	for (u32 i = 0; i < notes->list->len; i++) {
		const struct note *note = notes_at(notes, i);

		if (note->kind != NOTE_FACT || !note->name || note->value.kind == CELL_NONE)
			continue;
		json_out_key(j, note->name);
		if (note->value.kind == CELL_TEXT)
			json_out_text(j, note->words ?: "");
		else if (note->value.kind == CELL_ADDRESS)
			json_out_hex(j, note->value.number);
		else if (note->value.kind == CELL_SHARE || note->value.kind == CELL_AVERAGE)
			json_out_real(j, note->value.real);
		else if (note->value.is_signed)
			json_out_s64(j, (s64)note->value.number);
		else
			json_out_u64(j, note->value.number);
	}
}

void answer_note(struct answer *a, const char *text)
{
	g_autofree char *line = g_strdup(text);
	g_autofree char *cut = NULL;
	struct json_out j;

	g_strdelimit(line, "\n\t", ' ');
	cut = g_utf8_make_valid(line, (gssize)MIN(strlen(line), MAX_NOTE));
	json_out_init(&j, NULL);
	json_out_text(&j, cut);
	g_ptr_array_add(a->notes, g_strndup(j.text->str, j.text->len));
	json_out_release(&j);
}

void answer_notes(struct answer *a, const struct notes *notes)
{
	for (u32 i = 0; i < notes->list->len; i++) {
		const struct note *note = notes_at(notes, i);

		if (note->text && note->kind != NOTE_HINT &&
		    (note->kind != NOTE_FACT || !note->name))
			answer_note(a, note->text);
	}
}

void answer_next(struct answer *a, const char *tool, const char *argument, const char *text)
{
	struct json_out j;

	json_out_init(&j, NULL);
	json_out_begin(&j, '{');
	json_out_key(&j, "tool");
	json_out_text(&j, tool);
	json_out_key(&j, argument);
	json_out_text(&j, text);
	json_out_end(&j, '}');
	g_ptr_array_add(a->next, g_strndup(j.text->str, j.text->len));
	json_out_release(&j);
}

/* How many of these texts fit into @room, with commas. Takes their size from it. */
static u32 fitting(const GPtrArray *texts, size_t *room)
{
	u32 nr = 0;

	for (; nr < texts->len; nr++) {
		size_t size = strlen(texts->pdata[nr]) + 1;

		if (size > *room)
			break;
		*room -= size;
	}
	return nr;
}

static void append_list(GString *out, const char *name, const GPtrArray *texts, u32 nr)
{
	g_string_append_printf(out, ",\"%s\":[", name);
	for (u32 i = 0; i < nr; i++)
		g_string_append_printf(out, "%s%s", i ? "," : "", (char *)texts->pdata[i]);
	g_string_append_c(out, ']');
}

static void append_left_out(const struct answer *a, GString *out, u32 nr)
{
	double share = a->share;
	char text[G_ASCII_DTOSTR_BUF_SIZE];

	for (u32 i = 0; i < nr; i++)
		share -= MAX(0, g_array_index(a->shares, double, i));
	g_string_append_printf(out, ",\"left_out\":{\"rows\":%" G_GUINT64_FORMAT, a->nr_rows - nr);
	if (a->share_name)
		g_string_append_printf(out, ",\"%s\":%s", a->share_name,
				       g_ascii_formatd(text, sizeof(text), "%.12g",
						       rounded(MAX(0, share))));
	g_string_append_c(out, '}');
}

bool answer_end(struct answer *a, GString *out, GError **error)
{
	size_t least = a->facts.text->len + TAIL + (a->share_name ? strlen(a->share_name) + 16 : 0);
	size_t room, for_notes, before;
	u32 nr_notes, nr_next, nr;

	if (least > a->budget.bytes)
		return error_set(error, PERF_ERROR_USAGE,
				 "the answer needs at least %zu bytes without any row: ask with "
				 "bytes=%zu or more",
				 least, least + 1024);
	room = a->budget.bytes - least;
	nr_next = a->rows->len || !a->has_rows ? fitting(a->next, &room) : 0;
	/* A quarter for notes, or all that the rows leave. */
	for_notes = before = MAX(room / 4, room > a->rows_size ? room - a->rows_size : 0);
	nr_notes = fitting(a->notes, &for_notes);
	room -= before - for_notes;
	nr = fitting(a->rows, &room);
	g_string_append_len(out, a->facts.text->str, (gssize)a->facts.text->len);
	if (a->has_rows) {
		append_list(out, "rows", a->rows, nr);
		append_left_out(a, out, nr);
	}
	if (a->notes->len)
		append_list(out, "notes", a->notes, nr_notes);
	if (nr_notes < a->notes->len)
		g_string_append_printf(out, ",\"notes_left_out\":%u", a->notes->len - nr_notes);
	if (nr_next)
		append_list(out, "next", a->next, nr_next);
	g_string_append_c(out, '}');
	return true;
}
