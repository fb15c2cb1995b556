// SPDX-License-Identifier: GPL-2.0-or-later
/* The code browser. */
#include <inttypes.h>

#include "base/progress.h"
#include "base/text.h"
#include "session/session.h"
#include "view/tui/code_view.h"
#include "view/tui/private.h"

static void title(const struct tui_view *view, GString *out)
{
	annotate_view_title(&code_view_of(view)->annotate, out);
	g_string_append(out, code_view_of(view)->page->title);
}

static void status(const struct tui_view *view, GString *out)
{
	const struct page *page = code_view_of(view)->page;
	u64 samples = annotate_fact(page, "samples");

	g_string_append_printf(out, "%s  %" PRIu64 " sample%s of %s, %s",
			       notes_find(&page->notes, "dso")->words, samples,
			       text_plural(samples), notes_find(&page->notes, "event")->words,
			       notes_find(&page->notes, "percent_of")->words);
}

static void view_free(struct tui_view *view)
{
	struct code_view *v = code_view_of(view);

	code_lines_free(v->lines);
	page_free(v->page);
	annotate_view_release(&v->annotate);
	g_array_unref(v->came_from);
	g_free(v->wanted);
	g_string_free(v->text, TRUE);
	g_free(v);
}

/* Frees the pages of a reading, and the annotator that made them. */
static void forget_reading(struct annotate_view *of)
{
	pages_free(of->pages);
	if (of->owns)
		tui_annotate_free(of->a);
}

/*
 * New samples have come: reads them again. Only if no view is above this one, because such a view uses pages of the old
 * samples. The cursor stays on its instruction.
 */
static void refresh(struct tui_view *view, struct tui *tui)
{
	static const struct progress_watch none = { 0 };
	struct code_view *v = code_view_of(view);
	struct annotate_view before = v->annotate, now = before;
	struct code_line line = code_lines_at(before.rows.page, rows_view_row(&v->annotate.rows));
	struct code_lines *lines = v->lines;
	struct page *page = v->page;
	GArray *came_from = v->came_from;
	u32 at, hot_at = v->hot_at;

	if (tui_top_view(tui) != view)
		return;
	now.a = annotate_beside(before.a, annotator_anew(before.a->annotator));
	now.owns = true;
	session_set_watch(annotator_session(now.a->annotator), &none);
	now.pages = code_pages_with(now.a, &v->function, &at, NULL);
	v->came_from = g_array_new(FALSE, FALSE, sizeof(u64));
	if (!now.pages || !now.pages->nr || !code_load(v, tui, now.pages, at)) {
		forget_reading(&now);
	} else {
		v->annotate.a = now.a;
		v->annotate.owns = true;
		v->annotate.pages = now.pages;
		code_relist(v, line.insn);
		if (line.source) /* show the source line above the function's first instruction */
			rows_view_go(&v->annotate.rows, v->annotate.rows.cursor - 1);
		code_lines_free(lines);
		page_free(page);
		forget_reading(&before);
	}
	g_array_unref(v->came_from);
	v->came_from = came_from;
	v->hot_at = hot_at;
}

static const struct tui_key *const keys[] = { code_keys, annotate_keys, rows_view_keys,
					      annotate_back_keys, NULL };
static const struct rows_view_ops rows_ops = { .draw_row = code_draw_row,
					       .draw_titles = code_draw_titles };
static const struct tui_view_ops ops = { "code",    keys,	    title,
					 status,    rows_view_draw, annotate_view_shown,
					 view_free, refresh };

bool annotate_open_code(struct tui *tui, struct tui_annotate *a, bool owns,
			const struct about *about)
{
	struct annotate_function wanted = { about->dso, about->symbol };
	g_autoptr(GError) error = NULL;
	struct code_view *v;
	struct pages *pages;
	u32 at;

	annotate_will_read(tui, a);
	pages = code_pages_with(a, &wanted, &at, &error);
	if (!pages || !pages->nr) {
		tui_warn(tui, "%s", error ? error->message : "no sample is in a known function");
		pages_free(pages);
		return false;
	}
	v = g_new0(struct code_view, 1);
	v->annotate = (struct annotate_view){ .a = a, .owns = owns, .first = owns, .pages = pages };
	v->came_from = g_array_new(FALSE, FALSE, sizeof(u64));
	v->text = g_string_new(NULL);
	/* Find the hottest function whose code can be read. */
	while (!code_load(v, tui, pages, at)) {
		if (wanted.symbol || ++at == pages->nr) {
			pages_free(pages);
			g_array_unref(v->came_from);
			g_string_free(v->text, TRUE);
			g_free(v);
			return false;
		}
	}
	rows_view_init(&v->annotate.rows, &ops, &rows_ops, code_lines_page(v->lines, a->source));
	v->annotate.rows.height = screen_rows(tui_screen(tui));
	if (about->vaddr && code_view_has(v, about->vaddr))
		code_go(v, code_lines_insn(v->lines, about->vaddr));
	else
		code_go_hottest(v);
	tui_push(tui, &v->annotate.rows.view);
	return true;
}
