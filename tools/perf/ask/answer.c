// SPDX-License-Identifier: GPL-2.0-or-later
#include "ask/answer.h"

#include <math.h>
#include <string.h>

#include "ask/handle.h"
#include "dso/dso.h"
#include "pages/base/about.h"
#include "view/json/rows.h"

#define MAX_NOTE 400 /* bytes */
/* Bytes of "rows", "left_out", "notes", "next" and their brackets, and of numbers. */
#define TAIL 96

void answer_init(struct answer *a, const char *tool, const struct budget *budget)
{
	*a = (struct answer){ .budget = *budget };
	json_out_init(&a->facts, NULL);
	a->facts.one_line = true;
	json_out_begin(&a->facts, '{');
	json_out_pair(&a->facts, "tool", tool);
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

/* The column whose sum is told; -1: none. */
static s32 share_column(struct rows *rows, struct rows_column *out)
{
	for (u32 i = 0; i < rows->nr_columns; i++) {
		rows->ops->column(rows, i, out);
		if (out->kind == CELL_SHARE)
			return (s32)i;
	}
	return -1;
}

double answer_share(struct rows *rows, struct row row)
{
	struct rows_column column;
	s32 i = share_column(rows, &column);
	struct cell cell = { 0 };

	if (i >= 0)
		rows->ops->cell(rows, row, (u32)i, 0, &cell);
	return cell.kind == CELL_SHARE ? cell.real : 0;
}

char *answer_handle(struct rows *rows, struct row row, const struct answer_look *look)
{
	GString *handle = g_string_new(look->within);
	bool any = false;

	for (u32 i = 0; look->keys && i < look->keys->len; i++) {
		const char *key = look->keys->pdata[i];
		s32 column = rows_find_column(rows, key);
		g_autoptr(GString) text = g_string_new(NULL);

		if (column >= 0)
			rows->ops->text(rows, row, (u32)column, 0, text);
		if (!*g_strstrip(text->str))
			continue;
		handle_append(handle, key, text->str);
		any = true;
	}
	return g_string_free(handle, !any);
}

/* A row that may be written. */
struct row_candidate {
	struct row row;
	u32 at;
	double share, certain; /* of its share */
	bool is_part;	       /* of another row's share */
	char *handle;	       /* NULL: it has none, or is not known yet */
};

/* A page's rows while they are written. */
struct page_writer {
	const struct answer_look *look;
	const struct page *page;
	struct rows *rows;
	struct json_rows json;
	GArray *all; /* struct row_candidate */
};

static void release_candidate(void *arg)
{
	g_free(((struct row_candidate *)arg)->handle);
}

static void add_candidate(struct page_writer *w, struct row row)
{
	struct row_candidate c = { .row = row, .at = w->all->len };
	const double *certain;

	/* A source line adds up the instructions below it. */
	if (w->look->by_share && w->rows->ops->foldable(w->rows, row))
		return;
	c.share = c.certain = answer_share(w->rows, row);
	if (w->look->skip_zero && c.share <= 0)
		return;
	c.is_part = row.level && !w->look->by_share;
	if (w->look->certain) {
		c.handle = answer_handle(w->rows, row, w->look);
		certain = c.handle ? g_hash_table_lookup(w->look->certain, c.handle) : NULL;
		c.certain = certain ? *certain : 0;
	}
	g_array_append_val(w->all, c);
}

/* All entries, each before those below it. Has its own stack instead of recursion. */
static void add_candidates(struct page_writer *w)
{
	g_autoptr(GArray) levels = g_array_new(FALSE, FALSE, sizeof(struct row));
	struct row at = w->rows->ops->first(w->rows, (struct row){ ROW_NONE });

	while (at.kind == ROW_ENTRY || levels->len) {
		struct row below = { ROW_NONE };

		if (at.kind != ROW_ENTRY) {
			at = g_array_index(levels, struct row, levels->len - 1);
			g_array_set_size(levels, levels->len - 1);
			at = w->rows->ops->next(w->rows, at);
			continue;
		}
		add_candidate(w, at);
		if (w->rows->ops->foldable(w->rows, at))
			below = w->rows->ops->first(w->rows, at);
		if (below.kind == ROW_ENTRY)
			g_array_append_val(levels, at);
		at = below.kind == ROW_ENTRY ? below : w->rows->ops->next(w->rows, at);
	}
}

static int by_certain_share(const void *a, const void *b)
{
	const struct row_candidate *x = a, *y = b;

	if (x->certain != y->certain)
		return x->certain < y->certain ? 1 : -1;
	if (x->share != y->share)
		return x->share < y->share ? 1 : -1;
	return x->at < y->at ? -1 : x->at > y->at;
}

static double rounded(double percent)
{
	return round(percent * 100) / 100;
}

/* The instruction that a row without handle is about, as the tool derive takes it. */
static void write_place(struct page_writer *w, struct row row)
{
	struct about about = { 0 };
	g_autofree char *place = NULL;

	if (w->look->keys || !w->page->about || !w->page->about(w->page, row, &about) ||
	    !about.symbol)
		return;
	place = g_strdup_printf("%s+0x%" G_GINT64_MODIFIER "x", about.symbol->raw,
				about.vaddr - about.symbol->start);
	json_out_pair(&w->json.json, "place", place);
}

static char *row_text(struct page_writer *w, struct row_candidate *c)
{
	struct json_out *j = &w->json.json;
	char *text;

	json_out_begin(j, '{');
	if (c->row.level && !w->look->by_share) {
		json_out_key(j, "level");
		json_out_u64(j, c->row.level);
	}
	json_rows_cells(&w->json, c->row);
	write_place(w, c->row);
	if (c->certain != c->share) {
		json_out_key(j, "certain");
		json_out_real(j, rounded(c->certain));
	}
	c->handle = c->handle ?: answer_handle(w->rows, c->row, w->look);
	if (c->handle)
		json_out_pair(j, "handle", c->handle);
	json_out_end(j, '}');
	text = g_strndup(j->text->str, j->text->len);
	g_string_truncate(j->text, 0);
	j->comma = false;
	return text;
}

/* Counts the rows, and keeps those that may fit: rows behind one that does not are only counted. */
static void take_rows(struct answer *a, struct page_writer *w)
{
	bool full = false;

	for (u32 i = 0; i < w->all->len; i++) {
		struct row_candidate *c = &g_array_index(w->all, struct row_candidate, i);
		double share = c->is_part ? 0 : c->share;
		char *text;

		a->nr_rows++;
		a->share += share;
		full |= a->rows->len == a->budget.rows;
		if (full)
			continue;
		text = row_text(w, c);
		a->rows_size += strlen(text) + 1;
		full = a->rows_size > a->budget.bytes;
		g_ptr_array_add(a->rows, text);
		g_array_append_val(a->shares, share);
	}
}

static void write_units(struct answer *a, struct rows *rows)
{
	json_out_open(&a->facts, "units", '{');
	for (u32 i = 0; i < rows->nr_columns; i++) {
		struct rows_column c;
		const char *unit;

		rows->ops->column(rows, i, &c);
		unit = c.unit ?: cell_kind_unit(c.kind);
		if (unit)
			json_out_pair(&a->facts, c.name, unit);
	}
	json_out_end(&a->facts, '}');
}

void answer_page(struct answer *a, const struct page *page, const struct answer_look *look)
{
	struct page_writer w = { .look = look, .page = page, .rows = page->rows };
	struct rows_column share;

	json_out_pair(&a->facts, "title", page->title ?: "");
	json_facts(&a->facts, &page->notes, true);
	write_units(a, page->rows);
	a->has_rows = true;
	/* The column is of the page, which ends before the answer. */
	a->share_name = share_column(page->rows, &share) < 0 ? NULL : g_strdup(share.name);
	json_rows_init(&w.json, NULL);
	json_rows_use(&w.json, page->rows);
	w.json.brief = true;
	w.all = g_array_new(FALSE, FALSE, sizeof(struct row_candidate));
	g_array_set_clear_func(w.all, release_candidate);
	add_candidates(&w);
	if (look->by_share || look->certain)
		g_array_sort(w.all, by_certain_share);
	take_rows(a, &w);
	if (w.all->len && g_array_index(w.all, struct row_candidate, 0).handle)
		answer_next(a, "drill", "handle",
			    g_array_index(w.all, struct row_candidate, 0).handle, look);
	g_array_unref(w.all);
	json_rows_release(&w.json);
}

/* The text of the JSON value, which is released. */
static char *finish(struct json_out *j)
{
	char *text = g_strndup(j->text->str, j->text->len);

	json_out_release(j);
	return text;
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
	g_ptr_array_add(a->notes, finish(&j));
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

void answer_next(struct answer *a, const char *tool, const char *argument, const char *text,
		 const struct answer_look *look)
{
	struct json_out j;

	json_out_init(&j, NULL);
	json_out_begin(&j, '{');
	json_out_pair(&j, "tool", tool);
	if (look && look->file)
		json_out_pair(&j, "file", look->file);
	if (look && look->part)
		json_out_pair(&j, "part", look->part);
	json_out_pair(&j, argument, text);
	json_out_end(&j, '}');
	g_ptr_array_add(a->next, finish(&j));
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
		share -= g_array_index(a->shares, double, i);
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
