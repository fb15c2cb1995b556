// SPDX-License-Identifier: GPL-2.0-or-later
/* Lists of types, of the instructions that access a field, and of who accesses it. */
#include <string.h>

#include "base/text.h"
#include "view/tui/annotate_private.h"
#include "view/tui/layout.h"

/* A view of a page of accesses. */
struct touches_view {
	struct annotate_view annotate;
	struct touch_pages_options touch;
	char *key; /* of users, in the form of --by */
	u32 at;	   /* number of the page */
};

static struct touches_view *of(struct tui_view *view)
{
	return container_of(annotate_view_of(view), struct touches_view, annotate);
}

static void title(const struct tui_view *view, GString *out)
{
	const struct touches_view *v = of((struct tui_view *)view);
	const struct page *page = v->annotate.rows.page;

	annotate_view_title(&v->annotate, out);
	if (v->touch.by == TOUCHES_BY_TYPE)
		g_string_append(out, "data types");
	else if (v->touch.by == TOUCHES_BY_KEY)
		g_string_append_printf(out, "%s by %s", page->title, v->key);
	else
		g_string_append(out, page->title);
}

static void status(const struct tui_view *view, GString *out)
{
	const struct touches_view *v = of((struct tui_view *)view);
	const struct page *page = v->annotate.rows.page;
	u64 samples = annotate_fact(page, "samples");
	u64 functions = annotate_fact(page, "nr_functions");
	u32 nr = page->rows->ops->nr(page->rows, (struct row){ ROW_NONE });

	g_string_append_printf(out, "%" G_GUINT64_FORMAT " sample%s", (guint64)samples,
			       text_plural(samples));
	if (v->touch.by == TOUCHES_BY_CODE)
		g_string_append_printf(out, ", %u place%s in %" G_GUINT64_FORMAT " function%s", nr,
				       text_plural(nr), (guint64)functions, text_plural(functions));
}

static void view_free(struct tui_view *view)
{
	struct touches_view *v = of(view);

	annotate_view_release(&v->annotate);
	g_free(v->key);
	g_free(v);
}

static enum ink ink(struct rows_view *view, const struct visible_row *row, u32 column)
{
	struct rows_column c;

	view->page->rows->ops->column(view->page->rows, column, &c);
	return c.kind == CELL_TEXT && !strcmp(c.name, "member") ? INK_NAME : INK_PLAIN;
}

/* From here on, only the samples of the row under the cursor. */
static void narrow(struct touches_view *v, struct tui *tui, const struct about *about)
{
	struct tui_annotate *a = v->annotate.a, *narrowed;

	struct rows_view *rows = &v->annotate.rows;
	g_autofree char *whose = NULL;
	u32 column = 0;
	struct rows_column c;

	do /* the values come first, then the key */
		rows->page->rows->ops->column(rows->page->rows, column, &c);
	while (c.value && ++column < rows->page->rows->nr_columns);
	whose = g_strdup_printf("%s %s", v->key,
				rows_view_text(rows, rows_view_row(rows), column, 0));
	narrowed = annotate_beside(a, annotator_narrowed(a->annotator, v->key, about->key));
	tui_annotate_name(narrowed, whose);
	if (!narrowed->open[OPEN_LAYOUT](tui, narrowed, true, about))
		tui_annotate_free(narrowed);
}

static void enter(struct tui_view *view, struct tui *tui, u32 key)
{
	struct touches_view *v = of(view);
	struct about about;

	if (!annotate_view_about(&v->annotate, &about))
		return;
	if (v->touch.by == TOUCHES_BY_KEY)
		narrow(v, tui, &about);
	else if (v->touch.by == TOUCHES_BY_CODE)
		annotate_open(tui, v->annotate.a, OPEN_CODE, &about);
	else
		annotate_open(tui, v->annotate.a, OPEN_LAYOUT, &about);
}

static void other_page(struct tui_view *view, struct tui *tui, u32 key)
{
	struct touches_view *v = of(view);
	bool forward = key == KEY_TAB || key == 'n' || key == '>';
	struct page *page;
	u32 at = v->at;

	if (v->annotate.pages->nr < 2) {
		tui_say(tui, "there is no other page");
		return;
	}
	at = (at + (forward ? 1 : v->annotate.pages->nr - 1)) % v->annotate.pages->nr;
	page = v->annotate.pages->ops->open(v->annotate.pages, at);
	v->at = at;
	rows_view_replace(&v->annotate.rows, page);
	if (v->touch.by == TOUCHES_BY_TYPE)
		tui_say(tui, "%s", page->title);
	else
		tui_say(tui, "%s, %s", page->title, notes_find(&page->notes, "event")->words);
}

static const struct tui_key touches_keys[] = {
	{ KEY_TAB, 0, NULL, "the next event, or type of that name; the one before", other_page },
	{ KEY_BACK_TAB, 0, NULL, NULL, other_page },
	{ '>', 0, NULL, NULL, other_page },
	{ '<', 0, NULL, NULL, other_page },
	{ 0 },
};

static void next_values(struct tui_view *view, struct tui *tui, u32 key)
{
	annotate_next_values(annotate_view_of(view)->a, tui);
}

static const struct tui_key types_keys[] = {
	{ KEY_ENTER, 0, "fields", "the type as it lies in memory", enter },
	{ 0 },
};
static const struct tui_key field_keys[] = {
	{ KEY_ENTER, 0, "the code, there", "the code of the function, at this instruction", enter },
	{ 't', 0, NULL, "values: percent, periods, samples", next_values },
	{ 0 },
};
static const struct tui_key users_keys[] = {
	{ KEY_ENTER, 0, "only these samples", "the type, by these samples alone", enter },
	{ 0 },
};

#define KEYS(first)                                                                                \
	(const struct tui_key *const[])                                                            \
	{                                                                                          \
		first, touches_keys, annotate_keys, rows_view_keys, annotate_back_keys, NULL       \
	}

/* A list of instructions is drawn by its own code: the instruction's text is more important than its address. */

struct field_room {
	u32 symbol, source, insn, access; /* columns; 0: not shown */
};

static struct field_room field_room(u32 columns)
{
	struct field_room room = { .access = columns >= 60 ? 13 : 0 };

	room.symbol = CLAMP(columns / 5, 10, 48);
	room.source = columns >= 70 ? CLAMP(columns / 6, 14, 40) : 0;
	room.insn = columns - MIN(columns, room.symbol + room.source + room.access + 13);
	return room;
}

static void draw_field_titles(struct rows_view *view, struct pen *pen)
{
	const struct touches_view *v = of(&view->view);
	struct field_room room = field_room(screen_columns(pen->screen));

	pen_fit(pen, INK_HEADING, annotate_value_title(v->annotate.a),
		annotate_value_width(v->annotate.a), true);
	pen_text(pen, INK_PLAIN, "  ");
	pen_fit(pen, INK_HEADING, "Symbol", room.symbol, false);
	pen_text(pen, INK_PLAIN, "  ");
	pen_fit(pen, INK_HEADING, room.source ? "Source line" : "", room.source, false);
	pen_fit(pen, INK_HEADING, "Instruction", room.insn, false);
	pen_text(pen, INK_HEADING, room.access ? "  Access" : "");
}

static const char *named_text(struct rows_view *view, struct row row, const char *name)
{
	s32 column = rows_find_column(view->page->rows, name);
	struct cell cell;

	view->page->rows->ops->cell(view->page->rows, row, (u32)column, 0, &cell);
	return cell.kind == CELL_NONE ? "" : rows_view_text(view, row, (u32)column, 0);
}

static void draw_field(struct rows_view *view, const struct visible_row *shown, struct pen *pen)
{
	const struct touches_view *v = of(&view->view);
	struct field_room room = field_room(screen_columns(pen->screen));
	g_autofree char *file = g_strdup(named_text(view, shown->row, "file"));
	g_autofree char *source = NULL;

	annotate_draw_value(v->annotate.a, view->page->rows, shown->row, ANNOTATE_SHARE, 0,
			    annotate_value_width(v->annotate.a), true, pen);
	pen_text(pen, INK_PLAIN, "  ");
	layout_draw_text(view, (u32)rows_find_column(view->page->rows, "symbol"), pen, INK_PLAIN,
			 named_text(view, shown->row, "symbol"), room.symbol, false);
	pen_text(pen, INK_PLAIN, "  ");
	source = g_strdup_printf("%s:%s", file, named_text(view, shown->row, "line"));
	pen_fit(pen, INK_SOURCE, *file ? source : "", room.source, false);
	pen_fit(pen, INK_PLAIN, named_text(view, shown->row, "instruction"), room.insn, false);
	pen_text(pen, INK_PLAIN, "  ");
	pen_text(pen, INK_NAME, room.access ? named_text(view, shown->row, "access") : "");
}

static const struct rows_view_ops list_ops = { .ink = ink };
static const struct rows_view_ops field_ops = { .draw_row = draw_field,
						.draw_titles = draw_field_titles };
static const struct tui_view_ops ops[TOUCHES_NR_BY] = {
	[TOUCHES_BY_TYPE] = { "types", KEYS(types_keys), title, status, rows_view_draw,
			      annotate_view_shown, view_free },
	[TOUCHES_BY_CODE] = { "field", KEYS(field_keys), title, status, rows_view_draw,
			      annotate_view_shown, view_free },
	[TOUCHES_BY_KEY] = { "users", KEYS(users_keys), title, status, rows_view_draw,
			     annotate_view_shown, view_free },
};

bool annotate_say_nothing(struct tui *tui, const struct tui_annotate *a, const struct about *about,
			  const GError *error)
{
	if (error)
		tui_warn(tui, "%s", error->message);
	else if (about && about->type)
		tui_warn(tui, "no sample touches this");
	else if (a->field)
		tui_warn(tui, "no sample touches a field '%s'", a->field);
	else
		tui_warn(tui, "no sample has a data type here: perf annotate --type-stat says why");
	return false;
}

struct touch_pages_options annotate_touch(struct tui_annotate *a, enum touches_by by,
					  const struct about *about)
{
	if (!about)
		return (struct touch_pages_options){ .by = by, .field = a->field };
	annotator_look(a->annotator)->type = annotator_type(a->annotator, about->type);
	return (struct touch_pages_options){ .by = by,
					     .offset = about->offset,
					     .size = about->size };
}

static bool is_empty(const struct page *page)
{
	return page->rows->ops->first(page->rows, (struct row){ ROW_NONE }).kind == ROW_NONE;
}

static bool open_touches(struct tui *tui, struct tui_annotate *a, bool owns, enum touches_by by,
			 const struct about *about)
{
	struct touch_pages_options touch;
	const char *key = by == TOUCHES_BY_KEY ? a->key : NULL;
	g_autoptr(GError) error = NULL;
	struct touches_view *v;
	struct pages *pages;
	struct page *page;

	annotate_will_read(tui, a);
	if (!annotator_read(a->annotator, true, NULL, &error))
		return annotate_say_nothing(tui, a, about, error);
	touch = annotate_touch(a, by, about);
	pages = annotator_touches(a->annotator, &touch, key, &error);
	annotator_look(a->annotator)->type = NULL;
	page = pages && pages->nr ? pages->ops->open(pages, 0) : NULL;
	if (!page || (pages->nr == 1 && is_empty(page))) {
		page_free(page);
		pages_free(pages);
		return annotate_say_nothing(tui, a, about, error);
	}
	v = g_new0(struct touches_view, 1);
	v->annotate = (struct annotate_view){ .a = a, .owns = owns, .first = owns, .pages = pages };
	v->touch = touch;
	v->key = g_strdup(key);
	rows_view_init(&v->annotate.rows, &ops[by], by == TOUCHES_BY_CODE ? &field_ops : &list_ops,
		       page);
	v->annotate.rows.sorted = 0;
	tui_push(tui, &v->annotate.rows.view);
	return true;
}

bool annotate_open_types(struct tui *tui, struct tui_annotate *a, bool owns,
			 const struct about *about)
{
	return open_touches(tui, a, owns, TOUCHES_BY_TYPE, NULL);
}

bool annotate_open_field(struct tui *tui, struct tui_annotate *a, bool owns,
			 const struct about *about)
{
	return open_touches(tui, a, owns, TOUCHES_BY_CODE, about);
}

bool annotate_open_users(struct tui *tui, struct tui_annotate *a, bool owns,
			 const struct about *about)
{
	return open_touches(tui, a, owns, TOUCHES_BY_KEY, about);
}
