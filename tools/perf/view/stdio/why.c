// SPDX-License-Identifier: GPL-2.0-or-later
/* The steps that tell a data type: source lines, and instructions below them. */
#include <inttypes.h>
#include <string.h>

#include "pages/code/why_pages.h"
#include "view/stdio/bodies.h"

#define INSN_COLUMN 36 /* column of a step's text; a longer instruction moves it right */

/* Appends " name.c:12" if the line differs from that of the previous step. */
static void print_source(struct rows *rows, struct row row, GString *last, FILE *out)
{
	g_autoptr(GString) text = g_string_new(NULL);
	const char *name;
	struct cell line;

	rows->ops->cell(rows, row, WHY_LINE, 0, &line);
	if (line.kind == CELL_NONE)
		return;
	rows->ops->text(rows, row, WHY_FILE, 0, text);
	g_string_append_printf(text, ":%" PRIu64, line.number);
	if (g_string_equal(text, last))
		return;
	g_string_assign(last, text->str);
	name = strrchr(text->str, '/');
	fprintf(out, "  %s\n", name ? name + 1 : text->str);
}

void stdio_print_why(const struct page *page, const struct view_options *options, FILE *out)
{
	g_autoptr(GString) source = g_string_new(NULL), insn = g_string_new(NULL);
	g_autoptr(GString) step = g_string_new(NULL);
	struct rows *rows = page->rows;
	struct row row = rows->ops->first(rows, (struct row){ ROW_NONE });

	fprintf(out, "%s in %s\n  %" PRIx64 ":  %s\n", page->title,
		notes_find(&page->notes, "dso")->words,
		notes_find(&page->notes, "address")->value.number,
		notes_find(&page->notes, "instruction")->words);
	for (; row.kind != ROW_NONE; row = rows->ops->next(rows, row)) {
		struct cell address;

		g_string_truncate(insn, 0);
		g_string_truncate(step, 0);
		rows->ops->cell(rows, row, WHY_ADDRESS, 0, &address);
		rows->ops->text(rows, row, WHY_STEP, 0, step);
		if (address.kind == CELL_NONE) {
			fprintf(out, "  %s\n", step->str);
			continue;
		}
		print_source(rows, row, source, out);
		rows->ops->text(rows, row, WHY_INSTRUCTION, 0, insn);
		fprintf(out, "    %8" PRIx64 ":  %-*s  %s\n", address.number, INSN_COLUMN,
			insn->str, step->str);
	}
	fputc('\n', out);
}
