/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The content of a type at an offset: the member that an access means, and the type of the value that a load reads.
 *
 *	struct set { int nr; struct { short a, b; } pair[4]; };
 *
 *	4-byte load at offset 0			int nr
 *	2-byte load at offset 6, stride 4	pair[n].b
 *
 * An array of structures counts as its element, but only the outermost type. An index must walk an array whose
 * elements fit its steps, or elements of the type itself if it is reached through a pointer. If the operand does not
 * decide which member is meant, the answer is refused with a reason.
 *
 * layout.c starts from a pointer or a variable, layout_index.c finds the array that an index means, content.c looks
 * into a type, reach.c follows an index.
 */
#ifndef TYPEFLOW_LAYOUT_H
#define TYPEFLOW_LAYOUT_H

#include "dwarf/types.h"
#include "typeflow/layout/access.h"

struct spot {
	const struct type *type;
	s64 offset;
	bool fits; /* the access ends within the type */
	bool any;  /* the index may mean several members; @offset is one of them */
	bool row; /* outside of all structures that can contain the type: the pointer is into an array */
};

/* Source of the address: it decides what can lie next to the object. */
enum layout_origin {
	LAYOUT_OBJECT,	/* a variable: nothing lies next to it */
	LAYOUT_POINTER, /* a pointer: to one object, to an element of an array, or to a member */
	LAYOUT_ROW,	/* a pointer that is known to point into an array */
};

/*
 * The place in a @type of the @width bytes at @offset + n * @stride. Returns why there is none, or ACCESS_WHY_NONE.
 */
enum access_why layout_spot(const struct type *type, s64 offset, u32 stride, u16 width,
			    enum layout_origin origin, struct spot *spot);

/*
 * True if @offset from a pointer to a @type lies in it, or in a neighbour in an array: no structure that contains a
 * @type reaches there.
 */
bool layout_is_neighbour(const struct type *type, s64 offset);

/*
 * The type of the innermost member of @width bytes that begins at @offset of @type; NULL: none. out: *@ambiguous:
 * members of a union differ there.
 */
const struct type *layout_content(const struct type *type, u64 offset, u16 width, bool *ambiguous);

/*
 * The target types of the pointers at @offset of @type, which are members of a union. Returns their number; 0 if one
 * of them may point to anything, or if there are more than @max.
 */
u32 layout_choices(const struct type *type, u64 offset, const struct type **targets, u32 max);

/*
 * False if an access through a pointer to @type is impossible: it lies outside, in a gap between members, or has an
 * index where @type has no array.
 */
bool layout_has(const struct type *type, s64 offset, u32 stride, u16 width);

/*
 * The structure around a @type, for an access of @width bytes at @offset outside of it: the only derived class, or
 * else the only structure, that has a member exactly there. False: there is none or more than one, or it may as well
 * be the next element of an array.
 */
bool layout_around(const struct type *type, s64 offset, u16 width, struct spot *spot);

/*
 * The only structure around one of two members of @type, which are @apart bytes from each other. The access is at
 * @offset (< 0) from the later member, or @offset + @apart (< 0) from the earlier one. False: there is none, or several.
 */
bool layout_around_two(const struct type *type, s64 offset, u32 apart, struct spot *spot);

/* True if all of @type is one number or pointer. */
bool layout_is_number(const struct type *type);

/*
 * True if a structure that contains a @type has a member of @width bytes at @offset from it, which is not of @type.
 */
bool layout_may_be_else(const struct type *type, s64 offset, u16 width);

/*
 * The most probable declared target of a pointer to @offset of @type: the outermost structure that begins there.
 * NULL: none.
 */
const struct type *layout_part(const struct type *type, s64 offset);

/*
 * The smallest possible declared target of a pointer to @offset of @type: the innermost structure that begins there.
 * At offset 0 it is @type itself. NULL: none.
 */
const struct type *layout_least(const struct type *type, s64 offset);

/* True if a @type has a number or pointer of @width bytes. False if it ends in a flexible array. */
bool layout_has_width(const struct type *type, u16 width);

/* True if a bit field's storage unit covers @offset of @type. */
bool layout_has_bits(const struct type *type, u64 offset);

/* True if a number or pointer of just @width bytes, or an element of a flexible array, begins at @offset of @type. */
bool layout_has_exactly(const struct type *type, s64 offset, u16 width);

/* The number or pointer that begins at @offset of @type, or NULL. */
const struct type *layout_leaf(const struct type *type, u64 offset);

/* True if a subobject of type @part lies at @offset in @type. */
bool layout_contains(const struct type *type, s64 offset, const struct type *part);

/*
 * True if @type is larger and has all members of the structure @header at the same places, but not the structure itself:
 * C's common initial sequence. @header may also be a number: the first member.
 */
bool layout_begins_as(const struct type *type, const struct type *header);

/* True for the same type of the source, also if two units describe it. */
bool layout_same(const struct type *a, const struct type *b);

/* True if a pointer to it can be dereferenced: the type is complete, or a flexible array. */
bool layout_is_object(const struct type *type);

/* True if the type ends in a flexible array member; larger offsets are then in that array. */
bool layout_ends_flexible(const struct type *type);

/*
 * True if steps from @offset reach several members of @type that are no array: a condition chose one of two
 * neighbours, a structure is copied number by number, or an index of whole elements was multiplied before.
 */
bool layout_steps_inside(const struct type *type, s64 offset, u32 stride);

/*
 * The offset of the first pointer among those members, if all pointers among them have the same target type.
 * Negative: there is none, or they differ.
 */
s64 layout_steps_pointer(const struct type *type, s64 offset, u32 stride);

/* reach.c: the elements that an index can reach */

/* True if both offsets are equal, or lie in one array of @type. */
bool layout_together(const struct type *type, s64 a, s64 b);

/*
 * How well steps of @stride from @offset, each @width bytes, fit an array there. Of nested arrays the best fit
 * counts. out: the outermost array is at *@start to *@end of @type.
 */
enum layout_fit {
	LAYOUT_NO_FIT,
	LAYOUT_PART,	/* the steps are parts of an element that is a structure */
	LAYOUT_SEVERAL, /* one access covers several elements */
	LAYOUT_STRIDED, /* each step skips elements */
	LAYOUT_EXACT,	/* each step is one element */
};
enum layout_fit layout_fit(const struct type *type, u64 offset, u32 stride, u16 width, u64 *start,
			   u64 *end);

/*
 * How @width bytes at @offset lie in a @type: in one member of that size or larger, or over several. LAYOUT_AMID is
 * an access that no program makes: in the middle of a pointer, or one or two bytes in the padding behind the last
 * member.
 */
enum layout_extent {
	LAYOUT_ONE,
	LAYOUT_OVER,
	LAYOUT_AMID,
	LAYOUT_PADDED, /* reach.c's own: in one member, with padding behind it */
};
enum layout_extent layout_extent(const struct type *type, s64 offset, u64 width);

/* The smallest structure or array in @type, or @type itself, that contains all @width bytes at @offset. */
const struct type *layout_whole(const struct type *type, u64 offset, u64 width);

/* layout_index.c */

static inline s64 layout_fold(s64 offset, u64 size)
{
	s64 rest = offset % (s64)size;

	return rest < 0 ? rest + (s64)size : rest;
}

/*
 * An offset outside of the structure can only be in a neighbour: no type that contains the structure reaches there.
 */
bool layout_beyond(const struct type *type, s64 offset, enum layout_origin origin);

/*
 * An index into one object. It means the array at @offset, or a close array that the steps fit better: for a[i - 1]
 * the compiler moves the start to before the array. *@any: it may be either.
 */
enum access_why layout_indexed(const struct type *type, s64 *offset, u32 stride, u16 width,
			       bool *any);

/* The same for an index through a pointer to a structure that may be an element of an array. */
enum access_why layout_walked(const struct type *type, s64 *offset, u32 stride, u16 width,
			      enum layout_origin origin, bool *any);

/* The innermost array that covers @offset of @type, or NULL. */
const struct type *layout_array(const struct type *type, u64 offset);
/* The same; out: *@start, where it begins. */
const struct type *layout_array_from(const struct type *type, u64 offset, u64 *start);

#endif
