// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/tui/annotate_private.h"

#include <string.h>

#include "base/progress.h"
#include "pages/notes/notes.h"
#include "session/session.h"

void tui_annotate_free(struct tui_annotate *a)
{
	if (!a)
		return;
	annotator_free(a->annotator);
	g_free(a->key);
	g_free(a->whose);
	g_free(a->pattern);
	g_free(a->field);
	g_free(a);
}

struct tui_annotate *annotate_beside(const struct tui_annotate *a, struct annotator *annotator)
{
	struct tui_annotate *beside = g_memdup2(a, sizeof(*a));

	beside->annotator = annotator;
	beside->key = g_strdup(a->key);
	beside->whose = g_strdup(a->whose);
	beside->pattern = beside->field = NULL;
	return beside;
}

void annotate_view_release(struct annotate_view *v)
{
	rows_view_release(&v->rows);
	pages_free(v->pages);
	if (v->owns)
		tui_annotate_free(v->a);
}

void tui_annotate_name(struct tui_annotate *a, const char *whose)
{
	g_free(a->whose);
	a->whose = g_strdup(whose);
}

void annotate_view_title(const struct annotate_view *v, GString *out)
{
	if (v->first && v->a->whose)
		g_string_append_printf(out, "%s › ", v->a->whose);
}

void annotate_view_shown(struct tui_view *view, struct tui *tui)
{
	const struct annotate_view *v = annotate_view_of(view);
	const struct note *skid;
	struct notes notes;

	if (!v->first)
		return;
	notes_init(&notes);
	pages_remark(v->pages, &notes);
	skid = notes_find_skid(&notes);
	if (skid)
		tui_say(tui, "%s", skid->text);
	notes_release(&notes);
}

bool annotate_view_about(const struct annotate_view *v, struct about *out)
{
	const struct page *page = v->rows.page;
	struct row row = rows_view_row(&v->rows);

	return row.kind == ROW_ENTRY && page->about && page->about(page, row, out);
}

/* Reading. */

static bool show_progress(void *tui, const char *what, u64 done, u64 total)
{
	return tui_busy(tui, what, done, total);
}

void annotate_will_read(struct tui *tui, struct tui_annotate *a)
{
	const struct progress_watch watch = { show_progress, tui };

	session_set_watch(annotator_session(a->annotator), &watch);
}

/* Values. */

void annotate_next_values(struct tui_annotate *a, struct tui *tui)
{
	static const char *const words[] = {
		[VIEW_PERCENT] = "percent",
		[VIEW_PERIOD] = "periods",
		[VIEW_SAMPLES] = "samples",
	};

	a->look.values = (a->look.values + 1) % ARRAY_SIZE(words);
	tui_say(tui, "values are %s", words[a->look.values]);
}

u32 annotate_value_width(const struct tui_annotate *a)
{
	return a->look.values == VIEW_PERIOD ? 11 : 7;
}

const char *annotate_value_title(const struct tui_annotate *a)
{
	static const char *const titles[] = {
		[VIEW_PERCENT] = "Percent",
		[VIEW_PERIOD] = "Period",
		[VIEW_SAMPLES] = "Samples",
	};

	return titles[a->look.values];
}

/* A column of shares is followed by a column with the number of samples. */
void annotate_draw_value(const struct tui_annotate *a, struct rows *rows, struct row row,
			 u32 column, u32 part, u32 columns, bool blank, struct pen *pen)
{
	enum view_values values = a->look.values;
	g_autofree char *text = NULL;
	struct cell share, shown;

	rows->ops->cell(rows, row, column, part, &share);
	rows->ops->cell(rows, row, column + 1, part, &shown);
	if (share.kind == CELL_NONE || (!share.number && !shown.number)) {
		pen_fit(pen, INK_FAINT, blank ? "" : ".", columns, true);
		return;
	}
	if (values == VIEW_PERCENT)
		text = g_strdup_printf("%.2f%%", share.real);
	else
		text = g_strdup_printf("%" G_GUINT64_FORMAT,
				       (guint64)(values == VIEW_PERIOD ? share.number
								       : shown.number));
	pen_fit(pen, ink_of_percent(share.real), text, columns, true);
}

u64 annotate_fact(const struct page *page, const char *name)
{
	const struct note *note = notes_find(&page->notes, name);

	return note ? note->value.number : 0;
}

/* Opening the next view from a row. */

/* Offers to open a call's target, besides the values of enum annotate_what. */
#define OPEN_TARGET OPEN_NR

static void choose(struct annotate_view *v, struct tui *tui, const struct about *about, u32 what)
{
	struct about target = *about;

	if (what != OPEN_TARGET) {
		annotate_open(tui, v->a, (enum annotate_what)what, about);
		return;
	}
	target.vaddr = about->target;
	target.symbol = dso_find_symbol(about->dso, about->target);
	annotate_open(tui, v->a, OPEN_CODE, &target);
}

struct annotate_menu {
	struct tui_choice choices[8];
	u32 which[8];
	char *texts[8];
	u32 nr;
};

static void G_GNUC_PRINTF(5, 6) offer(struct annotate_menu *menu, u32 which, const char *hint,
				      u32 key, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	menu->texts[menu->nr] = g_strdup_vprintf(format, args);
	va_end(args);
	menu->choices[menu->nr] = (struct tui_choice){ menu->texts[menu->nr], hint, key };
	menu->which[menu->nr++] = which;
}

/* "struct order"; with a field, "struct order +0x8 (id_next)". */
static char *name_of(const struct about *about)
{
	GString *name = g_string_new(NULL);
	const char *type = type_shown_name(about->type);

	if (about->size)
		type_offset_append(about->type, type, (s64)about->offset, name);
	else
		g_string_append(name, type);
	return g_string_free(name, FALSE);
}

static void fill(struct annotate_menu *menu, const struct about *about, bool in_code)
{
	g_autofree char *data = about->type ? name_of(about) : NULL;

	if (about->type) {
		offer(menu, OPEN_LAYOUT, NULL, 'f', "Fields of %s", type_shown_name(about->type));
		offer(menu, OPEN_FIELD, NULL, 'a', "All code that touches %s", data);
		offer(menu, OPEN_USERS, "A", 'A', "Who touches %s", data);
		offer(menu, OPEN_ADVICE, "R", 'R', "Other layouts of %s",
		      type_shown_name(about->type));
	}
	if (about->dso && about->symbol && !in_code)
		offer(menu, OPEN_CODE, NULL, 'c', "Code of %s, there",
		      dso_symbol_name(about->dso, about->symbol));
	if (about->dso && about->target && about->calls &&
	    dso_find_symbol(about->dso, about->target))
		offer(menu, OPEN_TARGET, "Enter", 't', "Code that it calls: %s",
		      dso_symbol_name(about->dso, dso_find_symbol(about->dso, about->target)));
	offer(menu, about->dso ? OPEN_WHY : OPEN_WHY_OF_DATA, "W", 'W',
	      "Why: how the data type of its access is known");
}

void annotate_menu_of(struct annotate_view *v, struct tui *tui, const struct about *about)
{
	struct annotate_menu menu = { .nr = 0 };
	s32 chosen;

	fill(&menu, about, !strcmp(v->rows.view.ops->name, "code"));
	chosen = tui_choose(tui, "What to show", menu.choices, menu.nr, 0);
	for (u32 i = 0; i < menu.nr; i++)
		g_free(menu.texts[i]);
	if (chosen >= 0)
		choose(v, tui, about, menu.which[chosen]);
}

/* The menu of actions for the row under the cursor: key m. */
static void annotate_menu(struct tui_view *view, struct tui *tui, u32 key)
{
	struct annotate_view *v = annotate_view_of(view);
	struct about about;

	if (annotate_view_about(v, &about))
		annotate_menu_of(v, tui, &about);
	else
		tui_say(tui, "no actions for this row");
}

static void show_users(struct tui_view *view, struct tui *tui, u32 key)
{
	struct annotate_view *v = annotate_view_of(view);
	struct about about;

	if (annotate_view_about(v, &about) && about.type)
		annotate_open(tui, v->a, OPEN_USERS, &about);
	else
		tui_say(tui, "this row has no known data type");
}

static void change_key(struct tui_view *view, struct tui *tui, u32 key)
{
	struct annotate_view *v = annotate_view_of(view);
	char *name = tui_ask(tui, "Sort key for A (who touches it):", v->a->key);

	if (!name)
		return;
	g_free(v->a->key);
	v->a->key = name;
	show_users(view, tui, key);
}

static void show_why(struct tui_view *view, struct tui *tui, u32 key)
{
	struct annotate_view *v = annotate_view_of(view);
	struct about about;

	if (!annotate_view_about(v, &about))
		tui_say(tui, "this row is not a memory access");
	else if (about.dso)
		annotate_open(tui, v->a, OPEN_WHY, &about);
	else
		annotate_open(tui, v->a, OPEN_WHY_OF_DATA, &about);
}

static void back(struct tui_view *view, struct tui *tui, u32 key)
{
	tui_pop(tui);
}

static void show_advice(struct tui_view *view, struct tui *tui, u32 key)
{
	struct annotate_view *v = annotate_view_of(view);
	struct about about;

	if (annotate_view_about(v, &about) && about.type)
		annotate_open(tui, v->a, OPEN_ADVICE, &about);
	else
		tui_say(tui, "this row has no known data type");
}

const struct tui_key annotate_back_keys[] = {
	{ 'q', 0, NULL, "back to the view before, as ESC", back },
	{ 0 },
};

const struct tui_key annotate_keys[] = {
	{ 'm', 0, NULL, "actions for this row", annotate_menu },
	{ 'A', 0, "by whom", "who touches it: by span, or another sort key", show_users },
	{ KEY_CTRL('A'), 0, NULL, "another sort key for A: comm, sym, trace_id ...", change_key },
	{ 'W', 0, "why", "how the data type of this access is known", show_why },
	{ 'R', 0, NULL, "other layouts of the type that would be faster", show_advice },
	{ 0 },
};
