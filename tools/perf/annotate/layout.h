/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory layout of a type: its members as a tree of lines, in the order of the declaration; with holes, in the
 * order of their offsets:
 *
 *	struct order {			depth 0, offset 0, size 24
 *		char side;		depth 1, offset 0, size 1
 *					depth 1, LINE_HOLE: offset 1, size 7
 *		u64 id;			depth 1, offset 8, size 8
 *		u32 quantity;		depth 1, offset 16, size 4
 *					depth 1, LINE_PADDING: offset 20, size 4
 *	};
 *
 * Unions and Rust enums have no holes, because their members overlap.
 */
#ifndef ANNOTATE_LAYOUT_H
#define ANNOTATE_LAYOUT_H

#include "dwarf/types.h"

enum type_line_kind {
	LINE_MEMBER,  /* a member, or the type itself */
	LINE_HOLE,    /* bytes between two members */
	LINE_PADDING, /* bytes after the last member */
};

struct type_line {
	const struct type *type; /* NULL: a hole or padding */
	const char *name;	 /* the member's; "": it has none */
	u64 offset, size;	 /* offset from the start of the outermost type */
	u32 depth;
	u16 bit_size;
	u8 kind;	 /* enum type_line_kind */
	bool opens;	 /* lines of its members follow */
	bool open_ended; /* a flexible array member: all bytes from @offset on */
};

/* Returns false to stop. Members in damaged debug information can nest without end. */
typedef bool type_line_fn(const struct type_line *line, void *arg);

/* Calls @fn for the type itself and for each member. @holes: also for holes and padding. */
void type_each_line(const struct type *type, bool holes, type_line_fn *fn, void *arg);

/*
 * Finds the member that @path names, as type_member_path() writes it ("lru.next"), or the member at an offset: "+0x8",
 * "0x8", "8". False: there is none. @out->name is the last part of the path.
 */
bool type_find_line(const struct type *type, const char *path, struct type_line *out);

#endif
