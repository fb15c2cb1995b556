// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The layout of a type. The provider's rows are a tree. The screen shows a list: all rows that are not folded, and a
 * ruler at the start of each cache line. Even if rows are folded, the ruler is before the first shown row of the cache
 * line.
 */
#include <inttypes.h>
#include <string.h>

#include "base/table.h"
#include "base/text.h"
#include "pages/base/list_rows.h"
#include "view/tui/annotate_private.h"

#define MAX_LINES  100000 /* limit of lines in the list */
#define MANY_LINES 200	  /* types with more lines are folded at first */
#define INDENT	   2
#define TYPE_MOST  32 /* columns for a member's type */

/* A line of the list: a row of the provider, a ruler or the end. */
enum line_kind { SHOWN_ROW, SHOWN_RULER, SHOWN_END };

struct shown_line {
	enum line_kind kind;
	struct row row;
	u64 cache_line;
};

/* A list, as shown once. rows_view frees it with its page. */
struct shown {
	const struct page *page; /* the provider's page */
	GArray *lines;		 /* struct shown_line */
};

struct layout_view {
	struct annotate_view annotate;
	u32 at; /* number of the page */
	struct page *page;
	GHashTable *folded; /* keys of the rows whose members are folded */
	GString *text;
	u32 type_width;
	bool hides_cold;
};

static struct layout_view *of(const struct tui_view *view)
{
	return container_of(annotate_view_of((struct tui_view *)view), struct layout_view,
			    annotate);
}

static const struct shown_line *line_at(const struct rows_view *view, struct row row)
{
	const struct shown *shown = view->page->own;

	return &g_array_index(shown->lines, struct shown_line, list_rows_line(row));
}

static struct rows *rows_of(const struct layout_view *v)
{
	return v->page->rows;
}

static u64 number_of(const struct layout_view *v, struct row row, u32 column)
{
	struct cell cell;

	rows_of(v)->ops->cell(rows_of(v), row, column, 0, &cell);
	return cell.kind == CELL_NONE ? 0 : cell.number;
}

static const char *text_of(struct layout_view *v, struct row row, u32 column)
{
	GString *text = v->text;
	struct cell cell;

	g_string_truncate(text, 0);
	rows_of(v)->ops->cell(rows_of(v), row, column, 0, &cell);
	if (cell.kind == CELL_TEXT)
		rows_of(v)->ops->text(rows_of(v), row, column, 0, text);
	return text->str;
}

/* The list. */

/* Never called: draw_row() uses the provider's rows. */
static void shown_cell(const void *arg, u32 i, u32 column, u32 part, struct cell *out)
{
	out->kind = CELL_NONE;
}

static void shown_text(const void *arg, u32 i, u32 column, u32 part, GString *out)
{
}

static u64 shown_key(const void *arg, u32 i)
{
	const struct shown *shown = arg;
	const struct shown_line *line = &g_array_index(shown->lines, struct shown_line, i);

	if (line->kind == SHOWN_ROW)
		return shown->page->rows->ops->key(shown->page->rows, line->row);
	return table_mix(line->cache_line, line->kind);
}

static bool shown_about(const struct page *page, struct row row, struct about *out)
{
	const struct shown *shown = page->own;
	const struct shown_line *line =
		&g_array_index(shown->lines, struct shown_line, list_rows_line(row));

	return line->kind == SHOWN_ROW && shown->page->about(shown->page, line->row, out);
}

static bool is_cold(const struct layout_view *v, struct row row)
{
	struct rows_column column;
	struct cell cell;

	rows_of(v)->ops->column(rows_of(v), ANNOTATE_SAMPLES, &column);
	for (u32 part = 0; part < column.nr_parts; part++) {
		rows_of(v)->ops->cell(rows_of(v), row, ANNOTATE_SAMPLES, part, &cell);
		if (cell.number)
			return false;
	}
	return true;
}

static bool is_folded(const struct layout_view *v, struct row row)
{
	u64 key = rows_of(v)->ops->key(rows_of(v), row);

	return g_hash_table_contains(v->folded, &key);
}

static void set_folded(struct layout_view *v, struct row row, bool folded)
{
	u64 key = rows_of(v)->ops->key(rows_of(v), row);

	if (folded)
		g_hash_table_add(v->folded, g_memdup2(&key, sizeof(key)));
	else
		g_hash_table_remove(v->folded, &key);
}

struct layout_adding {
	const struct layout_view *v;
	GArray *lines;
	s64 cache_line; /* of the previous row; -1: there is none */
};

static void add_below(struct layout_adding *a, struct row parent)
{
	struct rows *rows = rows_of(a->v);
	struct row row = rows->ops->first(rows, parent);

	for (; row.kind != ROW_NONE && a->lines->len < MAX_LINES;
	     row = rows->ops->next(rows, row)) {
		struct shown_line line = { SHOWN_ROW, row, number_of(a->v, row, TYPE_LINE) };
		struct shown_line ruler = { SHOWN_RULER, row, line.cache_line };

		if (a->v->hides_cold && row.level && is_cold(a->v, row))
			continue;
		if (row.level && (s64)line.cache_line != a->cache_line) {
			g_array_append_val(a->lines, ruler);
			a->cache_line = (s64)line.cache_line;
		}
		g_array_append_val(a->lines, line);
		if (rows->ops->foldable(rows, row) && !is_folded(a->v, row))
			add_below(a, row);
	}
}

static void shown_free(void *own)
{
	struct shown *shown = own;

	g_array_unref(shown->lines);
	g_free(shown);
}

static struct page *make_list(struct layout_view *v)
{
	static const struct rows_column column = { "line", "", .kind = CELL_TEXT };
	static const struct list_ops ops = { shown_cell, shown_text, shown_key };
	struct shown *shown = g_new0(struct shown, 1);
	struct page *page = page_new(g_strdup(v->page->title));
	struct layout_adding adding = { v, NULL, -1 };

	shown->page = v->page;
	adding.lines = shown->lines = g_array_new(FALSE, FALSE, sizeof(struct shown_line));
	add_below(&adding, (struct row){ ROW_NONE });
	g_array_append_vals(shown->lines, &(struct shown_line){ .kind = SHOWN_END }, 1);
	page->own = shown;
	page->free_own = shown_free;
	page->about = shown_about;
	page->rows = list_rows_new(&column, 1, &ops, shown);
	for (u32 i = 0; i < shown->lines->len; i++)
		list_rows_add(page->rows, LIST_TOP);
	return page;
}

static void renew(struct layout_view *v)
{
	rows_view_replace(&v->annotate.rows, make_list(v));
}

/* Drawing. */

struct room {
	u32 value;    /* width of a value */
	u32 nr_parts; /* values next to each other */
	bool roles;   /* reads and writes are shown separately */
	bool size;
	bool types; /* show types of members; a narrow screen has only names */
};

static struct room room_of(const struct layout_view *v, u32 columns)
{
	struct rows_column column;
	struct room room = { .value = annotate_value_width(v->annotate.a) };
	u32 needs;

	rows_of(v)->ops->column(rows_of(v), ANNOTATE_SHARE, &column);
	room.nr_parts = MIN(column.nr_parts, MAX(1, columns / 3 / (room.value + 1)));
	needs = room.nr_parts * (room.value + 1);
	room.roles = needs * 3 + 14 + 24 <= columns;
	room.types = needs * (room.roles ? 3 : 1) + 14 + 26 <= columns;
	room.size = room.types;
	return room;
}

static void draw_titles(struct rows_view *view, struct pen *pen)
{
	const struct layout_view *v = of(&view->view);
	struct room room = room_of(v, screen_columns(pen->screen));
	u32 width = room.nr_parts * (room.value + 1) - 1;

	pen_fit(pen, INK_HEADING, annotate_value_title(v->annotate.a), width, true);
	if (room.roles) {
		pen_text(pen, INK_PLAIN, " ");
		pen_fit(pen, INK_HEADING, "Reads", width, true);
		pen_text(pen, INK_PLAIN, " ");
		pen_fit(pen, INK_HEADING, "Writes", width, true);
	}
	pen_text(pen, INK_HEADING, "  Offset");
	pen_text(pen, INK_HEADING, room.size ? "  Size" : "");
	pen_text(pen, INK_HEADING, "  Field");
}

static void draw_ruler(const struct layout_view *v, const struct shown_line *line, struct pen *pen)
{
	u64 size = annotate_fact(v->page, "cache_line_size");
	g_autofree char *text = g_strdup_printf(" line %" PRIu64 " (%#" PRIx64 ") ",
						line->cache_line, line->cache_line * size);
	u32 columns = MIN(pen->to - MIN(pen->to, (u32)pen->at), 78);
	u32 width = (u32)strlen(text);

	pen_repeat(pen, INK_FAINT, 0x2500, columns - MIN(columns, width + 4));
	pen_text(pen, INK_FAINT, text);
	pen_repeat(pen, INK_FAINT, 0x2500, 4);
}

static void draw_end(const struct layout_view *v, struct pen *pen)
{
	u64 size = annotate_fact(v->page, "size"), lines = annotate_fact(v->page, "cache_lines");
	u64 rest = size % annotate_fact(v->page, "cache_line_size");

	pen_printf(pen, INK_FAINT, "end: %" PRIu64 " byte%s, %" PRIu64 " cache line%s", size,
		   text_plural(size), lines, text_plural(lines));
	if (rest && lines > 1)
		pen_printf(pen, INK_FAINT, "; %" PRIu64 " byte%s in the last one", rest,
			   text_plural(rest));
}

static void draw_values(struct layout_view *v, struct row row, const struct room *room,
			struct pen *pen)
{
	static const u32 columns[] = { ANNOTATE_SHARE, TYPE_READS, TYPE_WRITES };

	for (u32 c = 0; c < (room->roles ? ARRAY_SIZE(columns) : 1); c++) {
		for (u32 part = 0; part < room->nr_parts; part++) {
			annotate_draw_value(v->annotate.a, rows_of(v), row, columns[c], part,
					    room->value, c != 0, pen);
			pen_text(pen, INK_PLAIN, " ");
		}
	}
}

/* "▾ struct risk  risk", "uint64_t  id  ← hot". */
static void draw_name(struct layout_view *v, struct row row, const struct room *room,
		      struct pen *pen)
{
	bool foldable = rows_of(v)->ops->foldable(rows_of(v), row);
	g_autofree char *mark = g_strdup(text_of(v, row, TYPE_MARK));
	bool hot = !strcmp(mark, "hot"), member = hot || !*mark;
	u32 bits = (u32)number_of(v, row, TYPE_BITS), indent = row.level * INDENT;

	/* Scroll with Left and Right. */
	pen->at -= (s32)v->annotate.rows.left * 8;
	pen_repeat(pen, INK_PLAIN, ' ', indent - MIN(indent, row.level ? INDENT : 0));
	pen_text(pen, INK_ARROW, !foldable ? "  " : is_folded(v, row) ? "▸ " : "▾ ");
	if (!member) {
		pen_printf(pen, INK_FAINT, "%s", text_of(v, row, TYPE_TYPE));
		return;
	}
	if (!row.level || (!room->types && !*text_of(v, row, TYPE_MEMBER))) {
		pen_text(pen, INK_NAME, text_of(v, row, TYPE_TYPE));
		return;
	}
	if (room->types) {
		pen_fit(pen, INK_NAME, text_of(v, row, TYPE_TYPE),
			v->type_width - MIN(v->type_width / 2, indent), false);
		pen_text(pen, INK_PLAIN, "  ");
	}
	pen_text(pen, hot ? INK_GLOW : INK_PLAIN, text_of(v, row, TYPE_MEMBER));
	if (bits)
		pen_printf(pen, hot ? INK_GLOW : INK_PLAIN, ":%u", bits);
	if (hot)
		pen_text(pen, INK_HOT, "  ← hot");
}

static void draw_row(struct rows_view *view, const struct visible_row *shown, struct pen *pen)
{
	const struct shown_line *line = line_at(view, shown->row);
	struct layout_view *v = of(&view->view);
	struct room room = room_of(v, screen_columns(pen->screen));
	u32 from = pen->from;

	if (line->kind == SHOWN_RULER) {
		draw_ruler(v, line, pen);
		return;
	}
	if (line->kind == SHOWN_END) {
		draw_end(v, pen);
		return;
	}
	draw_values(v, line->row, &room, pen);
	pen_printf(pen, INK_FAINT, " %#6" PRIx64, number_of(v, line->row, TYPE_OFFSET));
	if (room.size)
		pen_printf(pen, INK_PLAIN, " %5" PRIu64, number_of(v, line->row, TYPE_SIZE));
	pen_text(pen, INK_PLAIN, "  ");
	pen->from = (u32)pen->at;
	draw_name(v, line->row, &room, pen);
	pen->from = from;
}

/* Keys. */

static struct row row_of(const struct layout_view *v)
{
	struct row row = rows_view_row(&v->annotate.rows);
	const struct shown_line *line;

	if (row.kind != ROW_ENTRY)
		return row;
	line = line_at(&v->annotate.rows, row);
	return line->kind == SHOWN_ROW ? line->row : (struct row){ ROW_NONE };
}

static void fold_one(struct tui_view *view, struct tui *tui, u32 key)
{
	struct layout_view *v = of(view);
	struct row row = row_of(v);

	if (row.kind != ROW_ENTRY || !rows_of(v)->ops->foldable(rows_of(v), row)) {
		tui_say(tui, "there is nothing below this row");
		return;
	}
	set_folded(v, row, !is_folded(v, row));
	renew(v);
}

static void fold_below(struct layout_view *v, struct row row, bool folded)
{
	struct row child;

	if (!rows_of(v)->ops->foldable(rows_of(v), row))
		return;
	set_folded(v, row, folded);
	child = rows_of(v)->ops->first(rows_of(v), row);
	for (; child.kind != ROW_NONE; child = rows_of(v)->ops->next(rows_of(v), child))
		fold_below(v, child, folded);
}

static void fold_deep(struct tui_view *view, struct tui *tui, u32 key)
{
	struct layout_view *v = of(view);
	struct row row = row_of(v);

	if (row.kind != ROW_ENTRY)
		return;
	fold_below(v, row, !is_folded(v, row));
	renew(v);
}

/* Folds all members. The type itself stays open. */
static void fold_all(struct layout_view *v)
{
	struct row top = rows_of(v)->ops->first(rows_of(v), (struct row){ ROW_NONE });

	fold_below(v, top, true);
	set_folded(v, top, false);
}

static void collapse(struct tui_view *view, struct tui *tui, u32 key)
{
	fold_all(of(view));
	renew(of(view));
}

static void enter(struct tui_view *view, struct tui *tui, u32 key)
{
	struct layout_view *v = of(view);
	struct about about;

	if (annotate_view_about(&v->annotate, &about))
		annotate_open(tui, v->annotate.a, OPEN_FIELD, &about);
	else
		tui_say(tui, "this row is not a field");
}

static void hide_cold(struct tui_view *view, struct tui *tui, u32 key)
{
	struct layout_view *v = of(view);

	v->hides_cold = !v->hides_cold;
	renew(v);
	tui_say(tui, v->hides_cold ? "only fields with samples" : "all fields");
}

static void next_values(struct tui_view *view, struct tui *tui, u32 key)
{
	annotate_next_values(of(view)->annotate.a, tui);
}

/* The width of the widest type, within the first lines. */
static void measure(struct layout_view *v)
{
	const struct shown *shown = v->annotate.rows.page->own;

	v->type_width = 8;
	for (u32 i = 1; i < MIN(shown->lines->len, MANY_LINES); i++) {
		const struct shown_line *line = &g_array_index(shown->lines, struct shown_line, i);
		const char *text = line->kind == SHOWN_ROW ? text_of(v, line->row, TYPE_TYPE) : "";
		u32 columns = text_columns(text, strlen(text)) + line->row.level * INDENT;

		v->type_width = MAX(v->type_width, MIN(columns, TYPE_MOST));
	}
}

static void open_page(struct layout_view *v, u32 at)
{
	u64 lines = 0;

	v->page = v->annotate.pages->ops->open(v->annotate.pages, at);
	v->at = at;
	g_hash_table_remove_all(v->folded);
	for (struct row row = rows_of(v)->ops->first(rows_of(v), (struct row){ ROW_NONE });
	     row.kind != ROW_NONE; row = rows_of(v)->ops->next(rows_of(v), row))
		lines += rows_of(v)->ops->nr(rows_of(v), row);
	if (lines > MANY_LINES)
		fold_all(v);
}

static void other_type(struct tui_view *view, struct tui *tui, u32 key)
{
	struct layout_view *v = of(view);
	u32 nr = v->annotate.pages->nr;
	struct page *old = v->page;

	if (nr < 2) {
		tui_say(tui, "there is no other type");
		return;
	}
	open_page(v, (v->at + (key == '<' ? nr - 1 : 1)) % nr);
	renew(v);
	page_free(old);
	measure(v);
	rows_view_go(&v->annotate.rows, 0);
	tui_say(tui, "type %u of %u", v->at + 1, nr);
}

static const struct tui_key layout_keys[] = {
	{ KEY_ENTER, 0, "code that touches it", "the instructions that touch this field", enter },
	{ 'n', 0, "next type", "the next type, the one before", other_type },
	{ '>', 0, NULL, NULL, other_type },
	{ '<', 0, NULL, NULL, other_type },
	{ 'x', 0, "hide cold", "show or hide fields without samples", hide_cold },
	{ 't', 0, NULL, "values: percent, periods, samples", next_values },
	{ '+', 0, NULL, "unfold or fold this row", fold_one },
	{ 'e', 0, NULL, NULL, fold_one },
	{ 'E', 0, NULL, "unfold or fold all below this row", fold_deep },
	{ 'C', 0, NULL, "fold all", collapse },
	{ 0 },
};

static const struct tui_key *const keys[] = { layout_keys, annotate_keys, rows_view_keys,
					      annotate_back_keys, NULL };

static void title(const struct tui_view *view, GString *out)
{
	annotate_view_title(&of(view)->annotate, out);
	g_string_append(out, of(view)->page->title);
}

static void status(const struct tui_view *view, GString *out)
{
	u64 samples = annotate_fact(of(view)->page, "samples");

	g_string_append_printf(out, "%" PRIu64 " sample%s of %s", samples, text_plural(samples),
			       notes_find(&of(view)->page->notes, "event")->words);
}

static void view_free(struct tui_view *view)
{
	struct layout_view *v = of(view);

	page_free(v->page);
	annotate_view_release(&v->annotate);
	g_hash_table_unref(v->folded);
	g_string_free(v->text, TRUE);
	g_free(v);
}

static const struct rows_view_ops rows_ops = { .draw_row = draw_row, .draw_titles = draw_titles };
static const struct tui_view_ops ops = { "layout", keys,	   title,
					 status,   rows_view_draw, annotate_view_shown,
					 view_free };

bool annotate_open_layout(struct tui *tui, struct tui_annotate *a, bool owns,
			  const struct about *about)
{
	g_autoptr(GError) error = NULL;
	struct layout_view *v;
	struct pages *pages;
	s64 at = 0;

	annotate_will_read(tui, a);
	pages = annotator_types(a->annotator, &error);
	if (pages && (about || a->pattern))
		at = type_pages_find(pages,
				     about ? annotator_type(a->annotator, about->type) : NULL,
				     a->pattern);
	if (!pages || !pages->nr || at < 0) {
		tui_warn(tui, "%s", error ? error->message : "no sample touches such a type here");
		pages_free(pages);
		return false;
	}
	v = g_new0(struct layout_view, 1);
	v->annotate = (struct annotate_view){ .a = a, .owns = owns, .first = owns, .pages = pages };
	v->folded = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	v->text = g_string_new(NULL);
	open_page(v, (u32)at);
	rows_view_init(&v->annotate.rows, &ops, &rows_ops, make_list(v));
	measure(v);
	tui_push(tui, &v->annotate.rows.view);
	return true;
}
