/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The samples of `perf script` as rows, one at a time as they are read: the columns that -F names, typed, and
 * below a sample the frames of its call chain. Samples of another event may have other columns.
 */
#ifndef VIEW_SCRIPT_ROWS_H
#define VIEW_SCRIPT_ROWS_H

#include "pages/rows.h"
#include "view/script/line.h"

/*
 * With the columns that some event of the file has; of a pipe, whose events are not known yet, all that
 * are wanted. What is given stays the caller's and outlives the rows.
 */
struct rows *script_rows_new(struct script_printer *printer, struct session *session,
			     const struct script_columns *columns, bool show_chain);

/* @place is the row now; ROW_NONE where no column is wanted of its event. */
struct row script_rows_take(struct rows *rows, const struct place *place);

#endif
