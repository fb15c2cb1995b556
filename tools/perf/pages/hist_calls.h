/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The call tree below an entry of a hist, as rows of the kinds ROW_CALLS and ROW_REST. A tree is made when its rows are
 * asked for; the last ones are kept.
 */
#ifndef PAGES_HIST_CALLS_H
#define PAGES_HIST_CALLS_H

#include "pages/hist_rows.h"

struct hist_calls;

/* @options stay the caller's, who may change them and then calls hist_calls_forget(). */
struct hist_calls *hist_calls_new(const struct hist_rows_options *options);
void hist_calls_free(struct hist_calls *calls);
void hist_calls_forget(struct hist_calls *calls);

/* Below an entry or a row of its tree, and beside such a row; ROW_NONE: there is none. */
struct row hist_calls_first(struct hist_calls *calls, struct row parent);
struct row hist_calls_next(struct hist_calls *calls, struct row row);

/* Whether there is something below; of an entry found out without making its tree. */
bool hist_calls_foldable(struct hist_calls *calls, struct row row);

/* What a row is, whatever the order; @entry: the key of its entry. */
u64 hist_calls_key(struct hist_calls *calls, struct row row, u64 entry);

/* As rows_ops have them. */
void hist_calls_get(struct hist_calls *calls, struct row row, struct rows_calls *out);
void hist_calls_frame(struct hist_calls *calls, struct row row, u32 i, GString *out);

/* The period of a node that counts for its share. */
static inline u64 hist_rows_period(const struct hist_rows_options *o, const struct hist_node *n)
{
	return hist_node_value(n, o->children ? VALUE_OVERHEAD_CHILDREN : VALUE_OVERHEAD, 0);
}

#endif
