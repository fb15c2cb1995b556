/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages as text: notes behind "# ", rows below them. */
#ifndef VIEW_STDIO_PAGES_H
#define VIEW_STDIO_PAGES_H

#include "view/view.h"

bool stdio_print_pages(struct pages *pages, const struct view_options *options, FILE *out,
		       GError **error);

/* "# Total Lost Samples: 0": what stands above rows. */
void stdio_print_notes(const struct notes *notes, FILE *out);

/* "note: ...", "Warning: ...": what stands beside a result, on stderr. */
void stdio_print_remarks(const struct notes *remarks, FILE *out);

/* Those of pages that have been drawn; with options->quiet only why there is nothing. */
void stdio_print_pages_remarks(struct pages *pages, const struct view_options *options);

#endif
