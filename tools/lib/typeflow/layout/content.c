// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The content of a type at an offset: the number or pointer there, the structures that begin there, the possible
 * targets of pointers in a union. The address's source plays no role here; layout.c considers it.
 *
 *	union { struct node *n; long bits; };		8 bytes at 0: struct node *
 *	union { struct node *n; struct list *l; };	8 bytes at 0: ambiguous; targets: struct node, struct list
 *
 * A place has several answers, as structures nest. Which one is wanted depends on the question:
 *
 *	struct point { int x, y; };
 *	struct line { long id; struct { struct point from; int width; } a; struct point to[2]; };
 *
 *	at 8	layout_content(4 bytes)	int (x)
 *		layout_content(8 bytes)	NULL: no member of 8 bytes begins there that is no structure
 *		layout_leaf()		int: the number or pointer there, of any size
 *		layout_part()		the structure without a name: the outermost that begins there, but for the whole
 *		layout_least()		struct point: the innermost that begins there
 *		layout_contains()	true for the structure without a name, struct point and int
 *		layout_array()		NULL
 *	at 28	layout_array()		struct point[2], which starts at 20; an offset in an array is one in its element
 *
 * All functions descend MAX_NESTING levels. Deeper there is nothing, and malformed debug information with a structure
 * inside of itself ends, too.
 */
#include <stddef.h>

#include "typeflow/layout/layout.h"

#define MAX_NESTING 16
#define MAX_PLACES  1024 /* bytes of a type that are searched */

bool layout_ends_flexible(const struct type *type)
{
	const struct member *last = type_last_member(type);

	return last && last->type->kind == TYPE_ARRAY && last->size == 0;
}

bool layout_is_object(const struct type *type)
{
	const struct type *stripped = type_strip(type);

	/* "extern int table[];" */
	if (stripped->kind == TYPE_ARRAY && !stripped->size)
		return type_target(stripped)->size != 0;
	return stripped->kind != TYPE_VOID && stripped->kind != TYPE_FUNCTION &&
	       !stripped->incomplete && (stripped->size || layout_ends_flexible(stripped));
}

bool layout_same(const struct type *a, const struct type *b)
{
	a = type_strip(a);
	b = type_strip(b);
	if (a == b)
		return true;
	return a->kind == b->kind && a->size == b->size && a->debug == b->debug &&
	       !strcmp(a->name, b->name) && type_identity(a) == type_identity(b);
}

/*
 * Of all members that contain @offset (several in a union), descends into each. @ambiguous stays set once two differ,
 * also if one of them is returned:
 *
 *	union { struct node *n; long bits; }	struct node *, ambiguous
 *	union { int i; float f; }		float: the last one, ambiguous
 *	union { struct node *n; struct list *l; long bits; }	see below: NULL, ambiguous
 *
 * Bit fields are left out: code reads the storage unit around them (layout_has_bits()).
 */
static const struct type *content(const struct type *type, u64 offset, u16 width, bool *ambiguous,
				  u32 depth)
{
	const struct type *stripped = type_strip(type), *found = NULL;
	const struct member *m;
	u32 at = 0;

	if (depth > MAX_NESTING)
		return NULL;
	if (stripped->kind == TYPE_ARRAY) {
		const struct type *element = type_target(stripped);

		if (!element->size)
			return NULL;
		return content(element, offset % element->size, width, ambiguous, depth + 1);
	}
	if (!type_is_compound(stripped))
		return offset == 0 && stripped->size == width ? stripped : NULL;
	while ((m = type_member_at(stripped, offset, &at))) {
		const struct type *inner;

		if (m->bit_size)
			continue;
		inner = content(m->type, offset - m->offset, width, ambiguous, depth + 1);
		if (!inner)
			continue;
		if (found && !layout_same(found, inner)) {
			*ambiguous = true;
			/* A union of a pointer and a number: it is the pointer, and the number is a view of it. */
			if (found->kind == TYPE_POINTER && inner->kind != TYPE_POINTER)
				continue;
			if (found->kind == TYPE_POINTER && inner->kind == TYPE_POINTER)
				return NULL;
		}
		found = inner;
	}
	return found;
}

const struct type *layout_content(const struct type *type, u64 offset, u16 width, bool *ambiguous)
{
	*ambiguous = false;
	return content(type, offset, width, ambiguous, 0);
}

/*
 * One pointer of several that steps reach (see layout.h):
 *
 *	struct node { long key; struct node *kid[2]; struct node *up; };	stride 8 from 0: 8, all three are alike
 *	struct pair { struct node *n; struct list *l; };			stride 8: TYPE_OFFSET_ANY, they differ
 */
s64 layout_steps_pointer(const struct type *type, s64 offset, u32 stride)
{
	const struct type *pointer = NULL;
	s64 found = TYPE_OFFSET_ANY;

	type = type_strip(type);
	for (u64 at = (u64)layout_fold(offset, stride); at < type->size; at += stride) {
		bool ambiguous;
		const struct type *here = layout_content(type, at, 8, &ambiguous);

		if (ambiguous)
			return TYPE_OFFSET_ANY;
		if (!here || here->kind != TYPE_POINTER)
			continue;
		if (pointer && !layout_same(type_target(pointer), type_target(here)))
			return TYPE_OFFSET_ANY;
		if (!pointer)
			found = (s64)at;
		pointer = here;
	}
	return found;
}

const struct type *layout_part(const struct type *type, s64 offset)
{
	for (u32 depth = 0; depth < MAX_NESTING && offset >= 0; depth++) {
		const struct type *stripped = type_strip(type);
		const struct member *m;
		u32 at = 0;

		if (stripped->kind == TYPE_ARRAY && type_target(stripped)->size) {
			type = type_target(stripped);
			offset %= (s64)type->size;
			continue;
		}
		if (!type_is_compound(stripped))
			return NULL;
		if (!offset)
			return type;
		m = type_member_at(stripped, (u64)offset, &at);
		if (!m || m->bit_size)
			return NULL;
		type = m->type;
		offset -= (s64)m->offset;
	}
	return NULL;
}

const struct type *layout_least(const struct type *type, s64 offset)
{
	const struct type *part = layout_part(type, offset);

	for (u32 depth = 0; part && offset && depth < MAX_NESTING; depth++) {
		const struct type *stripped = type_strip(part);
		const struct member *m;
		u32 at = 0;

		m = type_member_at(stripped, 0, &at);
		if (!m || m->offset || !type_is_compound(type_strip(m->type)) || !m->type->size)
			break;
		part = m->type;
	}
	return part;
}

const struct type *layout_leaf(const struct type *type, u64 offset)
{
	static const u16 widths[] = { 8, 4, 2, 1 };
	bool ambiguous;

	for (u32 i = 0; i < ARRAY_SIZE(widths); i++) {
		const struct type *leaf = layout_content(type, offset, widths[i], &ambiguous);

		if (leaf)
			return ambiguous ? NULL : leaf;
	}
	return NULL;
}

static bool has_bits(const struct type *type, u64 offset, u32 depth)
{
	const struct type *stripped = type_strip(type);
	const struct member *m;
	u32 at = 0;

	if (stripped->kind == TYPE_ARRAY && type_target(stripped)->size && depth < MAX_NESTING)
		return has_bits(type_target(stripped), offset % type_target(stripped)->size,
				depth + 1);
	while (depth < MAX_NESTING && (m = type_member_at(stripped, offset, &at)))
		if (m->bit_size || has_bits(m->type, offset - m->offset, depth + 1))
			return true;
	return false;
}

bool layout_has_bits(const struct type *type, u64 offset)
{
	return has_bits(type, offset, 0);
}

bool layout_has_exactly(const struct type *type, s64 offset, u16 width)
{
	const struct type *stripped = type_strip(type), *element;
	const struct member *last = type_last_member(stripped);
	bool ambiguous;

	if (offset < 0)
		return false;
	if (layout_content(stripped, (u64)offset, width, &ambiguous) || ambiguous)
		return true;
	if (!layout_ends_flexible(stripped) || (u64)offset < last->offset)
		return false;
	element = type_target(type_strip(last->type));
	return element->size &&
	       layout_content(element, ((u64)offset - last->offset) % element->size, width,
			      &ambiguous);
}

bool layout_has_width(const struct type *type, u16 width)
{
	const struct type *stripped = type_strip(type);

	if (layout_ends_flexible(stripped))
		return false;
	for (u64 at = 0; at + width <= MIN(stripped->size, MAX_PLACES); at++) {
		bool ambiguous;

		if (layout_content(stripped, at, width, &ambiguous) || ambiguous)
			return true;
	}
	return false;
}

/* Also true for @type itself at offset 0, and for each element of an array. */
static bool contains(const struct type *type, u64 offset, const struct type *part, u32 depth)
{
	const struct type *stripped = type_strip(type);
	const struct member *m;
	u32 at = 0;

	if (depth > MAX_NESTING)
		return false;
	if (offset == 0 && layout_same(stripped, part))
		return true;
	if (stripped->kind == TYPE_ARRAY) {
		const struct type *element = type_target(stripped);

		return element->size && contains(element, offset % element->size, part, depth + 1);
	}
	while ((m = type_member_at(stripped, offset, &at)))
		if (contains(m->type, offset - m->offset, part, depth + 1))
			return true;
	return false;
}

bool layout_contains(const struct type *type, s64 offset, const struct type *part)
{
	return offset >= 0 && contains(type, (u64)offset, type_strip(part), 0);
}

/*
 * In C, a struct item * is often cast to a struct head * if they begin alike. If one contains the other, no cast is
 * needed, so that is another question (layout_contains()):
 *
 *	struct head { int tag; long nr; };	struct item { int tag; long nr; char *name; };		true
 *	struct head { int tag; long nr; };	struct item { struct head h; char *name; };		false
 */
bool layout_begins_as(const struct type *type, const struct type *header)
{
	u32 nr;
	const struct member *members = type_members(type_strip(header), &nr);

	/* Of a number, the first member. */
	if (!type_is_compound(type_strip(header)))
		return type->size > type_strip(header)->size && layout_contains(type, 0, header) &&
		       !layout_array(type, 0);
	for (u32 i = 0; i < nr; i++)
		if (!layout_contains(type, (s64)members[i].offset, members[i].type))
			return false;
	/* Elements of one array are no sequence of members. */
	if (nr > 1 && layout_array(type, members[nr - 1].offset) &&
	    layout_array(type, 0) == layout_array(type, members[nr - 1].offset))
		return false;
	return nr && type->size > type_strip(header)->size && !layout_contains(type, 0, header);
}

/* Adds the targets at @offset of @type to @targets. False: there are more than @max, or one is not known. */
static bool choices(const struct type *type, u64 offset, const struct type **targets, u32 max,
		    u32 *nr, u32 depth)
{
	const struct type *stripped = type_strip(type), *target;
	const struct member *m;
	u32 at = 0;

	if (depth > MAX_NESTING)
		return false;
	if (stripped->kind == TYPE_ARRAY && type_target(stripped)->size)
		return choices(type_target(stripped), offset % type_target(stripped)->size, targets,
			       max, nr, depth + 1);
	while (type_is_compound(stripped) && (m = type_member_at(stripped, offset, &at)))
		if (!choices(m->type, offset - m->offset, targets, max, nr, depth + 1))
			return false;
	if (stripped->kind != TYPE_POINTER || offset)
		return true;
	target = type_target(stripped);
	for (u32 i = 0; i < *nr; i++)
		if (layout_same(targets[i], target))
			return true;
	/* A pointer to char may be a choice; a pointer to void may be anything. */
	if (!layout_is_object(target) || *nr == max)
		return false;
	targets[(*nr)++] = target;
	return true;
}

u32 layout_choices(const struct type *type, u64 offset, const struct type **targets, u32 max)
{
	u32 nr = 0;

	return choices(type, offset, targets, max, &nr, 0) ? nr : 0;
}

/* Of nested arrays the innermost one. @start counts from the start of @type, also if the array is in an element. */
static const struct type *array_at(const struct type *type, u64 offset, u64 *start, u32 depth)
{
	const struct type *stripped = type_strip(type);
	const struct member *m;
	u32 at = 0;

	if (depth > MAX_NESTING)
		return NULL;
	if (stripped->kind == TYPE_ARRAY) {
		const struct type *element = type_target(stripped), *inner = NULL;
		u64 inside = element->size ? offset % element->size : 0, inner_start = 0;

		if (element->size)
			inner = array_at(element, inside, &inner_start, depth + 1);
		*start = inner ? offset - inside + inner_start : 0;
		return inner ? inner : stripped;
	}
	while ((m = type_member_at(stripped, offset, &at))) {
		u64 inner_start;
		const struct type *found =
			array_at(m->type, offset - m->offset, &inner_start, depth + 1);

		if (found) {
			*start = m->offset + inner_start;
			return found;
		}
	}
	return NULL;
}

const struct type *layout_array_from(const struct type *type, u64 offset, u64 *start)
{
	return array_at(type, offset, start, 0);
}

const struct type *layout_array(const struct type *type, u64 offset)
{
	u64 start;

	return array_at(type, offset, &start, 0);
}
