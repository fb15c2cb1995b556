/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is at this byte of an object of that type? All that a person could rightly call it:
 * the object, the members around the byte from the outside in, and the scalar; each by
 * every name that typedefs give it. By libdw alone, nothing of tools/lib/dwarf.
 *
 * Names are compared without blanks, qualifiers and the words struct, union, class and enum.
 * Offsets have the index of every array taken out: an instruction in a loop touches
 * "the member x of the elements", whichever element it was.
 */
#ifndef ORACLE_LAYOUT_H
#define ORACLE_LAYOUT_H

#include <glib.h>

#include "base/types.h"

enum level {
	LEVEL_OBJECT, /* the whole */
	LEVEL_MEMBER, /* a struct, union or class in it */
	LEVEL_SCALAR, /* what has no members */
	NR_LEVELS,
};

struct view {
	char *name; /* normal form */
	char *bare; /* layout_bare() of it; NULL: the same */
	s64 offset;
	u8 level;     /* enum level */
	u8 size;      /* of a scalar, in bytes; 0: not known or no scalar */
	char *member; /* of the object: ".where.line int", the members down to the scalar; or NULL */
	bool bits;    /* a scalar that is a bit field */
	u8 family; /* of a scalar: 'i' integer, 'f' floating point, 'p' pointer, 'c' one byte wide character, 0 other */
};

struct layout;

/* Ends the program where @path has no debug information. */
struct layout *layout_open(const char *path);
void layout_close(struct layout *layout);

char *layout_normal(const char *name);

/* The last component of a normal name without template arguments, which is all that some tools print. */
char *layout_bare(const char *name);

/*
 * Appends struct view to @views: of @name, or of "@HEX", a type by its DIE. @size and @count:
 * of the object, for arrays and flexible members; size 0: one. What the debug information
 * does not know is one scalar of that name.
 */
void layout_views(struct layout *layout, const char *name, s64 offset, u64 size, u64 count,
		  GArray *views);
GArray *layout_views_new(void);

/*
 * All @width bytes at @offset of @name are one member, bytes between members aside. True for what has
 * no members. Elements of an array are one member; so are bit fields, which are read together.
 */
bool layout_is_one(struct layout *layout, const char *name, s64 offset, u64 width);

#endif
