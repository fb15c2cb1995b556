/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the files that print rows as text: stdio.c prints the table, hierarchy.c and calls.c nested rows, and
 * cells.c cells.
 */
#ifndef VIEW_STDIO_PRIVATE_H
#define VIEW_STDIO_PRIVATE_H

#include "view/stdio/stdio.h"

struct stdio {
	struct rows *rows;
	const struct view_options *options;
	GArray *columns;     /* struct rows_column, with widths that fit all rows */
	GArray *user_widths; /* u32, 0 = none */
	GString *line;	     /* being built */
	GString *cell;
	GString *lines; /* tree lines before the name of a nested row */
	FILE *out;
	GString *text; /* for a thread that prints a part of the rows: its output; else NULL */
};

/* Prints the rows of the first level with several threads, in order; false: not possible. */
bool stdio_print_in_parts(const struct stdio *s);

/* One row, with its call tree. */
void stdio_row(struct stdio *s, struct row row);

const struct rows_column *stdio_column(const struct stdio *s, u32 i);

/* Width of the whole column with all its parts, including the title. */
u32 stdio_width(const struct stdio *s, u32 i);

void stdio_cell(struct stdio *s, struct row row, u32 column, bool last);
void stdio_flush(struct stdio *s);
void stdio_pad(struct stdio *s, s64 nr, char with);

/* The call tree below an entry. */
void stdio_calls(struct stdio *s, struct row entry);

/* Prints a hierarchy: titles, then rows indented by level. */
void stdio_hierarchy_titles(struct stdio *s);
void stdio_hierarchy(struct stdio *s);

#endif
