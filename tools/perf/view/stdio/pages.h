/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages as text: notes after "# ", rows below them. */
#ifndef VIEW_STDIO_PAGES_H
#define VIEW_STDIO_PAGES_H

#include "view/stdio/notes.h"
#include "view/view.h"

bool stdio_print_pages(struct pages *pages, const struct view_options *options, FILE *out,
		       GError **error);

/* Remarks after all pages; with options->quiet only why there is nothing. */
void stdio_print_pages_remarks(struct pages *pages, const struct view_options *options);

#endif
