/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What lies at an offset of a type: which member an access means, and what a load brings.
 *
 * Arrays of structures count as their elements, at any depth of the outermost type only; an
 * index must be backed by an array (or by the type itself, walked through a pointer) whose
 * elements its steps fit. What an operand does not decide is refused with a reason.
 *
 * layout.c looks from a pointer or a variable, content.c into a type, reach.c along an index.
 */
#ifndef TYPEFLOW_LAYOUT_H
#define TYPEFLOW_LAYOUT_H

#include "dwarf/types.h"
#include "typeflow/typeflow.h"

struct spot {
	const struct type *type;
	s64 offset;
	bool fits; /* the access ends within the type */
	bool any;  /* an index that may be into several members: @offset is one of these */
	bool row; /* outside of every structure that can contain the type: the pointer is into an array */
};

/* Source of the address: it decides what can lie next to the object. */
enum layout_origin {
	LAYOUT_OBJECT,	/* a variable: nothing lies next to it */
	LAYOUT_POINTER, /* a pointer: to one object, to an element of an array, or to a member */
	LAYOUT_ROW,	/* a pointer that is known to point into an array */
};

/*
 * Where @width bytes at @offset + n * @stride of a @type lie.
 */
enum access_why layout_spot(const struct type *type, s64 offset, u32 stride, u16 width,
			    enum layout_origin origin, struct spot *spot);

/* @offset, where a pointer to a @type is used, is in it, or in another: nothing that holds one reaches there. */
bool layout_is_neighbour(const struct type *type, s64 offset);

/*
 * The type of the innermost member that begins at @offset of @type and is @width bytes;
 * NULL: none. *@ambiguous where members of a union differ.
 */
const struct type *layout_content(const struct type *type, u64 offset, u16 width, bool *ambiguous);

/*
 * What the pointers at @offset of a @type, members of a union, point to. 0 where one of them
 * may point to anything, or where there are more than @max.
 */
u32 layout_choices(const struct type *type, u64 offset, const struct type **targets, u32 max);

/*
 * False where an access to a @type that a pointer points to is out of the question: outside of
 * it, in a gap between members, or indexed where it has no array.
 */
bool layout_has(const struct type *type, s64 offset, u32 stride, u16 width);

/*
 * What is around a @type that a pointer points to, where it is used for @width bytes at
 * @offset, outside of it: the one class that is derived from it, or else the one structure,
 * that has a member just there. False: there is none, or several, or an element beside it
 * is as likely.
 */
bool layout_around(const struct type *type, s64 offset, u16 width, struct spot *spot);

/*
 * Beside a @type that is no more than one number, at @offset of a pointer to it, a structure that
 * holds one has a member of @width bytes that is not a @type's.
 */
bool layout_may_be_else(const struct type *type, s64 offset, u16 width);

/*
 * What a pointer to @offset of @type is declared as, most likely: the outermost structure
 * that begins there. NULL: none does.
 */
const struct type *layout_part(const struct type *type, s64 offset);

/*
 * The least that a pointer to @offset of @type can be declared as, whatever it is compared with:
 * the innermost structure that begins there, but all of @type where that is its start.
 */
const struct type *layout_least(const struct type *type, s64 offset);

/* @type, which has no flexible array, has a number or pointer of @width bytes. */
bool layout_has_width(const struct type *type, u16 width);

/* The number or pointer that begins at @offset of @type, or NULL. */
const struct type *layout_leaf(const struct type *type, u64 offset);

/* The subobject of type @part that lies at @offset in @type. */
bool layout_contains(const struct type *type, s64 offset, const struct type *part);

/* The same type of the source, perhaps as described by two units. */
bool layout_same(const struct type *a, const struct type *b);

/* A pointer to it can be dereferenced: the type is complete, or a flexible array. */
bool layout_is_object(const struct type *type);

/* The type ends in a flexible array member, so offsets beyond its size are in that. */
bool layout_ends_flexible(const struct type *type);

/*
 * Steps from @offset on that come to several members of a @type, and no array's: one of two
 * neighbours by a condition, the numbers that a structure is copied by, or whole elements by an
 * index that was multiplied before.
 */
bool layout_steps_inside(const struct type *type, s64 offset, u32 stride);

/*
 * Of those members the first that is a pointer, where all that are point to the same: what is
 * loaded there and followed. Negative: there is none, or they differ.
 */
s64 layout_steps_pointer(const struct type *type, s64 offset, u32 stride);

/* reach.c: the elements that an index can reach */

/* Both offsets are in one array of @type, or are the same. */
bool layout_together(const struct type *type, s64 a, s64 b);

/*
 * How well steps of @stride from @offset, @width bytes each, walk an array there, the best of those in
 * each other; its outermost one is *@start to *@end of @type.
 */
enum layout_fit {
	LAYOUT_NO_FIT,
	LAYOUT_PART,	/* steps within elements that are structures */
	LAYOUT_SEVERAL, /* several elements at once */
	LAYOUT_STRIDED, /* every so many elements */
	LAYOUT_EXACT,	/* element by element */
};
enum layout_fit layout_fit(const struct type *type, u64 offset, u32 stride, u16 width, u64 *start,
			   u64 *end);

/*
 * How @width bytes at @offset lie in a @type: in one member of that size or larger, or over
 * several; or where nobody touches so much: in the midst of a pointer, one or two bytes behind the last member.
 */
enum layout_extent {
	LAYOUT_ONE,
	LAYOUT_OVER,
	LAYOUT_AMID,
	LAYOUT_PADDED, /* reach.c's own: in one member, with padding behind it */
};
enum layout_extent layout_extent(const struct type *type, s64 offset, u64 width);

/* The smallest structure or array in @type, or @type itself, that holds all @width bytes at @offset. */
const struct type *layout_whole(const struct type *type, u64 offset, u64 width);

/* The innermost array that covers @offset of @type, or NULL. */
const struct type *layout_array(const struct type *type, u64 offset);

#endif
