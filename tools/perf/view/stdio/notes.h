/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is to be said above rows, and beside them, as text. */
#ifndef VIEW_STDIO_NOTES_H
#define VIEW_STDIO_NOTES_H

#include <stdio.h>

#include "pages/page.h"

/* "# Total Lost Samples: 0": what stands above rows. */
void stdio_print_notes(const struct notes *notes, FILE *out);

/* "note: ...", "Warning: ...": what stands beside a result, on stderr. */
void stdio_print_remarks(const struct notes *remarks, FILE *out);

#endif
