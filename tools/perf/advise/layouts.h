/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Layouts of a type's parts, and what each costs: the cache lines that a use touches in one object. Where in a line an object begins is
 * not known, so the cost is the mean over the places where it can begin:
 *
 *	struct of 40 bytes from malloc(), which is aligned to 16; the use touches offsets 0 and 32
 *		begins at 0:	offsets 0 and 32	1 line
 *		begins at 16:	16 and 48		1 line
 *		begins at 32:	32 and 64		2 lines
 *		begins at 48:	48 and 80		2 lines		mean 1.5
 *
 * Where samples have data addresses, it is known how often objects begin where, as long as the type keeps its size.
 */
#ifndef ADVISE_LAYOUTS_H
#define ADVISE_LAYOUTS_H

#include "advise/uses.h"

#define ADVISE_ABSENT	 UINT64_MAX
#define ADVISE_MOST_LINE 256u

/* Where objects begin in a line of @line bytes: a weight for each offset. */
struct advise_begins {
	u32 line;
	u64 size; /* of the type: another one lies elsewhere */
	u64 samples;
	u64 weights[ADVISE_MOST_LINE];
};

struct advise_layout {
	u32 nr;
	u32 *order;  /* parts by their offsets */
	u32 *align;  /* by part */
	u64 *offset; /* by part; ADVISE_ABSENT: it is not in this layout */
	u64 size;
	u32 least;			    /* alignment that is asked for, beside the parts' */
	const struct advise_begins *begins; /* borrowed; NULL: not known */
};

/* As it is. Free it with advise_layout_release(). */
void advise_layout_init(struct advise_layout *l, const struct advise_parts *parts);
void advise_layout_copy(struct advise_layout *to, const struct advise_layout *from);
void advise_layout_release(struct advise_layout *l);

/* Computes offsets and size from the order, as a compiler does. */
void advise_layout_place(struct advise_layout *l, const struct advise_parts *parts);

/* Cache lines of @line bytes that @use touches in one object. */
double advise_use_lines(const struct advise_layout *l, const struct advise_use *use, u32 line);
/* The mean of all uses, by their time. */
double advise_lines(const struct advise_layout *l, const struct advise_uses *uses, u32 line);

/*
 * Orders the parts so that uses touch as few lines as possible, in no more bytes than before. Only parts that are free move. Of layouts that
 * cost the same, the smaller one is taken, then the one that moves less. Deterministic.
 */
void advise_layout_best(struct advise_layout *l, const struct advise_parts *parts,
			const struct advise_uses *uses, u32 line);

/* Orders the parts so that the type has the fewest bytes; as little as possible moves. */
void advise_layout_smallest(struct advise_layout *l, const struct advise_parts *parts);

/* The number of parts that have another neighbour in front than in the type as it is. Another first part counts twice: code may rely on it. */
u32 advise_layout_moved(const struct advise_layout *l);

#endif
