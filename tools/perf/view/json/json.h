/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages as one JSON document: Documentation/formats/rows.md. */
#ifndef VIEW_JSON_JSON_H
#define VIEW_JSON_JSON_H

#include "base/json_out.h"
#include "view/view.h"

/* Of what is written; a reader need only look at the first number. */
#define JSON_ROWS_VERSION "1.0"

bool json_print_pages(struct pages *pages, const struct view_options *options, FILE *out,
		      GError **error);

/* A typed cell; @text are the words of a CELL_TEXT. */
void json_cell(struct json_out *json, const struct cell *cell, const GString *text);

#endif
