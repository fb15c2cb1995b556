// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The elements of a structure that an index, or a wide access, can reach.
 *
 *	struct vm { long stack[32]; struct frame frames[8]; ... };
 *
 *	v->nf--; *ip = v->frames[v->nf - 1].ip;		lea -2(%rdx),%rax
 *							shl $5,%rax
 *							mov 0x100(%rdi,%rax),%rax
 *
 * The displacement and the index's constant add up to 0x100 - 0x40 = 0xc0, which lies in `stack`. But the stride of
 * 32 is the size of a frame, and a frame has an 8-byte member at the offset that the steps reach. So the access means
 * `frames`, which begins one or two steps later.
 */
#include "typeflow/layout/layout.h"

#define MAX_NESTING 16

/* A trailing array without a bound, or with one element (the old way to write it). */
static bool is_endless(const struct type *type, const struct member *m)
{
	const struct type *array = type_strip(m->type);

	return array->kind == TYPE_ARRAY && m == type_last_member(type) &&
	       m->size <= type_target(array)->size;
}

/* Descends into the members that contain @a, as long as they contain @b too, until it meets an array. */
static bool together(const struct type *type, s64 a, s64 b)
{
	for (u32 depth = 0; depth < MAX_NESTING; depth++) {
		const struct member *m;
		u32 at = 0;

		type = type_strip(type);
		if (type->kind == TYPE_ARRAY || a == b)
			return true;
		if (!type_is_compound(type) || a < 0)
			return false;
		do {
			m = type_member_at(type, (u64)a, &at);
			if (!m)
				return false;
		} while (b < (s64)m->offset ||
			 (b >= (s64)(m->offset + m->size) && !is_endless(type, m)));
		type = m->type;
		a -= (s64)m->offset;
		b -= (s64)m->offset;
	}
	return false;
}

bool layout_together(const struct type *type, s64 a, s64 b)
{
	return together(type, a, b) || together(type, b, a);
}

/* True if an access of @width bytes fits at @at of an element: a member or a part of it, or several neighbours. */
static bool has_place(const struct type *element, u64 at, u16 width)
{
	const struct type *leaf = layout_leaf(element, at);
	bool ambiguous;

	if (at + width > element->size)
		return false;
	if (type_is_compound(type_strip(element)))
		return leaf || layout_content(element, at, width, &ambiguous) || ambiguous ||
		       layout_part(element, (s64)at);
	return width == element->size || (leaf && leaf->kind != TYPE_POINTER);
}

/* How well the steps fit one array, whose elements they reach at offset @at. */
static enum layout_fit fit(const struct type *array, u64 at, u32 stride, u16 width)
{
	const struct type *element = type_target(array);
	u64 size = element->size;

	if (!size)
		return LAYOUT_NO_FIT;
	if (stride % size)
		return size % stride == 0 && type_is_compound(type_strip(element)) ? LAYOUT_PART
										   : LAYOUT_NO_FIT;
	/* A part of a number is weaker evidence than a whole one. */
	if (has_place(element, at % size, width))
		return stride == size && (width == size || type_is_compound(type_strip(element)))
			       ? LAYOUT_EXACT
			       : LAYOUT_STRIDED;
	return width % size == 0 && (!array->size || array->size > MAX(stride, width))
		       ? LAYOUT_SEVERAL
		       : LAYOUT_NO_FIT;
}

static enum layout_fit best_fit(const struct type *type, u64 offset, u32 stride, u16 width,
				u64 base, u64 *start, u64 *end, u32 depth)
{
	enum layout_fit best = LAYOUT_NO_FIT;
	const struct member *m;
	u32 at = 0;

	type = type_strip(type);
	if (depth > MAX_NESTING)
		return best;
	if (type->kind == TYPE_ARRAY) {
		const struct type *element = type_target(type);
		u64 inner_start, inner_end;
		enum layout_fit inner;

		if (!element->size)
			return best;
		best = fit(type, offset, stride, width);
		inner = best_fit(element, offset % element->size, stride, width, 0, &inner_start,
				 &inner_end, depth + 1);
		*start = base;
		*end = type->size ? base + type->size : UINT64_MAX;
		return MAX(best, inner);
	}
	while (type_is_compound(type) && (m = type_member_at(type, offset, &at))) {
		u64 member_start, member_end;
		enum layout_fit of_member = best_fit(m->type, offset - m->offset, stride, width,
						     base + m->offset, &member_start, &member_end,
						     depth + 1);

		if (of_member <= best)
			continue;
		best = of_member;
		*start = member_start;
		*end = member_end;
	}
	return best;
}

enum layout_fit layout_fit(const struct type *type, u64 offset, u32 stride, u16 width, u64 *start,
			   u64 *end)
{
	return best_fit(type, offset, stride, width, 0, start, end, 0);
}

/*
 * Something lies in [@low, @high): a member, or a gap too large for alignment, such as a virtual base, whose offset
 * the debug information does not state.
 */
static bool goes_beyond(const struct type *type, u64 low, u64 high)
{
	if (high > ALIGN_UP(low, 8))
		return true;
	for (u64 at = low; at < high; at++) {
		u32 from = 0;

		if (type_member_at(type, at, &from))
			return true;
	}
	return false;
}

/* The access covers the tag of a Rust enum and more. */
static bool has_tag_in(const struct type *type, u64 at, u64 width)
{
	u32 nr;
	const struct member *members = type_members(type, &nr);

	for (u32 i = 0; i < nr; i++)
		if (!members[i].variant && members[i].size < width &&
		    members[i].offset < at + width && at < members[i].offset + members[i].size)
			return true;
	return false;
}

static bool is_whole(const struct member *m, u64 at, u64 width)
{
	/* Flexible arrays have no size. A storage unit of bit fields is read as a whole. */
	return (m->bit_size && width <= 8) || !m->size || width <= m->offset + m->size - at;
}

/* No member contains the whole access: it covers several members, or one member and padding. */
static enum layout_extent over_members(const struct type *type, u64 at, u64 width, u64 end)
{
	/* Without a member, eight bytes or more are not padding: a virtual base may lie there. */
	if (end == at)
		return width >= 8 ? LAYOUT_OVER : LAYOUT_PADDED;
	return width > type->size || at + width > type->size || goes_beyond(type, end, at + width)
		       ? LAYOUT_OVER
		       : LAYOUT_PADDED;
}

/* A structure, or an array of structures. */
static bool holds_structures(const struct type *type)
{
	type = type_strip(type);
	for (u32 depth = 0; type->kind == TYPE_ARRAY && depth < MAX_NESTING; depth++)
		type = type_strip(type_target(type));
	return type_is_compound(type);
}

/* The access covers the end of an array of structures, more than one of them, and what lies behind the array. */
static bool is_over_end(const struct member *m, u64 at)
{
	const struct type *array = type_strip(m->type);

	return array->kind == TYPE_ARRAY && holds_structures(array) &&
	       m->offset + m->size - at > type_target(array)->size;
}

/*
 * In a union one member that contains the whole access is enough. Padding in one member may be data in another:
 *
 *	union node { struct { char tag; } head; struct { char tag, kind; } key; };
 *	movw $0x10, (%rcx)		tag and kind
 */
static enum layout_extent extent(const struct type *type, u64 at, u64 width, u32 depth)
{
	enum layout_extent best = LAYOUT_ONE;
	const struct member *m;
	u64 end = at;
	u32 from = 0;
	bool any = false, over = false;

	type = type_strip(type);
	if (depth > MAX_NESTING)
		return LAYOUT_ONE;
	if (type->kind == TYPE_ARRAY && type_target(type)->size) {
		const struct type *element = type_target(type);

		at %= element->size;
		/* Several elements at once. */
		if (width > element->size - at)
			return holds_structures(element) ? LAYOUT_OVER : LAYOUT_ONE;
		return extent(element, at, width, depth + 1);
	}
	if (!type_is_compound(type))
		return type->kind == TYPE_POINTER && at && width < 8 ? LAYOUT_AMID : LAYOUT_ONE;
	while ((m = type_member_at(type, at, &from))) {
		enum layout_extent inner;

		end = MAX(end, m->offset + m->size);
		if (!is_whole(m, at, width)) {
			over |= is_over_end(m, at);
			continue;
		}
		if (m->bit_size)
			return LAYOUT_ONE;
		inner = m->variant && has_tag_in(type, at, width)
				? LAYOUT_OVER
				: extent(m->type, at - m->offset, width, depth + 1);
		if (inner == LAYOUT_ONE)
			return inner;
		if (!any || inner == LAYOUT_OVER)
			best = inner;
		any = true;
	}
	if (!any && over)
		return LAYOUT_OVER;
	return any ? best : over_members(type, at, width, end);
}

/*
 * True in the padding behind the last member. A derived class, or a larger structure with the same first members, may
 * have a member there:
 *
 *	struct object { struct object *next; char tag, marked; };
 *	struct closure { struct object *next; char tag, marked, nr; ... };
 *	((struct closure *)object)->nr			cmpb $0,0xa(%rbx)
 */
static bool is_tail(const struct type *type, u64 at)
{
	const struct member *m;
	u32 from = 0;

	type = type_strip(type);
	for (u32 depth = 0; depth < MAX_NESTING && type->kind == TYPE_STRUCT; depth++) {
		from = 0;
		m = type_member_at(type, at, &from);
		if (!m) {
			m = type_last_member(type);
			return m && m->offset + m->size <= at && at < type->size &&
			       type->size - m->offset - m->size < 8;
		}
		at -= m->offset;
		type = type_strip(m->type);
	}
	return false;
}

enum layout_extent layout_extent(const struct type *type, s64 offset, u64 width)
{
	enum layout_extent found = extent(type, (u64)offset, width, 0);

	/* Wider accesses to padding are copies of the whole structure. */
	if (found == LAYOUT_PADDED && width <= 2 && is_tail(type, (u64)offset))
		return LAYOUT_AMID;
	return found == LAYOUT_PADDED ? LAYOUT_ONE : found;
}

const struct type *layout_whole(const struct type *type, u64 offset, u64 width)
{
	const struct type *whole = type;

	for (u32 depth = 0; depth < MAX_NESTING; depth++) {
		const struct type *stripped = type_strip(type);
		const struct member *m;
		u32 from = 0;

		if (stripped->kind == TYPE_ARRAY && type_target(stripped)->size) {
			type = type_target(stripped);
			offset %= type->size;
			if (offset + width > type->size)
				return whole;
		} else if (type_is_compound(stripped)) {
			/* In a union, or a variant of an enum, any member may be meant. */
			do
				m = type_member_at(stripped, offset, &from);
			while (m && !is_whole(m, offset, width));
			if (!m || m->bit_size || !m->size || m->variant ||
			    stripped->kind == TYPE_UNION)
				return whole;
			type = m->type;
			offset -= m->offset;
		} else {
			return whole;
		}
		whole = type;
	}
	return whole;
}
