// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What an index, or a wide access, can get to in a structure.
 *
 *     struct vm { long stack[32]; struct frame frames[8]; ... };
 *
 *     v->nf--; *ip = v->frames[v->nf - 1].ip;     lea -2(%rdx), %rax; shl $5, %rax
 *                                                 mov 0x100(%rdi,%rax), %rax
 *
 * Displacement and the index's constant fold into 0x100 - 0x40 = 0xc0, which lies in `stack`. The
 * steps of 32 bytes tell: they are the size of a frame, and a frame has 8 bytes where the steps
 * come to. So the array that is meant begins one or two steps behind.
 */
#include "typeflow/layout.h"

#define MAX_NESTING 16

/* A trailing array without a bound, or of one element, the old way to write it. */
static bool is_endless(const struct type *type, const struct member *m)
{
	const struct type *array = type_strip(m->type);

	return array->kind == TYPE_ARRAY && m == type_last_member(type) &&
	       m->size <= type_target(array)->size;
}

/* From @a on: the members that have @a are gone into as long as they have @b. */
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

/* Whether so much is touched at a place of an element: all or less of a member, or several in a row. */
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

/* How steps walk elements of one array, of which they come to @at in each. */
static enum layout_fit fit(const struct type *array, u64 at, u32 stride, u16 width)
{
	const struct type *element = type_target(array);
	u64 size = element->size;

	if (!size)
		return LAYOUT_NO_FIT;
	if (stride % size)
		return size % stride == 0 && type_is_compound(type_strip(element)) ? LAYOUT_PART
										   : LAYOUT_NO_FIT;
	if (has_place(element, at % size, width))
		return stride == size ? LAYOUT_EXACT : LAYOUT_STRIDED;
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

/* The member at @offset that holds all @width bytes; NULL: none does. @end: how far those there go. */
static const struct member *whole_member(const struct type *type, u64 offset, u64 width, u64 *end)
{
	const struct member *m;
	u32 at = 0;

	*end = offset;
	while ((m = type_member_at(type, offset, &at))) {
		/* A flexible array, or a unit of bit fields, which are read together. */
		if (m->bit_size || !m->size || width <= m->offset + m->size - offset)
			return m;
		*end = MAX(*end, m->offset + m->size);
	}
	return NULL;
}

/* A member begins in [@low, @high). */
static bool has_member_in(const struct type *type, u64 low, u64 high)
{
	for (u64 at = low; at < high; at++) {
		u32 from = 0;

		if (type_member_at(type, at, &from))
			return true;
	}
	return false;
}

enum layout_extent layout_extent(const struct type *type, s64 offset, u64 width)
{
	u64 at = (u64)offset, end;

	for (u32 depth = 0; depth < MAX_NESTING; depth++) {
		const struct member *m;

		type = type_strip(type);
		if (type->kind == TYPE_ARRAY && type_target(type)->size) {
			const struct type *element = type_target(type);

			at %= element->size;
			/* Elements at once. */
			if (width > element->size - at)
				return type_is_compound(type_strip(element)) ? LAYOUT_OVER
									     : LAYOUT_ONE;
			type = element;
			continue;
		}
		if (!type_is_compound(type))
			return type->kind == TYPE_POINTER && at && width < 8 ? LAYOUT_AMID
									     : LAYOUT_ONE;
		m = whole_member(type, at, width, &end);
		if (!m && (width > type->size || at + width > type->size))
			return end > at ? LAYOUT_OVER : LAYOUT_ONE;
		if (!m)
			return end > at && has_member_in(type, end, at + width) ? LAYOUT_OVER
										: LAYOUT_ONE;
		if (m->bit_size)
			return LAYOUT_ONE;
		type = m->type;
		at -= m->offset;
	}
	return LAYOUT_ONE;
}
