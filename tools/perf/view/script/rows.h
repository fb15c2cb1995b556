/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples of `perf script` as rows, one by one as they are read: typed columns that -F names, and below a sample the
 * frames of its call chain. Samples of different events may have different columns.
 */
#ifndef VIEW_SCRIPT_ROWS_H
#define VIEW_SCRIPT_ROWS_H

#include "pages/base/rows.h"
#include "view/script/line.h"

/*
 * The columns are those that some event of the file has; for a pipe, whose events are not known yet, all selected ones.
 * The arguments belong to the caller and must outlive the rows.
 */
struct rows *script_rows_new(struct script_printer *printer, struct session *session,
			     const struct script_columns *columns, bool show_chain);

/* Makes @place the present row. ROW_NONE: no column is selected for its event. */
struct row script_rows_take(struct rows *rows, const struct place *place);

#endif
