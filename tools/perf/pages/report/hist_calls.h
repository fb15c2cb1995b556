/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The call tree below an entry of a hist, as rows of the kinds ROW_CALLS and ROW_REST. A tree is computed when its
 * rows are first used; the last few are cached.
 */
#ifndef PAGES_HIST_CALLS_H
#define PAGES_HIST_CALLS_H

#include "pages/report/hist_rows.h"

struct hist_calls;

/* @options belong to the caller. After changing them, call hist_calls_forget(). */
struct hist_calls *hist_calls_new(const struct hist_rows_options *options);
void hist_calls_free(struct hist_calls *calls);
void hist_calls_forget(struct hist_calls *calls);

/*
 * The first row below an entry or a row of its tree, and the next sibling of such a row; ROW_NONE: none.
 */
struct row hist_calls_first(struct hist_calls *calls, struct row parent);
struct row hist_calls_next(struct hist_calls *calls, struct row row);

/* True if there are rows below; for an entry, without computing its tree. */
bool hist_calls_foldable(struct hist_calls *calls, struct row row);

/* The key of a row, independent of the order; @entry: the key of its entry. */
u64 hist_calls_key(struct hist_calls *calls, struct row row, u64 entry);

/* As rows_ops have them. */
void hist_calls_get(struct hist_calls *calls, struct row row, struct rows_calls *out);
void hist_calls_frame(struct hist_calls *calls, struct row row, u32 i, GString *out);

/* The period of a node that its share is computed from. */
static inline u64 hist_rows_period(const struct hist_rows_options *o, const struct hist_node *n)
{
	return hist_node_value(n, o->children ? VALUE_OVERHEAD_CHILDREN : VALUE_OVERHEAD, 0);
}

#endif
