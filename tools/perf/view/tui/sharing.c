// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/tui/sharing.h"

#include "base/text.h"
#include "sharing/sharing.h"
#include "view/tui/annotate.h"
#include "view/tui/rows_view.h"

struct sharing_view {
	struct rows_view rows;
	const struct tui_sharing_options *o;
	u32 at;	   /* number of the page */
	bool told; /* the remarks */
};

static struct sharing_view *of(struct tui_view *view)
{
	return container_of(container_of(view, struct rows_view, view), struct sharing_view, rows);
}

static void title(const struct tui_view *view, GString *out)
{
	g_string_append_printf(out, "shared lines › %s",
			       of((struct tui_view *)view)->rows.page->title);
}

static void status(const struct tui_view *view, GString *out)
{
	const struct sharing *s = sharing_pages_of(of((struct tui_view *)view)->rows.page);

	g_string_append_printf(out, "%.1f %% of %" G_GUINT64_FORMAT " sample%s", sharing_share(s),
			       s->samples, text_plural(s->samples));
}

static void free_view(struct tui_view *view)
{
	struct sharing_view *v = of(view);

	rows_view_release(&v->rows);
	g_free(v);
}

/* The row under the cursor, if its type is known. NULL, after a message: none. */
static const struct sharing_row *typed_row(struct sharing_view *v, struct tui *tui)
{
	struct row row = rows_view_row(&v->rows);
	const struct sharing_row *shared =
		row.kind == ROW_NONE ? NULL : sharing_pages_row(v->rows.page, row);

	if (shared && shared->typed)
		return shared;
	tui_say(tui, "the data type of this row is not known");
	return NULL;
}

static struct tui_annotate *annotate(const struct sharing_view *v)
{
	const struct tui_annotate_look look = { .key = "tid" };

	return tui_annotate_new(annotator_new(&v->o->annotator), &look);
}

static const char *type_of(const struct sharing_view *v, const struct sharing_row *row)
{
	return intern_text(sharing_pages_of(v->rows.page)->lexicon->texts, row->type);
}

static void open_type(struct tui_view *view, struct tui *tui, u32 key)
{
	struct sharing_view *v = of(view);
	const struct sharing_row *row = typed_row(v, tui);

	if (row)
		tui_open_layout(tui, annotate(v), type_of(v, row));
}

static void open_member(struct tui_view *view, struct tui *tui, u32 key)
{
	struct sharing_view *v = of(view);
	const struct sharing_row *row = typed_row(v, tui);
	g_autofree char *field = NULL;

	if (!row)
		return;
	field = g_strdup_printf("+0x%" G_GINT64_MODIFIER "x", (u64)row->offset);
	if (key == 'A')
		tui_open_users(tui, annotate(v), type_of(v, row), field);
	else
		tui_open_field(tui, annotate(v), type_of(v, row), field);
}

static void other_page(struct tui_view *view, struct tui *tui, u32 key)
{
	struct sharing_view *v = of(view);
	struct pages *pages = v->o->pages;

	if (pages->nr < 2) {
		tui_say(tui, "there is no other event with shared lines");
		return;
	}
	v->at = (v->at + (key == KEY_TAB ? 1 : pages->nr - 1)) % pages->nr;
	rows_view_replace(&v->rows, pages->ops->open(pages, v->at));
}

static const struct tui_key sharing_keys[] = {
	{ KEY_ENTER, 0, "fields", "the type as it lies in memory", open_type },
	{ 'c', 0, "code", "the instructions that touch the member", open_member },
	{ 'A', 0, "who", "the threads that touch the member", open_member },
	{ KEY_TAB, 0, NULL, "the next event, the one before", other_page },
	{ KEY_BACK_TAB, 0, NULL, NULL, other_page },
	{ 0 },
};

/* How many addresses are known is said once: rows without an address are not here. */
static void shown(struct tui_view *view, struct tui *tui)
{
	struct sharing_view *v = of(view);
	struct notes remarks;

	if (v->told)
		return;
	v->told = true;
	notes_init(&remarks);
	v->o->pages->ops->remark(v->o->pages, &remarks);
	if (remarks.list->len)
		tui_say(tui, "%s", notes_at(&remarks, remarks.list->len - 1)->text);
	notes_release(&remarks);
}

static const struct tui_key *const keys[] = { sharing_keys, rows_view_keys, NULL };

static const struct tui_view_ops ops = {
	.name = "sharing",
	.keys = keys,
	.title = title,
	.status = status,
	.draw = rows_view_draw,
	.shown = shown,
	.free = free_view,
};

static void enter(struct rows_view *view, struct tui *tui)
{
	open_type(&view->view, tui, KEY_ENTER);
}

void tui_sharing_run(struct screen *screen, const struct tui_sharing_options *o)
{
	static const struct rows_view_ops rows_ops = { .enter = enter };
	struct sharing_view *v = g_new0(struct sharing_view, 1);
	struct tui *tui = tui_new(screen);

	v->o = o;
	rows_view_init(&v->rows, &ops, &rows_ops, o->pages->ops->open(o->pages, 0));
	tui_push(tui, &v->rows.view);
	tui_run(tui);
	tui_free(tui);
}
