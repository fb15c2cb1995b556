/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages as comma-separated values (RFC 4180): Documentation/formats/rows.md. */
#ifndef VIEW_CSV_CSV_H
#define VIEW_CSV_CSV_H

#include "view/view.h"

bool csv_print_pages(struct pages *pages, const struct view_options *options, FILE *out,
		     GError **error);

/* Appends @text as one field, in quotes where it needs them. */
void csv_append(GString *line, const char *text);

/* Appends a typed cell; @text are the words of a CELL_TEXT. */
void csv_append_cell(GString *line, const struct cell *cell, const char *text);

/* The title of a column: its name, and its unit where the kind has one. */
void csv_append_title(GString *line, const char *name, enum cell_kind kind, const char *part);

#endif
