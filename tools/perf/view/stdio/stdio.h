/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints all rows as text, in upstream's format, so that scripts that parse it keep working. */
#ifndef VIEW_STDIO_H
#define VIEW_STDIO_H

#include "view/view.h"

/* False with @error for invalid widths. */
bool stdio_print_rows(struct rows *rows, const struct view_options *options, FILE *out,
		      GError **error);

#endif
