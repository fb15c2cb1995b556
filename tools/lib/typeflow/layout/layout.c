// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From a pointer or a variable, an offset and a stride to the member that an access means.
 *
 *	struct set {			offset
 *		int nr;			0
 *		struct { short a, b; } pair[4];	4
 *		char *name;		24
 *	};				size 32
 *
 *	%rdi points to a struct set:
 *	mov    0x18(%rdi),%rax		offset 24, 8 bytes: name
 *	movswl 0x6(%rdi,%rcx,4),%eax	offset 6, stride 4, 2 bytes: pair[n].b, since elements of pair have 4 bytes
 *	mov    0x20(%rdi),%rax		behind the end: offset 0 of the next struct set in an array, if the pointer
 *					is known to point into one; else refused (bad_offset)
 *
 * Nothing lies next to a variable (LAYOUT_OBJECT). A pointer may be to an element of an array, or to a part of a
 * larger type (LAYOUT_POINTER).
 */
#include <stddef.h>

#include "typeflow/layout/layout.h"

#define MAX_AROUND  16
#define MAX_NESTING 16
#define NEIGHBOURS  16 /* elements within reach of a constant; farther away is a payload */

/* Replaces an array of structures by its element. @any: an index may also mean other elements. */
static void settle(struct spot *spot, bool any)
{
	const struct type *type = type_strip(spot->type), *element = type;

	while (element->kind == TYPE_ARRAY)
		element = type_strip(type_target(element));
	if (type->kind != TYPE_ARRAY || !element->size)
		return;
	if (!type_is_compound(element)) {
		if (any)
			spot->offset = layout_fold(spot->offset, element->size);
		return;
	}
	while (type->kind == TYPE_ARRAY) {
		spot->type = type_target(type);
		type = type_strip(spot->type);
	}
	spot->offset = layout_fold(spot->offset, element->size);
}

bool layout_is_neighbour(const struct type *type, s64 offset)
{
	type = type_strip(type);
	return !type_is_compound(type) || (offset >= 0 && (u64)offset < type->size) ||
	       layout_beyond(type, offset, LAYOUT_POINTER);
}

bool layout_steps_inside(const struct type *type, s64 offset, u32 stride)
{
	type = type_strip(type);
	return stride && type_is_compound(type) && offset >= 0 && (u64)offset < type->size &&
	       type->size % stride == 0 && stride < type->size && !layout_array(type, (u64)offset);
}

/*
 * True if the access can be in a neighbour in an array: it is near, and it does not cover two numbers of the element.
 * Data that follows a header in memory usually does not look like another header.
 */
static bool is_like_neighbour(const struct type *type, s64 offset, u16 width)
{
	u64 at = (u64)layout_fold(offset, type->size);
	const struct type *leaf = layout_leaf(type, at);
	bool whole = !at && width % type->size == 0;
	s64 reach;

	/* Several elements at once: the end of an array that is cleared. */
	if (whole && width > type->size)
		return true;
	return !__builtin_mul_overflow((s64)type->size, NEIGHBOURS, &reach) && offset < reach &&
	       offset >= -reach && (width > 8 || whole || !leaf || leaf->size >= width);
}

/* Not so in a union that has a smaller number there, too. */
static bool is_part_of_pointer(const struct type *type, u64 offset, u16 width)
{
	const struct type *leaf = layout_leaf(type, offset);

	return leaf && leaf->kind == TYPE_POINTER && width < 8 &&
	       !type_numbers(type, offset, width);
}

/*
 * Maps an offset outside of the structure into it: an element of the trailing array without a bound, or a neighbour
 * in an array. Refused if the structure can be a part of a larger one that reaches there. A constant leads to a
 * neighbour only if the pointer is known to point into an array (LAYOUT_ROW). Otherwise the pointer may have been cast:
 *
 *	struct node { enum tag tag; };		struct var { enum tag tag; int index; double w; };
 *	((struct var *)node)->w			movsd 8(%rdi),%xmm0
 */
static enum access_why bring_inside(const struct type *type, s64 *offset, u16 width,
				    enum layout_origin origin, bool exact, bool *row)
{
	if (*offset >= 0 && (u64)*offset < type->size)
		return ACCESS_WHY_NONE;
	if (layout_ends_flexible(type)) {
		const struct member *last = type_last_member(type);
		u64 step = type_target(last->type)->size;

		if (*offset < 0)
			return ACCESS_OUTSIDE;
		if (step && (u64)*offset >= last->offset)
			*offset = (s64)(last->offset + ((u64)*offset - last->offset) % step);
		return ACCESS_WHY_NONE;
	}
	if (origin == LAYOUT_OBJECT || !type->size)
		return ACCESS_OUTSIDE;
	/* An array continues after the pointer. Before the pointer lies the structure that contains it. */
	if (origin == LAYOUT_ROW && exact && *offset < 0 && width < 8 &&
	    is_part_of_pointer(type, (u64)layout_fold(*offset, type->size), width))
		return ACCESS_OUTSIDE;
	if (origin == LAYOUT_POINTER) {
		if (exact || !layout_beyond(type, *offset, origin) ||
		    !is_like_neighbour(type, *offset, width))
			return ACCESS_OUTSIDE;
		*row = true;
	}
	*offset = layout_fold(*offset, type->size);
	return ACCESS_WHY_NONE;
}

/*
 * A read of more than a character before a string: a header, reached by a cast. A pointer to an enum may be to the tag
 * that different structures begin with: only the tag itself is known, unless the pointer is to an array of enums. No
 * program reads a part of a pointer in an array: numbers lie behind the pointers.
 */
static bool is_beside_number(const struct type *type, s64 offset, u16 width,
			     enum layout_origin origin)
{
	if (type->kind == TYPE_POINTER && width < 8 && offset)
		return true;
	if (type->kind == TYPE_ENUM)
		return width > type->size || offset % (s64)type->size ||
		       (offset && origin != LAYOUT_ROW);
	return offset < 0 && width > type->size && width <= 8;
}

enum access_why layout_spot(const struct type *type, s64 offset, u32 stride, u16 width,
			    enum layout_origin origin, struct spot *spot)
{
	const struct type *stripped = type_strip(type);
	enum access_why why = ACCESS_WHY_NONE;
	bool walks = origin != LAYOUT_OBJECT;

	*spot = (struct spot){ .type = type, .offset = offset };
	if (!layout_is_object(stripped))
		return ACCESS_NO_TYPE;
	if (type_is_compound(stripped)) {
		if (stride && walks && stripped->size)
			why = layout_walked(stripped, &spot->offset, stride, width, origin,
					    &spot->any);
		else if (stride)
			why = layout_indexed(stripped, &spot->offset, stride, width, &spot->any);
		if (!why)
			why = bring_inside(stripped, &spot->offset, width, origin, !stride,
					   &spot->row);
	} else if (stripped->kind == TYPE_ARRAY) {
		if (stride)
			why = layout_indexed(stripped, &spot->offset, stride, width, &spot->any);
		/*
		 * A pointer to an array points to one of several arrays: otherwise the program would need no such
		 * pointer.
		 */
		if (walks && stripped->size && !stride)
			spot->offset = layout_fold(spot->offset, stripped->size);
		if (!why &&
		    (spot->offset < 0 || (stripped->size && (u64)spot->offset >= stripped->size)))
			why = ACCESS_OUTSIDE;
	} else if (walks && stride && stripped->kind == TYPE_POINTER && width < 8) {
		why = ACCESS_OUTSIDE;
	} else if (walks && !stride && is_beside_number(stripped, offset, width, origin)) {
		why = ACCESS_OUTSIDE;
	} else if (walks) {
		spot->offset = layout_fold(spot->offset, stripped->size);
	} else if (offset < 0 || (u64)offset >= stripped->size || stride) {
		why = offset < 0 || (u64)offset >= stripped->size ? ACCESS_OUTSIDE
								  : ACCESS_AMBIGUOUS;
	}
	settle(spot, stride != 0);
	spot->fits = spot->offset >= 0 && (u64)spot->offset + width <= spot->type->size;
	return why;
}

/* True if a member begins at @offset or covers it. A part of a pointer does not count. */
static bool covered(const struct type *type, u64 offset, u32 depth)
{
	const struct type *stripped = type_strip(type);
	const struct member *m;
	u32 at = 0;

	if (depth > MAX_NESTING)
		return true;
	if (stripped->kind == TYPE_ARRAY && type_target(stripped)->size)
		return covered(type_target(stripped), offset % type_target(stripped)->size,
			       depth + 1);
	if (!type_is_compound(stripped))
		return !offset || stripped->kind != TYPE_POINTER;
	while ((m = type_member_at(stripped, offset, &at)))
		if (covered(m->type, offset - m->offset, depth + 1))
			return true;
	return false;
}

bool layout_has(const struct type *type, s64 offset, u32 stride, u16 width)
{
	const struct type *stripped = type_strip(type);
	struct spot spot;
	enum access_why why;

	if (!type_is_compound(stripped) && stripped->kind != TYPE_ARRAY)
		return (width == stripped->size || width > 8) && !(offset % width) &&
		       !(stride % stripped->size);
	why = layout_spot(type, offset, stride, width, LAYOUT_POINTER, &spot);
	if (why || layout_steps_inside(type, spot.offset, stride))
		return false;
	if (spot.offset < 0 || (!spot.fits && !layout_ends_flexible(type_strip(type))))
		return false;
	return width > 8 || covered(spot.type, (u64)spot.offset, 0);
}

/* A member of that size begins at @offset. @or_bytes: or an array of bytes, which may hold anything, covers it. */
static bool fits_member(const struct type *type, u64 offset, u16 width, bool or_bytes)
{
	const struct type *array;
	u64 start;
	bool ambiguous;

	if (layout_content(type, offset, width, &ambiguous) || ambiguous ||
	    layout_has_bits(type, offset))
		return true;
	array = or_bytes ? layout_array_from(type, offset, &start) : NULL;
	return array && type_target(array)->size == 1 &&
	       (!array->size || offset + width <= start + array->size);
}

bool layout_around(const struct type *type, s64 offset, u16 width, struct spot *spot)
{
	struct type_holder holders[MAX_AROUND];
	const struct type_holder *derived = NULL, *other = NULL;
	u32 nr, nr_derived = 0, nr_others = 0, nr_first = 0;

	if (width > 8 || !type_is_compound(type_strip(type)) || !type_strip(type)->size ||
	    !type_holders(type, offset, holders, MAX_AROUND, &nr))
		return false;
	for (u32 i = 0; i < nr; i++) {
		const struct type_holder *h = &holders[i];
		u64 at = h->offset + (u64)offset;

		if (!fits_member(h->type, at, width, h->derived))
			continue;
		if (h->derived) {
			nr_derived++;
			derived = h;
		} else {
			nr_others++;
			nr_first += h->offset == 0;
			other = h;
		}
	}
	if (nr_derived ? nr_derived > 1 || nr_first
		       : nr_others != 1 ||
				 fits_member(type, (u64)layout_fold(offset, type_strip(type)->size),
					     width, true))
		return false;
	if (nr_derived)
		other = derived;
	*spot = (struct spot){ .type = other->type, .offset = (s64)other->offset + offset };
	spot->fits = true;
	return true;
}

bool layout_is_number(const struct type *type)
{
	const struct type *leaf = layout_leaf(type, 0);

	return leaf && leaf->size == type_strip(type)->size;
}

bool layout_may_be_else(const struct type *type, s64 offset, u16 width)
{
	struct type_holder holders[MAX_AROUND];
	s64 step = offset - layout_fold(offset, type_strip(type)->size);
	u32 nr = 0;

	if (!type_holders(type, offset, holders, MAX_AROUND, &nr))
		return false;
	for (u32 i = 0; i < nr; i++) {
		s64 at = (s64)holders[i].offset + offset;

		if (at >= 0 && fits_member(holders[i].type, (u64)at, width, false) &&
		    !layout_contains(holders[i].type, (s64)holders[i].offset + step, type))
			return true;
	}
	return false;
}

bool layout_around_two(const struct type *type, s64 offset, u32 apart, struct spot *spot)
{
	struct type_holder later[MAX_AROUND], earlier[MAX_AROUND];
	u32 nr_later, nr_earlier, found = 0;

	if (offset >= 0 || offset + (s64)apart >= 0 ||
	    !type_holders(type, offset, later, MAX_AROUND, &nr_later) ||
	    !type_holders(type, offset + (s64)apart, earlier, MAX_AROUND, &nr_earlier))
		return false;
	for (u32 i = 0; i < nr_later; i++)
		for (u32 j = 0; j < nr_earlier; j++) {
			if (later[i].offset != earlier[j].offset + apart ||
			    !layout_same(later[i].type, earlier[j].type))
				continue;
			*spot = (struct spot){ .type = later[i].type,
					       .offset = (s64)later[i].offset + offset };
			found++;
		}
	return found == 1;
}
