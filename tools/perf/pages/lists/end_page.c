// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/lists/end_page.h"

#include "base/percent.h"
#include "base/table.h"
#include "chains/ends.h"
#include "pages/base/list_rows.h"

enum { END_WHY, END_STACKS, END_SHARE, END_NR_COLUMNS };

static const struct rows_column columns[END_NR_COLUMNS] = {
	[END_WHY] = { "end", "Stacks ended at", .kind = CELL_TEXT },
	[END_STACKS] = { "stacks", "Stacks", "stacks", CELL_COUNT, .value = true },
	[END_SHARE] = { "share", "Share", .kind = CELL_SHARE, .value = true },
};

struct end_page {
	GArray *lines; /* struct chain_end_line */
	u64 stacks;
};

static const struct chain_end_line *line_at(const struct end_page *p, u32 i)
{
	return &g_array_index(p->lines, struct chain_end_line, i);
}

static void end_cell(const void *arg, u32 i, u32 column, u32 part, struct cell *out)
{
	const struct end_page *p = arg;

	if (column == END_WHY)
		return;
	out->number = line_at(p, i)->stacks;
	out->real = percent_of(out->number, p->stacks);
}

static void end_text(const void *arg, u32 i, u32 column, u32 part, GString *out)
{
	chain_end_line_text(line_at(arg, i), out);
}

static u64 end_key(const void *arg, u32 i)
{
	const struct chain_end_line *line = line_at(arg, i);

	return table_mix(line->why, line->size);
}

static void end_page_free(void *arg)
{
	struct end_page *p = arg;

	g_array_unref(p->lines);
	g_free(p);
}

struct page *end_page_new(const struct chain_ends *ends)
{
	static const struct list_ops ops = { end_cell, end_text, end_key };
	struct end_page *p = g_new0(struct end_page, 1);
	struct page *page = page_new(g_strdup("Ends of stacks"));

	p->lines = chain_ends_lines(ends);
	p->stacks = ends->stacks;
	page->kind = "ends";
	page->own = p;
	page->free_own = end_page_free;
	page->rows = list_rows_new(columns, END_NR_COLUMNS, &ops, p);
	for (u32 i = 0; i < p->lines->len; i++)
		list_rows_add(page->rows, LIST_TOP);
	note_set_text(notes_add_number(&page->notes, "stacks", CELL_COUNT, ends->stacks), GAP_NONE,
		      "Stacks unwound: %" G_GUINT64_FORMAT ", frames: %" G_GUINT64_FORMAT,
		      ends->stacks, ends->frames);
	notes_add_number(&page->notes, "frames", CELL_COUNT, ends->frames);
	return page;
}

void notes_add_ends(struct notes *notes, const struct chain_ends *ends)
{
	g_autoptr(GArray) lines = chain_ends_lines(ends);

	if (ends->stacks)
		notes_add(notes, NOTE_REMARK,
			  "%" G_GUINT64_FORMAT " stacks were unwound to %" G_GUINT64_FORMAT
			  " frames and ended at:",
			  ends->stacks, ends->frames);
	for (u32 i = 0; i < lines->len; i++) {
		const struct chain_end_line *line = &g_array_index(lines, struct chain_end_line, i);
		g_autoptr(GString) text = g_string_new(NULL);

		chain_end_line_text(line, text);
		notes_add(notes, NOTE_REMARK, "%10" G_GUINT64_FORMAT "  %6.2f%%  %s", line->stacks,
			  percent_of(line->stacks, ends->stacks), text->str);
	}
}
