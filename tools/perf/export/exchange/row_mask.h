/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which texts of tables may leave the host. Numbers, times, the host's name, events, and what the tables pushes and
 * events say are never masked: without them, nothing can be added up.
 *
 *	row_mask_columns(mask, "service,type,symbol", &error)	texts of all other columns become ""
 *	row_mask_values(mask, "operation=GET *", &error)	texts of this column that fit no pattern become "(hidden)"
 */
#ifndef EXPORT_EXCHANGE_ROW_MASK_H
#define EXPORT_EXCHANGE_ROW_MASK_H

#include "base/error.h"
#include "export/exchange/row_tables.h"

struct row_mask;

struct row_mask *row_mask_new(void);
void row_mask_free(struct row_mask *mask);

/* False with @error: a name is not that of a column with texts that can be masked; or there is no '='. */
bool row_mask_columns(struct row_mask *mask, const char *names, GError **error);
/* May be called several times for a column: a text must fit one of the patterns (glob(7)). "" is left as it is. */
bool row_mask_values(struct row_mask *mask, const char *column_and_pattern, GError **error);

/* The rows that follow have these texts. */
void row_mask_begin(struct row_mask *mask, struct intern *texts);
void row_mask_apply(struct row_mask *mask, const struct row_table_spec *table, struct rowset *rows);

/* "service, container, ...": the columns that can be masked; with g_free(). */
char *row_mask_names(void);

#endif
