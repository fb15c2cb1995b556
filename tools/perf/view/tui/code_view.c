// SPDX-License-Identifier: GPL-2.0-or-later
/* Chooses the function that the code browser shows, and the position in it. */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "view/tui/code_view.h"

void code_fit(GString *text, u32 columns)
{
	if (text_columns(text->str, text->len) <= columns)
		return;
	g_string_truncate(text, text_fit(text->str, text->len, columns - MIN(columns, 1)));
	g_string_append(text, "…");
}

bool code_load(struct code_view *v, struct tui *tui, struct pages *pages, u32 at)
{
	struct page *page = pages->ops->open(pages, at);
	struct annotate_function f;

	code_pages_function(pages, at, &f);
	if (!page) {
		tui_warn(tui, "the code of %s was not found: %s", dso_symbol_name(f.dso, f.symbol),
			 dso_long_name(f.dso));
		return false;
	}
	v->page = page;
	v->at = at;
	v->hot_at = 0;
	v->function = f;
	v->lines = code_lines_new(page);
	g_array_set_size(v->came_from, 0);
	return true;
}

/* Shows another page. If its code cannot be read, the present page stays. */
static bool show(struct code_view *v, struct tui *tui, struct pages *pages, u32 at)
{
	struct code_lines *lines = v->lines;
	struct page *old = v->page;

	if (!code_load(v, tui, pages, at))
		return false;
	code_relist(v, 0);
	code_lines_free(lines);
	page_free(old);
	return true;
}

void code_relist(struct code_view *v, u32 insn)
{
	struct page *page = code_lines_page(v->lines, v->annotate.a->source);

	rows_view_replace_at(&v->annotate.rows, page, code_lines_find(page, insn));
}

void code_go(struct code_view *v, u32 insn)
{
	struct rows_view *rows = &v->annotate.rows;
	u32 at = code_lines_find(rows->page, insn);

	/* If the line is not on the screen, scroll to it, with some lines above it. */
	if (at < rows->top || at >= rows->top + rows->height)
		rows->top = at - MIN(at, rows->height / 3);
	rows_view_go(rows, at);
}

void code_go_hottest(struct code_view *v)
{
	if (v->lines->hot->len)
		code_go(v, g_array_index(v->lines->hot, u32, 0));
	else
		rows_view_go(&v->annotate.rows, 0);
}

bool code_show(struct code_view *v, struct tui *tui, u32 at)
{
	if (!show(v, tui, v->annotate.pages, at))
		return false;
	code_go_hottest(v);
	return true;
}

/* The index of the function's page among all functions with samples; -1: it has no samples. */
static s64 find_function(const struct pages *pages, const struct annotate_function *wanted)
{
	for (u32 i = 0; i < pages->nr; i++) {
		struct annotate_function f;

		code_pages_function(pages, i, &f);
		if (f.dso == wanted->dso && f.symbol == wanted->symbol)
			return i;
	}
	return -1;
}

struct pages *code_pages_with(struct tui_annotate *a, const struct annotate_function *wanted,
			      u32 *at, GError **error)
{
	struct pages *pages = annotator_code(a->annotator, true, error);
	s64 found = 0;

	*at = 0;
	if (!pages || !wanted->symbol)
		return pages;
	found = find_function(pages, wanted);
	if (found >= 0) {
		*at = (u32)found;
		return pages;
	}
	pages_free(pages);
	return annotator_function(a->annotator, wanted->dso, wanted->symbol, true, error);
}
