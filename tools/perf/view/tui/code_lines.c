// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/tui/code_lines.h"

#include <string.h>

#include "base/search.h"
#include "pages/base/about.h"
#include "pages/base/list_rows.h"
#include "pages/code/annotate_pages.h"

static struct rows *rows_of(const struct code_lines *l)
{
	return l->page->rows;
}

struct row code_lines_row(const struct code_lines *l, u32 insn)
{
	struct row row = { ROW_NONE };

	rows_of(l)->ops->window(rows_of(l), (struct row){ ROW_NONE }, insn, &row, 1);
	return row;
}

u64 code_lines_number(const struct code_lines *l, u32 insn, u32 column)
{
	struct cell cell;

	rows_of(l)->ops->cell(rows_of(l), code_lines_row(l, insn), column, 0, &cell);
	return cell.kind == CELL_NONE ? 0 : cell.number;
}

void code_lines_text(const struct code_lines *l, u32 insn, u32 column, GString *out)
{
	struct row row = code_lines_row(l, insn);
	struct cell cell;

	g_string_truncate(out, 0);
	rows_of(l)->ops->cell(rows_of(l), row, column, 0, &cell);
	if (cell.kind == CELL_TEXT)
		rows_of(l)->ops->text(rows_of(l), row, column, 0, out);
}

u32 code_lines_insn(const struct code_lines *l, u64 vaddr)
{
	u32 next = SEARCH(i, 0, l->nr_insns, l->addresses[i] <= vaddr);

	return next ? next - 1 : 0;
}

static void find_jumps(struct code_lines *l)
{
	g_autofree s32 *targets = g_new(s32, l->nr_insns + 1);

	for (u32 i = 0; i < l->nr_insns; i++) {
		struct about about;
		u32 at;

		targets[i] = -1;
		l->page->about(l->page, code_lines_row(l, i), &about);
		if (!about.target || about.calls)
			continue;
		at = code_lines_insn(l, about.target);
		if (l->addresses[at] == about.target)
			targets[i] = (s32)at;
	}
	l->jumps = jumps_new(targets, l->nr_insns);
}

struct heat {
	u32 insn;
	u64 period;
};

static int hotter(const void *pa, const void *pb)
{
	const struct heat *a = pa, *b = pb;

	if (a->period != b->period)
		return a->period > b->period ? -1 : 1;
	return a->insn < b->insn ? -1 : 1;
}

static void find_hot(struct code_lines *l)
{
	g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(struct heat));

	l->hot = g_array_new(FALSE, FALSE, sizeof(u32));
	for (u32 i = 0; i < l->nr_insns; i++) {
		struct heat heat = { i, code_lines_number(l, i, ANNOTATE_SHARE) };

		if (heat.period)
			g_array_append_val(all, heat);
	}
	g_array_sort(all, hotter);
	for (u32 i = 0; i < all->len; i++)
		g_array_append_val(l->hot, g_array_index(all, struct heat, i).insn);
}

/* Does a new source line begin at the instruction? */
struct source_before {
	u64 line;
	GString *file, *text;
};

static bool is_new_source(const struct code_lines *l, u32 insn, struct source_before *before)
{
	u64 line = code_lines_number(l, insn, CODE_LINE);

	if (!line)
		return false;
	code_lines_text(l, insn, CODE_FILE, before->text);
	if (line == before->line && g_string_equal(before->text, before->file))
		return false;
	before->line = line;
	g_string_assign(before->file, before->text->str);
	return true;
}

static void find_sources(struct code_lines *l)
{
	struct source_before before = { 0, g_string_new(NULL), g_string_new(NULL) };

	l->sources = g_new0(bool, l->nr_insns + 1);
	for (u32 i = 0; i < l->nr_insns; i++)
		l->sources[i] = is_new_source(l, i, &before);
	g_string_free(before.file, TRUE);
	g_string_free(before.text, TRUE);
}

struct code_lines *code_lines_new(const struct page *page)
{
	struct code_lines *l = g_new0(struct code_lines, 1);

	l->page = page;
	l->start = notes_find(&page->notes, "start")->value.number;
	l->nr_insns = page->rows->ops->nr(page->rows, (struct row){ ROW_NONE });
	l->addresses = g_new(u64, l->nr_insns + 1);
	for (u32 i = 0; i < l->nr_insns; i++)
		l->addresses[i] = code_lines_number(l, i, CODE_ADDRESS);
	find_jumps(l);
	find_hot(l);
	find_sources(l);
	return l;
}

void code_lines_free(struct code_lines *l)
{
	if (!l)
		return;
	jumps_free(l->jumps);
	g_array_unref(l->hot);
	g_free(l->addresses);
	g_free(l->sources);
	g_free(l);
}

/* The list on the screen. Its page owns it. */
struct code_list {
	const struct code_lines *lines;
	GArray *list; /* struct code_line */
};

/* Never called: the view draws the rows itself. */
static void list_cell(const void *arg, u32 line, u32 column, u32 part, struct cell *out)
{
	out->kind = CELL_NONE;
}

static void list_text(const void *arg, u32 line, u32 column, u32 part, GString *out)
{
}

static u64 list_key(const void *arg, u32 line)
{
	const struct code_list *list = arg;
	const struct code_line *l = &g_array_index(list->list, struct code_line, line);

	return list->lines->addresses[l->insn] << 1 | l->source;
}

static void list_free(void *own)
{
	struct code_list *list = own;

	g_array_unref(list->list);
	g_free(list);
}

static bool about_line(const struct page *page, struct row row, struct about *out)
{
	const struct code_list *list = page->own;
	const struct page *from = list->lines->page;

	return from->about(from, code_lines_row(list->lines, code_lines_at(page, row).insn), out);
}

struct page *code_lines_page(const struct code_lines *l, bool source)
{
	static const struct rows_column column = { "line", "", .kind = CELL_TEXT };
	static const struct list_ops ops = { list_cell, list_text, list_key };
	struct code_list *list = g_new0(struct code_list, 1);
	struct page *page = page_new(g_strdup(l->page->title));

	list->lines = l;
	list->list = g_array_new(FALSE, FALSE, sizeof(struct code_line));
	for (u32 i = 0; i < l->nr_insns; i++) {
		if (source && l->sources[i])
			g_array_append_vals(list->list, &(struct code_line){ i, true }, 1);
		g_array_append_vals(list->list, &(struct code_line){ i, false }, 1);
	}
	page->own = list;
	page->free_own = list_free;
	page->about = about_line;
	page->rows = list_rows_new(&column, 1, &ops, list);
	for (u32 i = 0; i < list->list->len; i++)
		list_rows_add(page->rows, LIST_TOP);
	return page;
}

struct code_line code_lines_at(const struct page *page, struct row row)
{
	const struct code_list *list = page->own;

	return g_array_index(list->list, struct code_line, list_rows_line(row));
}

u32 code_lines_find(const struct page *page, u32 insn)
{
	const GArray *list = ((const struct code_list *)page->own)->list;
	u32 at = SEARCH(i, 0, list->len,
			g_array_index(list, struct code_line, i).insn < insn ||
				(g_array_index(list, struct code_line, i).insn == insn &&
				 g_array_index(list, struct code_line, i).source));

	return MIN(at, list->len ? list->len - 1 : 0);
}
