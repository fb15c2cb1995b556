/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows as JSON, all of them or one by one. */
#ifndef VIEW_JSON_ROWS_H
#define VIEW_JSON_ROWS_H

#include "base/json_out.h"
#include "pages/base/page.h"
#include "view/view.h"

/* Version of the format. Readers need to check only the first number. */
#define JSON_ROWS_VERSION "1.0"

struct json_rows {
	struct json_out json;
	struct rows *rows;
	GArray *columns; /* struct rows_column */
	GString *text;
	bool brief; /* a share is its percentage with two digits; cells without text are left out */
};

/* @out NULL: the text is collected in json.text. */
void json_rows_init(struct json_rows *w, FILE *out);
void json_rows_release(struct json_rows *w);

/* From now on, write rows of @rows. */
void json_rows_use(struct json_rows *w, struct rows *rows);

/* Writes the members with which all our JSON documents begin. */
void json_rows_begin(struct json_rows *w, const char *command, const char *kind);

/* Writes "columns" and "rows" as members of the present object. */
void json_rows_columns(struct json_rows *w);
void json_rows_all(struct json_rows *w);

/* Writes the cells of an entry as members of the present object. */
void json_rows_cells(struct json_rows *w, struct row row);

/* Writes a typed cell. @text: the text of a CELL_TEXT. @brief: see struct json_rows. */
void json_cell(struct json_out *json, const struct cell *cell, const GString *text, bool brief);
/* Writes a fact, or all in @notes, as members of the present object; if @brief, those that have a value. */
void json_fact(struct json_out *json, const struct note *note, bool brief);
void json_facts(struct json_out *json, const struct notes *notes, bool brief);

extern const struct view_stream json_stream;

#endif
