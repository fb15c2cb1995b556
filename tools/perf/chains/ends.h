/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How did the unwound stacks of a profile end? Sums of what struct unwound_chain says, for one thread or several. */
#ifndef CHAINS_ENDS_H
#define CHAINS_ENDS_H

#include <glib.h>

#include "chains/chainer.h"

/* Of cut stacks: those that needed at most 1 << (i + CHAIN_ENDS_SHIFT) bytes, and more than half of it. */
#define CHAIN_ENDS_SHIFT 9
#define CHAIN_ENDS_SIZES 12

struct chain_ends {
	u64 stacks, frames;
	u64 by_why[UNWIND_NR_WHYS];
	u64 cut_by_size[CHAIN_ENDS_SIZES]; /* the last one: more than that as well */
};

/* A chain that was not unwound does not count. */
void chain_ends_add(struct chain_ends *ends, const struct unwound_chain *chain);
void chain_ends_merge(struct chain_ends *into, const struct chain_ends *from);

/* A line of the table of ends, or of the cut stacks those that needed so much. */
struct chain_end_line {
	enum unwind_why why;
	u32 size;   /* bytes; 0: the line is of all with that end */
	bool above; /* they needed more than @size, else at most that */
	u64 stacks;
};

/* struct chain_end_line, without those of no stack. To free. */
GArray *chain_ends_lines(const struct chain_ends *ends);
/* The same as text: a line per end with its share behind @prefix, "" without stacks. To free. */
char *chain_ends_text(const struct chain_ends *ends, const char *prefix);

/* Appends what the line is of. */
void chain_end_line_text(const struct chain_end_line *line, GString *out);

#endif
