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

static const struct page *page_of(const struct tui_view *view)
{
	return of((struct tui_view *)view)->rows.page;
}

static void title(const struct tui_view *view, GString *out)
{
	g_string_append_printf(out, "shared lines › %s", page_of(view)->title);
}

static void status(const struct tui_view *view, GString *out)
{
	const struct sharing *s = sharing_pages_of(page_of(view));

	g_string_append_printf(out, "%.1f %% of %" G_GUINT64_FORMAT " sample%s", sharing_share(s),
			       s->samples, text_plural(s->samples));
}

static void free_view(struct tui_view *view)
{
	struct sharing_view *v = of(view);

	rows_view_release(&v->rows);
	g_free(v);
}

static struct tui_annotate *annotate(const struct sharing_view *v)
{
	const struct tui_annotate_look look = { .key = "tid" };

	return tui_annotate_new(annotator_new(&v->o->annotator), &look);
}

/* The type of the row under the cursor, and the bytes in it; to be freed. NULL, after a message: not known. */
static char *type_at(struct sharing_view *v, struct tui *tui, s64 *offset)
{
	const struct page *page = v->rows.page;
	struct row at = rows_view_row(&v->rows);
	const struct sharing_row *row;
	const struct hitm_row *hitm;
	GString *text;

	if (at.kind != ROW_NONE && hitm_page_kind(page) == HITM_PAGE_ROWS) {
		hitm = hitm_page_row(page, at);
		*offset = hitm->type_offset;
		if (hitm->typed) {
			const struct hitm *h = hitm_page_of(page);

			text = g_string_new(NULL);
			field_print(h->type, h->lexicon, hitm->type, text);
			return g_string_free(text, FALSE);
		}
	} else if (at.kind != ROW_NONE) {
		row = sharing_pages_row(page, at);
		*offset = row->offset;
		if (row->typed)
			return g_strdup(
				intern_text(sharing_pages_of(page)->lexicon->texts, row->type));
	}
	tui_say(tui, "the data type of this row is not known");
	return NULL;
}

static void open_type(struct tui_view *view, struct tui *tui, u32 key)
{
	struct sharing_view *v = of(view);
	s64 offset;
	g_autofree char *type = type_at(v, tui, &offset);

	if (type)
		tui_open_layout(tui, annotate(v), type);
}

static void open_member(struct tui_view *view, struct tui *tui, u32 key)
{
	struct sharing_view *v = of(view);
	s64 offset;
	g_autofree char *type = type_at(v, tui, &offset), *field = NULL;

	if (!type)
		return;
	field = g_strdup_printf("+0x%" G_GINT64_MODIFIER "x", (u64)offset);
	if (key == 'A')
		tui_open_users(tui, annotate(v), type, field);
	else
		tui_open_field(tui, annotate(v), type, field);
}

static void show(struct sharing_view *v, u32 at);

static void other_page(struct tui_view *view, struct tui *tui, u32 key)
{
	struct sharing_view *v = of(view);
	struct pages *pages = v->o->pages;

	if (pages->nr < 2)
		tui_say(tui, "there is no other event with shared lines");
	else
		show(v, (v->at + (key == KEY_TAB ? 1 : pages->nr - 1)) % pages->nr);
}

static const struct tui_key sharing_keys[] = {
	{ KEY_ENTER, 0, "fields", "the type as it lies in memory", open_type },
	{ 'c', 0, "code", "the instructions that touch the member", open_member },
	{ 'A', 0, "who", "the threads that touch the member", open_member },
	{ 0 },
};

static const struct tui_key page_keys[] = {
	{ KEY_TAB, 0, NULL, "the next table or event, the one before", other_page },
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

static const struct tui_key *const keys[] = { sharing_keys, page_keys, rows_view_keys, NULL };

static const struct tui_view_ops ops = {
	.name = "sharing",
	.keys = keys,
	.title = title,
	.status = status,
	.draw = rows_view_draw,
	.shown = shown,
	.free = free_view,
};

/* What hardware states: counts, lines, and who accesses them. */

static const char *hits_name(const struct hitm *h)
{
	static const char *const names[] = {
		[HITM_BY_TOTAL] = "HITM",
		[HITM_BY_LOCAL] = "local HITM",
		[HITM_BY_REMOTE] = "remote HITM",
		[HITM_BY_PEER] = "hits of peers",
	};

	return names[h->o.display];
}

static void hitm_status(const struct tui_view *view, GString *out)
{
	const struct page *page = page_of(view);
	const struct hitm *h = hitm_page_of(page);
	const struct hitm_line *only = hitm_page_only(page);

	if (hitm_page_kind(page) == HITM_PAGE_COUNTS) {
		g_string_append_printf(out, "%" G_GUINT64_FORMAT " access%s",
				       h->total.nr[HITM_RECORDS],
				       h->total.nr[HITM_RECORDS] == 1 ? "" : "es");
		return;
	}
	if (only)
		g_string_append_printf(out, "%" G_GUINT64_FORMAT " of ",
				       hitm_hits(h, &only->seen.counts));
	g_string_append_printf(out, "%" G_GUINT64_FORMAT " %s", hitm_hits(h, &h->total),
			       hits_name(h));
}

static void line_title(const struct tui_view *view, GString *out)
{
	g_string_append_printf(out, "0x%" G_GINT64_MODIFIER "x",
			       hitm_page_only(page_of(view))->address);
}

static void open_line(struct tui_view *view, struct tui *tui, u32 key);

/* The instruction, in the code of its function. */
static void open_code(struct tui_view *view, struct tui *tui, u32 key)
{
	struct sharing_view *v = of(view);
	struct row at = rows_view_row(&v->rows);
	const struct code *code = at.kind == ROW_NONE ? NULL
						      : hitm_page_row(v->rows.page, at)->code;

	if (!code)
		return;
	if (!(hitm_page_of(v->rows.page)->o.coalesce & HITM_OF_CODE))
		tui_say(tui, "a row is of several instructions: --coalesce=iaddr tells them apart");
	else if (!code->dso || !code->symbol)
		tui_say(tui, "the function of this row is not known");
	else
		tui_open_code(tui, annotate(v), code->dso, code->symbol, code->vaddr);
}

static const struct tui_key lines_keys[] = {
	{ KEY_ENTER, 0, "who accesses it", "the offsets of the line, and who accesses them",
	  open_line },
	{ 0 },
};
static const struct tui_key line_keys[] = {
	{ KEY_ENTER, 0, "the code, there", "the code of the function, at this instruction",
	  open_code },
	{ 'T', 0, "type", "the type as it lies in memory", open_type },
	{ 'c', 0, "all code", "the instructions that touch the member, on all lines", open_member },
	{ 'A', 0, "who", "the threads that touch the member, on all lines", open_member },
	{ 0 },
};

static const struct tui_key *const counts_tables[] = { page_keys, rows_view_keys, NULL };
static const struct tui_key *const lines_tables[] = { lines_keys, page_keys, rows_view_keys, NULL };
static const struct tui_key *const rows_tables[] = { line_keys, page_keys, rows_view_keys, NULL };
static const struct tui_key *const line_tables[] = { line_keys, rows_view_keys, NULL };

#define HITM_VIEW(of_name, of_keys, of_title, of_shown)                                            \
	{                                                                                          \
		.name = of_name, .keys = of_keys, .title = of_title, .status = hitm_status,        \
		.draw = rows_view_draw, .shown = of_shown, .free = free_view                       \
	}

static const struct tui_view_ops hitm_ops[] = {
	[HITM_PAGE_COUNTS] = HITM_VIEW("accesses", counts_tables, title, shown),
	[HITM_PAGE_LINES] = HITM_VIEW("lines", lines_tables, title, shown),
	[HITM_PAGE_ROWS] = HITM_VIEW("accesses of lines", rows_tables, title, shown),
};
static const struct tui_view_ops line_ops = HITM_VIEW("line", line_tables, line_title, NULL);

static void enter_line(struct rows_view *view, struct tui *tui)
{
	open_code(&view->view, tui, KEY_ENTER);
}

static void open_line(struct tui_view *view, struct tui *tui, u32 key)
{
	static const struct rows_view_ops rows_ops = { .enter = enter_line };
	struct sharing_view *v = of(view), *one;
	struct row at = rows_view_row(&v->rows);

	if (at.kind == ROW_NONE)
		return;
	one = g_new0(struct sharing_view, 1);
	one->o = v->o;
	rows_view_init(&one->rows, &line_ops, &rows_ops,
		       hitm_line_page_new(hitm_page_of(v->rows.page),
					  hitm_page_line(v->rows.page, at), v->o->nodes));
	tui_push(tui, &one->rows.view);
}

static const struct tui_view_ops *ops_of(const struct page *page)
{
	enum hitm_page which = hitm_page_kind(page);

	return which == NR_HITM_PAGES ? &ops : &hitm_ops[which];
}

static void show(struct sharing_view *v, u32 at)
{
	v->at = at;
	rows_view_replace(&v->rows, v->o->pages->ops->open(v->o->pages, at));
	v->rows.view.ops = ops_of(v->rows.page);
}

static void enter(struct rows_view *view, struct tui *tui)
{
	enum hitm_page which = hitm_page_kind(view->page);

	if (which == HITM_PAGE_LINES)
		open_line(&view->view, tui, KEY_ENTER);
	else if (which == HITM_PAGE_ROWS)
		open_code(&view->view, tui, KEY_ENTER);
	else if (which == HITM_PAGE_COUNTS)
		tui_say(tui, "Tab leads to the lines with these accesses");
	else
		open_type(&view->view, tui, KEY_ENTER);
}

/* The lines with the most hits, if there are some; else the first page. */
static u32 first_page(struct pages *pages)
{
	for (u32 i = 0; i < pages->nr; i++) {
		struct page *page = pages->ops->open(pages, i);
		bool lines = hitm_page_kind(page) == HITM_PAGE_LINES &&
			     page->rows->ops->nr(page->rows, (struct row){ ROW_NONE });

		page_free(page);
		if (lines)
			return i;
	}
	return 0;
}

void tui_sharing_run(struct screen *screen, const struct tui_sharing_options *o)
{
	static const struct rows_view_ops rows_ops = { .enter = enter };
	struct sharing_view *v = g_new0(struct sharing_view, 1);
	struct tui *tui = tui_new(screen);
	struct page *page;

	v->o = o;
	v->at = first_page(o->pages);
	page = o->pages->ops->open(o->pages, v->at);
	rows_view_init(&v->rows, ops_of(page), &rows_ops, page);
	tui_push(tui, &v->rows.view);
	tui_run(tui);
	tui_free(tui);
}
