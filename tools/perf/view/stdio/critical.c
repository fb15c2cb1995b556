// SPDX-License-Identifier: GPL-2.0-or-later
/* report --critical: rows, without the columns that only programs need. */
#include "pages/critical/critical_words.h"
#include "view/stdio/bodies.h"
#include "view/stdio/notes.h"
#include "view/stdio/stdio.h"

void stdio_print_critical(const struct page *page, const struct view_options *options, FILE *out)
{
	if (!options->quiet)
		stdio_print_notes(&page->notes, out);
	page->rows->nr_columns = (u32)rows_find_column(page->rows, CRITICAL_LAST_SHOWN) + 1;
	stdio_print_rows(page->rows, options, out, NULL);
	fputs("\n\n", out);
}
