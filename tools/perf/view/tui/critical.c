// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/tui/critical.h"

#include <string.h>

#include "base/text.h"
#include "fields/identity.h"
#include "pages/critical/critical_words.h"
#include "view/tui/annotate.h"
#include "view/tui/rows_view.h"

struct critical_view {
	struct rows_view rows;
	struct tui_critical_options o;
	s32 kind, name; /* columns for programs: what a row is, and its text; -1: steps have none */
	u32 at;		/* number of the page */
	bool told;	/* the sentence */
};

static struct critical_view *of(struct tui_view *view)
{
	return container_of(container_of(view, struct rows_view, view), struct critical_view, rows);
}

/* Opens the page, or in the direction @step the next one that has rows, without its columns for programs. The tree is always there. */
static struct page *open_page(struct critical_view *v, u32 step)
{
	struct page *page;

	while (!(page = v->o.pages->ops->open(v->o.pages, v->at)))
		v->at = (v->at + step) % v->o.pages->nr;

	v->kind = rows_find_column(page->rows, "kind");
	v->name = rows_find_column(page->rows, "name");
	page->rows->nr_columns = (u32)rows_find_column(page->rows, CRITICAL_LAST_SHOWN) + 1;
	return page;
}

static void title(const struct tui_view *view, GString *out)
{
	struct critical_view *v = of((struct tui_view *)view);
	const struct note *note = notes_find(&v->o.pages->notes, "of");

	g_string_append_printf(out, "why slow › %s", note ? note->words : "");
	g_string_append_printf(out, " › %s", v->rows.page->title);
}

static void status(const struct tui_view *view, GString *out)
{
	const struct notes *notes = &of((struct tui_view *)view)->o.pages->notes;
	const struct note *slow = notes_find(notes, "slow"), *all = notes_find(notes, "instances");

	if (slow && all && all->value.number > 1)
		g_string_append_printf(out, "%" G_GUINT64_FORMAT " slow of %" G_GUINT64_FORMAT,
				       slow->value.number, all->value.number);
}

static void free_view(struct tui_view *view)
{
	struct critical_view *v = of(view);

	rows_view_release(&v->rows);
	if (v->o.free_own)
		v->o.free_own(v->o.own);
	g_free(v);
}

/* A row's kind ("code", "data", ...), or its name; to be freed. "": it has none. */
static char *word_of(struct critical_view *v, struct row row, s32 column)
{
	g_autoptr(GString) text = g_string_new(NULL);

	if (row.kind != ROW_NONE && column >= 0)
		v->rows.page->rows->ops->text(v->rows.page->rows, row, (u32)column, 0, text);
	return g_strdup(text->str);
}

static void open_code_of(struct critical_view *v, struct tui *tui, const char *name)
{
	struct annotator *annotator = annotator_new(&v->o.annotator);
	const struct tui_annotate_look look = { 0 };
	g_autoptr(GError) error = NULL;
	struct about about;

	if (!annotator_read(annotator, false, NULL, &error))
		tui_warn(tui, "%s", error->message);
	else if (!annotator_find_function(annotator, name, &about))
		tui_say(tui, "no sample of a running thread is in %s", name);
	else {
		tui_open_code(tui, tui_annotate_new(annotator, &look), about.dso, about.symbol, 0);
		return;
	}
	annotator_free(annotator);
}

/* "struct item +0x8 (next)": the instructions that touch the member. */
static void open_member(struct critical_view *v, struct tui *tui, const char *name)
{
	const struct tui_annotate_look look = { 0 };
	g_autofree char *type = NULL, *field = NULL;
	struct tui_annotate *annotate;
	u32 at, length;

	if (!identity_offset(name, &at, &length)) {
		tui_say(tui, "%s is no member of a type", name);
		return;
	}
	type = g_strchomp(g_strndup(name, at));
	field = g_strndup(name + at, length);
	annotate = tui_annotate_new(annotator_new(&v->o.annotator), &look);
	tui_open_field(tui, annotate, type, field);
}

static bool is_kind(struct critical_view *v, struct row row, const char *kind)
{
	g_autofree char *word = word_of(v, row, v->kind);

	return !strcmp(word, kind);
}

/* The time of the slow instances, ns. */
static u64 time_of(struct critical_view *v, struct row row)
{
	const struct rows *rows = v->rows.page->rows;
	struct cell cell = { 0 };

	rows->ops->cell(rows, row, 0, 0, &cell);
	return cell.number;
}

/* Sets @best to the row of that kind with the most time, of all below @row, if it has more than @best. */
static void find_heaviest(struct critical_view *v, struct row row, const char *kind,
			  struct row *best)
{
	struct rows *rows = v->rows.page->rows;

	for (struct row r = rows->ops->first(rows, row); r.kind != ROW_NONE;
	     r = rows->ops->next(rows, r)) {
		if (is_kind(v, r, kind) &&
		    (best->kind == ROW_NONE || time_of(v, r) > time_of(v, *best)))
			*best = r;
		find_heaviest(v, r, kind, best);
	}
}

/*
 * The row itself, if it has code; else the heaviest function below it, or that function's heaviest member, if that has most of the
 * function's time. So on "waiting for store.lock", it is what the owner's code touched.
 */
static struct row row_with_code(struct critical_view *v, struct row row)
{
	struct row function = { .kind = ROW_NONE }, member = { .kind = ROW_NONE };

	if (row.kind == ROW_NONE || is_kind(v, row, "function") || is_kind(v, row, "data"))
		return row;
	find_heaviest(v, row, "function", &function);
	if (function.kind == ROW_NONE)
		return function;
	find_heaviest(v, function, "data", &member);
	if (member.kind == ROW_NONE || 2 * time_of(v, member) < time_of(v, function))
		return function;
	return member;
}

static void open_code(struct tui_view *view, struct tui *tui, u32 key)
{
	struct critical_view *v = of(view);
	struct row row = row_with_code(v, rows_view_row(&v->rows));
	g_autofree char *kind = word_of(v, row, v->kind);
	g_autofree char *name = word_of(v, row, v->name);

	if (!strcmp(kind, "function"))
		open_code_of(v, tui, name);
	else if (!strcmp(kind, "data"))
		open_member(v, tui, name);
	else
		tui_say(tui, "nothing ran here: this row has no code, nor has one below it");
}

static void enter(struct tui_view *view, struct tui *tui, u32 key)
{
	struct critical_view *v = of(view);
	g_autofree char *kind = word_of(v, rows_view_row(&v->rows), v->kind);

	if (!strcmp(kind, "function") || !strcmp(kind, "data"))
		open_code(view, tui, key);
	else if (!visible_close(v->rows.visible, v->rows.cursor))
		rows_view_unfold(&v->rows);
}

#define BORDER 6 /* columns beside a text to be read */

static void add_notes(GString *text, const struct notes *notes, const struct screen *screen)
{
	u32 columns = MAX(screen_columns(screen), BORDER + 20) - BORDER;

	for (u32 i = 0; i < notes->list->len; i++) {
		g_auto(GStrv) lines = notes_at(notes, i)->text
					      ? text_wrapped(notes_at(notes, i)->text, columns, 20)
					      : NULL;

		for (char **line = lines; line && *line; line++)
			g_string_append_printf(text, "%s\n", *line);
		if (lines)
			g_string_append_c(text, '\n');
	}
}

static void tell(struct tui_view *view, struct tui *tui, u32 key)
{
	struct pages *pages = of(view)->o.pages;
	g_autoptr(GString) text = g_string_new(NULL);
	struct notes remarks;

	notes_init(&remarks);
	pages_remark(pages, &remarks);
	add_notes(text, &pages->notes, tui_screen(tui));
	add_notes(text, &remarks, tui_screen(tui));
	notes_release(&remarks);
	tui_read(tui, "Why slow", text->str, false);
}

static void other_page(struct tui_view *view, struct tui *tui, u32 key)
{
	struct critical_view *v = of(view);

	u32 nr = v->o.pages->nr, step = key == KEY_TAB ? 1 : nr - 1;

	v->at = (v->at + step) % nr;
	rows_view_replace(&v->rows, open_page(v, step));
}

static const struct tui_key critical_keys[] = {
	{ KEY_ENTER, 0, "unfold, code",
	  "fold or unfold the row; of a function or a member, its code", enter },
	{ 'c', 0, "code",
	  "the code of the function or the member; of another row, of the heaviest one below it",
	  open_code },
	{ 's', 0, "sentence", "the answer in a sentence, and what it rests on", tell },
	{ KEY_TAB, 0, "next",
	  "the next page, the one before: paths, what was lost to whom, the steps of one request",
	  other_page },
	{ KEY_BACK_TAB, 0, NULL, NULL, other_page },
	{ 0 },
};

/* The sentence is the answer: it is said first. */
static void shown(struct tui_view *view, struct tui *tui)
{
	struct critical_view *v = of(view);
	const struct note *answer = notes_find(&v->o.pages->notes, "answer");

	if (!v->told && answer)
		tui_say(tui, "%s", answer->words);
	v->told = true;
}

static const struct tui_key *const keys[] = { critical_keys, rows_view_keys, NULL };

static const struct tui_view_ops ops = {
	.name = "critical",
	.keys = keys,
	.title = title,
	.status = status,
	.draw = rows_view_draw,
	.shown = shown,
	.free = free_view,
};

struct tui_view *tui_critical_new(const struct tui_critical_options *o)
{
	static const struct rows_view_ops rows_ops = { 0 };
	struct critical_view *v = g_new0(struct critical_view, 1);

	v->o = *o;
	rows_view_init(&v->rows, &ops, &rows_ops, open_page(v, 1));
	return &v->rows.view;
}

void tui_critical_run(struct screen *screen, const struct tui_critical_options *o)
{
	struct tui *tui = tui_new(screen);

	tui_push(tui, tui_critical_new(o));
	tui_run(tui);
	tui_free(tui);
}
