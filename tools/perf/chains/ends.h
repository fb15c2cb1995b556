/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statistics of a profile: why did unwinding end? Sums of struct unwound_chain, for one thread or several. */
#ifndef CHAINS_ENDS_H
#define CHAINS_ENDS_H

#include <glib.h>

#include "chains/chainer.h"

/*
 * Histogram of cut stacks: entry i counts those that needed at most 1 << (i + CHAIN_ENDS_SHIFT) bytes, and more than
 * half of it.
 */
#define CHAIN_ENDS_SHIFT 9
#define CHAIN_ENDS_SIZES 12

struct chain_ends {
	u64 stacks, frames;
	u64 by_why[UNWIND_NR_WHYS];
	u64 cut_by_size[CHAIN_ENDS_SIZES]; /* the last entry also counts larger ones */
};

/* Counts @chain, if it was unwound. */
void chain_ends_add(struct chain_ends *ends, const struct unwound_chain *chain);
void chain_ends_merge(struct chain_ends *into, const struct chain_ends *from);

/* A line of the table: an end, or those cut stacks that needed a certain size. */
struct chain_end_line {
	enum unwind_why why;
	u32 size;   /* bytes; 0: the line is for all chains with that end */
	bool above; /* they needed more than @size; false: at most @size */
	u64 stacks;
};

/* Lines with a count above 0, as struct chain_end_line. The caller frees the array. */
GArray *chain_ends_lines(const struct chain_ends *ends);
/* The same as text: one line per end with its share, each after @prefix; "" without stacks. The caller frees it. */
char *chain_ends_text(const struct chain_ends *ends, const char *prefix);

/* Appends the line's label. */
void chain_end_line_text(const struct chain_end_line *line, GString *out);

#endif
