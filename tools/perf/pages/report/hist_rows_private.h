/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of a hist: hist_rows.c has the rows, hist_cells.c their cells. */
#ifndef PAGES_HIST_ROWS_PRIVATE_H
#define PAGES_HIST_ROWS_PRIVATE_H

#include "pages/report/hist_calls.h"

struct hist_rows {
	struct rows rows;
	struct hist_rows_options o;
	GPtrArray *columns; /* const struct column *: those of these events */
	struct hist_calls *calls;
	/* GArray of u32, by tree node: the shown rows below it, if --percent-limit hides some. */
	GHashTable *shown;
};

static inline const struct hist_rows *hist_rows_of(const struct rows *rows)
{
	return container_of(rows, struct hist_rows, rows);
}

static inline const struct hist_node *hist_rows_node(const struct hist_rows *r, u32 i)
{
	return &r->o.tree->nodes[i];
}

static inline const struct column *hist_rows_at(const struct hist_rows *r, u32 i)
{
	return g_ptr_array_index(r->columns, i);
}

/* hist_cells.c: functions of rows_ops. */
void hist_rows_column(const struct rows *rows, u32 column, struct rows_column *out);
void hist_rows_cell(const struct rows *rows, struct row row, u32 column, u32 part,
		    struct cell *out);
void hist_rows_text(const struct rows *rows, struct row row, u32 column, u32 part, GString *out);
u32 hist_rows_widest(const struct rows *rows, u32 column);

#endif
