// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/tui/beside.h"

#include <inttypes.h>
#include <string.h>

#include "base/table.h"
#include "pages/base/list_rows.h"
#include "pages/code/beside_pages.h"
#include "view/tui/annotate_private.h"

#define LINE	  64 /* bytes of a cache line */
#define INDENT	  2
#define MAX_LINES 100000 /* limit of lines in the list */

enum { BEFORE, NOW, NR_SIDES };

/* A line of the list: a row of the provider, or the source line above it. */
struct beside_shown {
	struct row row;
	bool source;
};

/* A list, as shown once. rows_view frees it with its page. */
struct beside_list {
	const struct page *page; /* the provider's page */
	GArray *lines;		 /* struct beside_shown */
};

struct beside_view {
	struct rows_view rows;
	struct tui_annotate *sides[NR_SIDES];
	struct pages *pages;
	struct page *page; /* the provider's */
	u32 at;		   /* its number */
	bool types, source;
	GString *text;
};

static struct beside_view *of(const struct tui_view *view)
{
	return container_of(container_of((struct tui_view *)view, struct rows_view, view),
			    struct beside_view, rows);
}

static const struct beside_shown *line_at(const struct rows_view *view, struct row row)
{
	const struct beside_list *list = view->page->own;

	return &g_array_index(list->lines, struct beside_shown, list_rows_line(row));
}

static struct rows *rows_of(const struct beside_view *v)
{
	return v->page->rows;
}

/* --- cells of the provider's rows */

static bool find_number(const struct beside_view *v, struct row row, u32 column, u64 *number)
{
	struct cell cell;

	rows_of(v)->ops->cell(rows_of(v), row, column, 0, &cell);
	*number = cell.number;
	return cell.kind != CELL_NONE;
}

/* Valid until the next call; "": it has none. */
static const char *text_of(struct beside_view *v, struct row row, u32 column)
{
	u64 number;

	g_string_truncate(v->text, 0);
	if (find_number(v, row, column, &number))
		rows_of(v)->ops->text(rows_of(v), row, column, 0, v->text);
	return v->text->str;
}

/* --- the list */

/* Never called: draw_row() uses the provider's rows. */
static void list_cell(const void *arg, u32 line, u32 column, u32 part, struct cell *out)
{
	out->kind = CELL_NONE;
}

static void list_text(const void *arg, u32 line, u32 column, u32 part, GString *out)
{
}

static u64 list_key(const void *arg, u32 line)
{
	const struct beside_list *list = arg;
	const struct beside_shown *l = &g_array_index(list->lines, struct beside_shown, line);

	return table_mix(list->page->rows->ops->key(list->page->rows, l->row), l->source);
}

static void list_free(void *own)
{
	struct beside_list *list = own;

	g_array_unref(list->lines);
	g_free(list);
}

/* Is the source line of @row another than that of the row before, which @file and @line have? */
static bool begins_source(struct beside_view *v, struct row row, GString *file, u64 *line)
{
	u64 number;

	if (!v->source || v->types || !find_number(v, row, BESIDE_LINE, &number) || !number)
		return false;
	text_of(v, row, BESIDE_FILE);
	if (number == *line && g_string_equal(v->text, file))
		return false;
	*line = number;
	g_string_assign(file, v->text->str);
	return true;
}

static void add_lines(struct beside_view *v, struct row parent, GArray *lines, GString *file,
		      u64 *line)
{
	struct rows *rows = rows_of(v);

	for (struct row row = rows->ops->first(rows, parent);
	     row.kind != ROW_NONE && lines->len < MAX_LINES; row = rows->ops->next(rows, row)) {
		if (begins_source(v, row, file, line))
			g_array_append_vals(lines, &(struct beside_shown){ row, true }, 1);
		g_array_append_vals(lines, &(struct beside_shown){ row, false }, 1);
		add_lines(v, row, lines, file, line);
	}
}

static struct page *list_page(struct beside_view *v)
{
	static const struct rows_column column = { "line", "", .kind = CELL_TEXT };
	static const struct list_ops ops = { list_cell, list_text, list_key };
	struct beside_list *list = g_new0(struct beside_list, 1);
	struct page *page = page_new(g_strdup(v->page->title));
	g_autoptr(GString) file = g_string_new(NULL);
	u64 line = 0;

	list->page = v->page;
	list->lines = g_array_new(FALSE, FALSE, sizeof(struct beside_shown));
	add_lines(v, (struct row){ ROW_NONE }, list->lines, file, &line);
	page->own = list;
	page->free_own = list_free;
	page->rows = list_rows_new(&column, 1, &ops, list);
	for (u32 i = 0; i < list->lines->len; i++)
		list_rows_add(page->rows, LIST_TOP);
	return page;
}

/* The line with the largest sum of both shares; of a type, the first one is the whole. */
static u32 hottest(const struct beside_view *v, const struct page *page)
{
	const GArray *lines = ((const struct beside_list *)page->own)->lines;
	double most = 0;
	u32 found = 0;

	for (u32 i = v->types; i < lines->len; i++) {
		const struct beside_shown *line = &g_array_index(lines, struct beside_shown, i);
		struct cell before, now;

		rows_of(v)->ops->cell(rows_of(v), line->row, BESIDE_SHARE_BEFORE, 0, &before);
		rows_of(v)->ops->cell(rows_of(v), line->row, BESIDE_SHARE, 0, &now);
		before.real = before.kind == CELL_NONE ? 0 : before.real;
		now.real = now.kind == CELL_NONE ? 0 : now.real;
		if (line->source || before.real + now.real <= most)
			continue;
		most = before.real + now.real;
		found = i;
	}
	return found;
}

/* --- drawing */

static void draw_values(struct beside_view *v, struct row row, struct pen *pen)
{
	static const u32 columns[NR_SIDES] = { BESIDE_SHARE_BEFORE, BESIDE_SHARE };
	u32 width = annotate_value_width(v->sides[NOW]);

	for (u32 side = 0; side < NR_SIDES; side++) {
		annotate_draw_value(v->sides[NOW], rows_of(v), row, columns[side], 0, width, true,
				    pen);
		pen_text(pen, INK_PLAIN, " ");
	}
}

/* What is new or changed is as hot as a growth, what is gone as a loss. */
static enum ink ink_of(const char *change)
{
	return !*change ? INK_PLAIN : !strcmp(change, "gone") ? INK_WARM : INK_HOT;
}

/* As sdiff(1) has it: ">" new, "<" gone, "|" changed. */
static const char *sign_of(const char *change)
{
	return !*change ? " " : !strcmp(change, "new") ? ">" : !strcmp(change, "gone") ? "<" : "|";
}

static void draw_source(struct beside_view *v, struct row row, struct pen *pen)
{
	const char *text;
	u64 line = 0;

	pen_repeat(pen, INK_PLAIN, ' ', 2 * (annotate_value_width(v->sides[NOW]) + 1));
	find_number(v, row, BESIDE_LINE, &line);
	pen_printf(pen, INK_FAINT, "%-5" PRIu64 " ", line);
	for (text = text_of(v, row, BESIDE_SOURCE); g_ascii_isspace(*text);)
		text++;
	if (!*text) {
		text = strrchr(text_of(v, row, BESIDE_FILE), '/');
		text = text ? text + 1 : v->text->str;
	}
	pen_last(pen, INK_SOURCE, text);
}

/* The columns of an instruction: half of what is right of the values. */
static u32 code_width(const struct beside_view *v, const struct pen *pen)
{
	u32 left = 2 + 2 * (annotate_value_width(v->sides[NOW]) + 1) + 3;

	return (screen_columns(pen->screen) - MIN(left, screen_columns(pen->screen))) / 2;
}

static void draw_code(struct beside_view *v, struct row row, struct pen *pen)
{
	g_autofree char *change = g_strdup(text_of(v, row, BESIDE_CHANGE));
	u32 width = code_width(v, pen);

	draw_values(v, row, pen);
	pen_fit(pen, ink_of(change), text_of(v, row, BESIDE_INSTRUCTION_BEFORE), width, false);
	pen_printf(pen, INK_ARROW, " %s ", sign_of(change));
	pen_last(pen, ink_of(change), text_of(v, row, BESIDE_INSTRUCTION));
}

static void draw_number(struct beside_view *v, struct row row, u32 column, struct pen *pen)
{
	u64 number;

	if (find_number(v, row, column, &number))
		pen_printf(pen, INK_PLAIN, " %#8" PRIx64, number);
	else
		pen_repeat(pen, INK_PLAIN, ' ', 9);
}

/* "moved, line 0 → 2": of 64 bytes */
static void draw_change(struct beside_view *v, struct row row, struct pen *pen)
{
	const char *change = text_of(v, row, BESIDE_CHANGE);
	enum ink ink = ink_of(change);
	u64 before, now;

	if (!*change)
		return;
	pen_printf(pen, ink, "  %s", change);
	if (find_number(v, row, BESIDE_OFFSET_BEFORE, &before) &&
	    find_number(v, row, BESIDE_OFFSET, &now) && before / LINE != now / LINE)
		pen_printf(pen, ink, ", line %" PRIu64 " → %" PRIu64, before / LINE, now / LINE);
	if (find_number(v, row, BESIDE_SIZE_BEFORE, &before) &&
	    find_number(v, row, BESIDE_SIZE, &now) && before != now)
		pen_printf(pen, ink, ", had %" PRIu64 " bytes", before);
}

static void draw_member(struct beside_view *v, struct row row, struct pen *pen)
{
	u64 size;

	draw_values(v, row, pen);
	draw_number(v, row, BESIDE_OFFSET_BEFORE, pen);
	draw_number(v, row, BESIDE_OFFSET, pen);
	draw_number(v, row,
		    find_number(v, row, BESIDE_SIZE, &size) ? BESIDE_SIZE : BESIDE_SIZE_BEFORE,
		    pen);
	pen_repeat(pen, INK_PLAIN, ' ', 2 + INDENT * row.level);
	pen_printf(pen, INK_FAINT, "%s ", text_of(v, row, BESIDE_TYPE));
	pen_text(pen, INK_NAME, text_of(v, row, BESIDE_MEMBER));
	draw_change(v, row, pen);
}

static void draw_row(struct rows_view *view, const struct visible_row *shown, struct pen *pen)
{
	struct beside_view *v = of(&view->view);
	const struct beside_shown *line = line_at(view, shown->row);

	if (line->source)
		draw_source(v, line->row, pen);
	else if (v->types)
		draw_member(v, line->row, pen);
	else
		draw_code(v, line->row, pen);
}

static void draw_titles(struct rows_view *view, struct pen *pen)
{
	const struct beside_view *v = of(&view->view);
	u32 width = annotate_value_width(v->sides[NOW]);

	pen_fit(pen, INK_HEADING, "Before", width, true);
	pen_fit(pen, INK_HEADING, "Now", width + 1, true);
	pen_text(pen, INK_PLAIN, " ");
	if (v->types) {
		pen_text(pen, INK_HEADING, "   before   offset     size  field");
		return;
	}
	pen_fit(pen, INK_HEADING, "before", code_width(v, pen), false);
	pen_text(pen, INK_HEADING, "   now");
}

static void title(const struct tui_view *view, GString *out)
{
	const struct beside_view *v = of(view);

	g_string_append_printf(out, "%s, before and now", v->page->title);
}

static void status(const struct tui_view *view, GString *out)
{
	const struct beside_view *v = of(view);
	const struct note *event = notes_find(&v->page->notes, "event");

	g_string_append_printf(out, "%s  %" PRIu64 " → %" PRIu64 " samples", event->words,
			       annotate_fact(v->page, "samples_before"),
			       annotate_fact(v->page, "samples"));
}

/* --- keys */

static void enter(struct rows_view *view, struct tui *tui)
{
	struct beside_view *v = of(&view->view);
	struct row row = rows_view_row(view);
	struct about about = { 0 };
	bool before;

	if (row.kind == ROW_NONE ||
	    !beside_page_about(v->page, line_at(view, row)->row, &before, &about)) {
		tui_say(tui, "there is nothing more about this row");
		return;
	}
	annotate_open(tui, v->sides[before ? BEFORE : NOW], v->types ? OPEN_FIELD : OPEN_CODE,
		      &about);
}

/* Tab: the next line that is not the same on both sides. */
static void next_change(struct tui_view *view, struct tui *tui, u32 key)
{
	struct beside_view *v = of(view);
	const GArray *lines = ((const struct beside_list *)v->rows.page->own)->lines;
	u32 step = key == KEY_TAB ? 1 : lines->len - 1;

	for (u32 i = 1; i <= lines->len; i++) {
		u32 at = (u32)((v->rows.cursor + (u64)i * step) % lines->len);
		const struct beside_shown *line = &g_array_index(lines, struct beside_shown, at);

		if (line->source || !*text_of(v, line->row, BESIDE_CHANGE))
			continue;
		rows_view_go(&v->rows, at);
		return;
	}
	tui_say(tui, "both sides are the same");
}

static void toggle_source(struct tui_view *view, struct tui *tui, u32 key)
{
	struct beside_view *v = of(view);

	if (v->types) {
		tui_say(tui, "types have no source lines here");
		return;
	}
	v->source = !v->source;
	rows_view_replace(&v->rows, list_page(v));
	if (v->source && visible_nr(v->rows.visible) ==
				 rows_of(v)->ops->nr(rows_of(v), (struct row){ ROW_NONE }))
		tui_say(tui, "no source line is known");
}

static void next_values(struct tui_view *view, struct tui *tui, u32 key)
{
	annotate_next_values(of(view)->sides[NOW], tui);
}

/* The provider's page at @at or, in steps of @step, behind it; NULL: none can be read. */
static struct page *open_page(const struct beside_view *v, u32 *at, u32 step)
{
	for (u32 i = 0; i < v->pages->nr; i++) {
		struct page *page = v->pages->ops->open(v->pages, *at);

		if (page)
			return page;
		*at = (*at + step) % v->pages->nr;
	}
	return NULL;
}

static void other_page(struct tui_view *view, struct tui *tui, u32 key)
{
	struct beside_view *v = of(view);
	u32 step = key == '>' ? 1 : v->pages->nr - 1, at = (v->at + step) % v->pages->nr;
	struct page *page = at == v->at ? NULL : open_page(v, &at, step), *old = v->page, *list;

	if (!page) {
		tui_say(tui, v->types ? "there is no other type" : "there is no other function");
		return;
	}
	v->page = page;
	v->at = at;
	list = list_page(v);
	rows_view_replace_at(&v->rows, list, hottest(v, list));
	page_free(old);
}

static const struct tui_key beside_keys[] = {
	{ KEY_TAB, 0, "next change", "the next line that is not the same, the one before",
	  next_change },
	{ KEY_BACK_TAB, 0, NULL, NULL, next_change },
	{ '>', 0, "next", "the next function, type or event, the one before", other_page },
	{ '<', 0, NULL, NULL, other_page },
	{ 's', 0, "source", "source lines on or off", toggle_source },
	{ 't', 0, NULL, "values: percent, periods, samples", next_values },
	{ 0 },
};

/* What differs in the recordings, or that a function is too long. */
static void shown(struct tui_view *view, struct tui *tui)
{
	const struct beside_view *v = of(view);
	const struct note *before = notes_find(&v->page->notes, "event_before");
	const struct note *now = notes_find(&v->page->notes, "event");

	if (before && strcmp(before->words, now->words))
		tui_warn(tui, "not the same event: %s before, %s now", before->words, now->words);
}

static void free_view(struct tui_view *view)
{
	struct beside_view *v = of(view);

	rows_view_release(&v->rows);
	page_free(v->page);
	pages_free(v->pages);
	for (u32 side = 0; side < NR_SIDES; side++)
		tui_annotate_free(v->sides[side]);
	g_string_free(v->text, TRUE);
	g_free(v);
}

static const struct tui_key *const keys[] = { beside_keys, rows_view_keys, annotate_back_keys,
					      NULL };
static const struct rows_view_ops rows_ops = { .draw_row = draw_row,
					       .draw_titles = draw_titles,
					       .enter = enter };
static const struct tui_view_ops ops = {
	.name = "beside",
	.keys = keys,
	.title = title,
	.status = status,
	.draw = rows_view_draw,
	.shown = shown,
	.free = free_view,
};

/* --- opening */

static struct pages *ask(struct tui *tui, struct tui_annotate *a, bool types, GError **error)
{
	annotate_will_read(tui, a);
	return types ? annotator_types(a->annotator, error)
		     : annotator_code(a->annotator, false, error);
}

static struct pages *ask_both(struct tui *tui, const struct tui_beside *b, GError **error)
{
	struct pages *now = ask(tui, b->now, b->types, error);
	struct pages *before = now ? ask(tui, b->before, b->types, error) : NULL;

	if (before)
		return b->types ? beside_type_pages_new(before, now)
				: beside_code_pages_new(before, now);
	pages_free(now);
	return NULL;
}

/* The page that is wanted; false: none has this name. */
static bool find_page(const struct pages *pages, const char *name, u32 *at)
{
	bool found = !name && pages->nr;

	for (*at = 0; name && !found && *at < pages->nr; *at += !found) {
		g_autofree char *is = beside_pages_name(pages, *at);

		found = !strcmp(is, name);
	}
	return found;
}

/* NULL, after a message: there is nothing to show. */
static struct page *first_page(struct beside_view *v, struct tui *tui, const struct tui_beside *b)
{
	struct page *page = NULL;

	if (!find_page(v->pages, b->name, &v->at))
		tui_warn(tui, b->types ? "no sample of it touches a known data type"
				       : "no sample is in a known function");
	else if (b->name && !(page = v->pages->ops->open(v->pages, v->at)))
		tui_warn(tui, "the code of %s was not found", b->name);
	else if (!b->name && !(page = open_page(v, &v->at, 1)))
		tui_warn(tui, "the code of no function was found");
	return page;
}

bool tui_open_beside(struct tui *tui, const struct tui_beside *b)
{
	struct beside_view *v = g_new0(struct beside_view, 1);
	g_autoptr(GError) error = NULL;
	struct page *list;

	v->sides[BEFORE] = b->before;
	v->sides[NOW] = b->now;
	v->types = b->types;
	v->source = b->now->source;
	v->text = g_string_new(NULL);
	v->pages = ask_both(tui, b, &error);
	if (error)
		tui_warn(tui, "%s", error->message);
	else
		v->page = first_page(v, tui, b);
	if (!v->page) {
		pages_free(v->pages);
		tui_annotate_free(b->before);
		tui_annotate_free(b->now);
		g_string_free(v->text, TRUE);
		g_free(v);
		return false;
	}
	list = list_page(v);
	rows_view_init(&v->rows, &ops, &rows_ops, list);
	v->rows.height = screen_rows(tui_screen(tui));
	rows_view_go(&v->rows, hottest(v, list));
	tui_push(tui, &v->rows.view);
	return true;
}
