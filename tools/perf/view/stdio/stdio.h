/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints all rows as text, in upstream's look, so that scripts that parse it go on working. */
#ifndef VIEW_STDIO_H
#define VIEW_STDIO_H

#include <stdio.h>

#include "base/error.h"
#include "pages/rows.h"

struct stdio_options {
	const char *separator; /* -t: between cells, and nothing aligned; NULL = columns */
	const char *widths;    /* -w: "5,,10", column by column */
	bool colour;
	bool quiet; /* no titles */
};

/* False with @error for widths that are no numbers. */
bool stdio_print_rows(struct rows *rows, const struct stdio_options *options, FILE *out,
		      GError **error);

#endif
