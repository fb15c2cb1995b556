/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which rows does a person see who unfolded some of them? The list of visible rows, by position:
 * any window of it is had without walking what stands above, however many rows there are.
 *
 *	rows			visible, with B unfolded
 *	A			0  A
 *	B -> B1, B2		1  B
 *	C			2    B1
 *				3    B2
 *				4  C
 *
 * What is unfolded is remembered by the rows' keys, so it outlives a new order.
 */
#ifndef PAGES_VISIBLE_H
#define PAGES_VISIBLE_H

#include "pages/rows.h"

struct visible_row {
	struct row row;
	u32 depth; /* unfolded rows around it */
	bool open;
};

struct visible;

/* Nothing is unfolded. @rows stay the caller's and outlive the list. */
struct visible *visible_new(struct rows *rows);
void visible_free(struct visible *visible);

u64 visible_nr(const struct visible *visible);

/* The rows at position @from and behind into @out; returns how many there are, at most @nr. */
u32 visible_window(const struct visible *visible, u64 from, struct visible_row *out, u32 nr);

/* Unfolds or folds the row at @position; false where it is no row that can be. */
bool visible_open(struct visible *visible, u64 position);
bool visible_close(struct visible *visible, u64 position);

/* Of the row at @position: where the row of the first level is that it is or is below... */
u64 visible_entry(const struct visible *visible, u64 position);
/* ... and which of those of the first level that is. */
u64 visible_above(const struct visible *visible, u64 position);

/* Folds all. */
void visible_close_all(struct visible *visible);

/*
 * The same rows in a new order, or made again: what was unfolded is, as far as it is there. Looks
 * at every row of each level that has something unfolded.
 */
void visible_follow(struct visible *visible, struct rows *rows);

/* The position of the row with @key, or -1. Looks about @near first, then at every row. */
s64 visible_find(const struct visible *visible, u64 key, u64 near);

#endif
