/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The list of visible rows, by position, when the user has unfolded some rows. A window of the list is found without
 * visiting the rows above it, also among very many rows.
 *
 *	rows			visible, with B unfolded
 *	A			0  A
 *	B -> B1, B2		1  B
 *	C			2    B1
 *				3    B2
 *				4  C
 *
 * Unfolded rows are remembered by their keys, so they stay unfolded when the order changes.
 */
#ifndef PAGES_VISIBLE_H
#define PAGES_VISIBLE_H

#include "pages/base/rows.h"

struct visible_row {
	struct row row;
	u32 depth; /* number of unfolded rows around it */
	bool open;
};

struct visible;

/* All rows are folded. The caller owns @rows, which must exist longer than the list. */
struct visible *visible_new(struct rows *rows);
void visible_free(struct visible *visible);

u64 visible_nr(const struct visible *visible);

/* Writes at most @nr rows from position @from on to @out. Returns their number. */
u32 visible_window(const struct visible *visible, u64 from, struct visible_row *out, u32 nr);

/* Unfold, or fold, the row at @position. False: it cannot be unfolded, or folded. */
bool visible_open(struct visible *visible, u64 position);
bool visible_close(struct visible *visible, u64 position);

/* The position of the first-level row that is, or contains, the row at @position... */
u64 visible_entry(const struct visible *visible, u64 position);
/* ... and the index of this row in the first level. */
u64 visible_above(const struct visible *visible, u64 position);

/* Folds all rows. */
void visible_close_all(struct visible *visible);

/*
 * Continues with @rows: the same rows in a new order, or made again. Rows that were unfolded and still exist are
 * unfolded. Visits every row of each level that has unfolded rows.
 */
void visible_follow(struct visible *visible, struct rows *rows);

/* The position of the row with @key, or -1. Searches around @near first, then all rows. */
s64 visible_find(const struct visible *visible, u64 key, u64 near);

#endif
