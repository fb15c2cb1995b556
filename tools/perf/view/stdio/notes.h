/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Notes above rows, and remarks, as text. */
#ifndef VIEW_STDIO_NOTES_H
#define VIEW_STDIO_NOTES_H

#include <stdio.h>

#include "pages/base/page.h"

/* "# Total Lost Samples: 0": notes above rows. */
void stdio_print_notes(const struct notes *notes, FILE *out);

/* "note: ...", "Warning: ...": remarks, on stderr. */
void stdio_print_remarks(const struct notes *remarks, FILE *out);

#endif
