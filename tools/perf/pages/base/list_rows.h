/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of a list or tree whose lines are known when it is opened: the instructions of a function, the members of a
 * type, processes. The provider adds lines by number. It is asked for the contents of cells when they are shown.
 */
#ifndef PAGES_LIST_ROWS_H
#define PAGES_LIST_ROWS_H

#include "pages/base/rows.h"

#define LIST_TOP UINT32_MAX /* as a parent: none */

struct list_ops {
	/* @line: as list_rows_add() numbered it, from 0 on. */
	void (*cell)(const void *arg, u32 line, u32 column, u32 part, struct cell *out);
	/* For cells of kind CELL_TEXT; numbers are formatted automatically. */
	void (*text)(const void *arg, u32 line, u32 column, u32 part, GString *out);
	/* The line's key among its siblings, independent of their order. */
	u64 (*key)(const void *arg, u32 line);
	/* For all other cells, if they have a form of their own; NULL: none has. */
	void (*number)(const void *arg, u32 line, u32 column, const struct cell *cell,
		       GString *out);
};

/* @columns and @arg belong to the caller and must outlive the rows. */
struct rows *list_rows_new(const struct rows_column *columns, u32 nr_columns,
			   const struct list_ops *ops, const void *arg);

/* The line's number. A parent comes before its children. */
u32 list_rows_add(struct rows *rows, u32 parent);

/* The line of a row of such rows. */
u32 list_rows_line(struct row row);

#endif
