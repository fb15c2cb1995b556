/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How does a type lie in memory? Its members as a tree of lines, in the order of the declaration, or with
 * holes in the order of their offsets:
 *
 *	struct order {			depth 0, offset 0, size 24
 *		char side;		depth 1, offset 0, size 1
 *					depth 1, LINE_HOLE: offset 1, size 7
 *		u64 id;			depth 1, offset 8, size 8
 *		u32 quantity;		depth 1, offset 16, size 4
 *					depth 1, LINE_PADDING: offset 20, size 4
 *	};
 *
 * Unions and Rust's enums have no holes: their members lie over each other.
 */
#ifndef ANNOTATE_LAYOUT_H
#define ANNOTATE_LAYOUT_H

#include "dwarf/types.h"

enum type_line_kind {
	LINE_MEMBER,  /* or the type itself */
	LINE_HOLE,    /* bytes between two members */
	LINE_PADDING, /* bytes behind the last one */
};

struct type_line {
	const struct type *type; /* NULL: a hole, padding */
	const char *name;	 /* of the member, "" where it has none */
	u64 offset, size;	 /* in the whole type */
	u32 depth;
	u16 bit_size;
	u8 kind;	 /* enum type_line_kind */
	bool opens;	 /* its members follow */
	bool open_ended; /* an array without a bound at the end: everything from @offset on */
};

/* False: no more, as damaged debug information may nest without end. */
typedef bool type_line_fn(const struct type_line *line, void *arg);

/* Calls @fn for the type itself and each member; @holes: for holes and padding, too. */
void type_each_line(const struct type *type, bool holes, type_line_fn *fn, void *arg);

/*
 * The member that @path names, as type_member_path() writes it ("lru.next"), or that lies at an
 * offset: "+0x8", "0x8", "8". False: there is none. @out->name is its last step.
 */
bool type_find_line(const struct type *type, const char *path, struct type_line *out);

#endif
