// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The array that an index means, in one object or along a row of them. Compilers move the start of an array into the
 * displacement, so the array at the displacement need not be the one that the steps fit.
 */
#include "typeflow/layout/layout.h"

#define MAX_AROUND 16
#define MAX_FAR	   64 /* steps to search for the only array that an index fits */
#define NEAR	   3  /* elements by which a compiler moves the start of an indexed array */

/* An array in a structure. @end is behind its last element; a trailing array without a bound has no end. */
struct layout_row {
	const struct type *element;
	u64 start, end;
};

/* Elements behind the structure's end: its last member is an array without a bound, or of one element. */
static bool has_tail(const struct type *type, struct layout_row *tail)
{
	const struct member *last = type_last_member(type);

	if (!last || type_strip(last->type)->kind != TYPE_ARRAY)
		return false;
	*tail = (struct layout_row){ .element = type_target(type_strip(last->type)),
				     .start = last->offset,
				     .end = G_MAXINT64 };
	return tail->element->size && last->size <= tail->element->size;
}

/* True if a member of @width bytes begins there in each element. */
static bool row_has(const struct layout_row *row, s64 offset, u32 stride, u16 width)
{
	u64 at = (u64)layout_fold(offset - (s64)row->start, row->element->size);
	bool ambiguous;

	if (stride % row->element->size)
		return false;
	return width > 8 ? at + width <= row->element->size
			 : layout_content(row->element, at, width, &ambiguous) || ambiguous;
}

/*
 * True if an index means the elements behind a structure, wherever the compiler put the start: the steps fit these
 * elements, and the array at @offset does not fit better.
 */
static bool walks_tail(const struct type *type, s64 *offset, u32 stride, u16 width)
{
	struct layout_row tail, here;
	const struct type *array = NULL;

	if (stride < 2 || !has_tail(type, &tail) || !row_has(&tail, *offset, stride, width))
		return false;
	if (*offset >= 0 && (u64)*offset < tail.start)
		array = layout_array_from(type, (u64)*offset, &here.start);
	if (array && type_target(array)->size) {
		here.element = type_target(array);
		here.end = here.start + array->size;
		/* The array at @offset has the exact step, or so many elements that the fit is no accident. */
		if (row_has(&here, *offset, stride, width) &&
		    (here.element->size == stride || here.end - here.start > 2 * (u64)stride))
			return false;
	}
	*offset = (s64)tail.start + layout_fold(*offset - (s64)tail.start, tail.element->size);
	return true;
}

/* An array that an index may mean, and the offset at which the steps reach it. */
struct layout_target {
	enum layout_fit fit;
	u64 start, end;
	s64 offset;
};

static struct layout_target target_at(const struct type *type, s64 offset, u32 stride, u16 width)
{
	struct layout_target t = { .offset = offset };

	if (offset >= 0 && ((u64)offset < type->size || layout_ends_flexible(type) || !type->size))
		t.fit = layout_fit(type, (u64)offset, stride, width, &t.start, &t.end);
	return t;
}

/* The best fitting array at most NEAR steps from @offset; of equal fits the nearest. */
static struct layout_target target_near(const struct type *type, s64 offset, u32 stride, u16 width,
					const struct layout_target *here)
{
	struct layout_target best = { 0 };

	for (s64 n = 1; n <= NEAR; n++)
		for (s64 sign = 1; sign >= -1; sign -= 2) {
			s64 at = offset + sign * n * (s64)stride;
			struct layout_target t = target_at(type, at, stride, width);

			/* LAYOUT_SEVERAL is weak evidence: only wide accesses may use it. */
			if (t.fit >= (width > 8 ? LAYOUT_SEVERAL : LAYOUT_STRIDED) &&
			    t.fit > best.fit && (!here->fit || t.start != here->start))
				best = t;
		}
	return best;
}

/* The only array that the steps reach, at any distance, and fit. No fit if there are several. */
static struct layout_target target_of_all(const struct type *type, s64 offset, u32 stride,
					  u16 width)
{
	struct layout_target best = { 0 };
	s64 at = layout_fold(offset, stride), nr = 0;

	for (; at < (s64)type->size && nr < MAX_FAR; at += stride, nr++) {
		struct layout_target t = target_at(type, at, stride, width);

		if (t.fit < LAYOUT_STRIDED)
			continue;
		if (best.fit)
			return (struct layout_target){ 0 };
		best = t;
		if (t.end >= type->size)
			break;
		at = (s64)t.end - 1 - (((s64)t.end - 1 - at) % (s64)stride);
	}
	return best;
}

enum access_why layout_indexed(const struct type *type, s64 *offset, u32 stride, u16 width,
			       bool *any)
{
	struct layout_target here, near = { 0 };

	if (walks_tail(type, offset, stride, width))
		return ACCESS_WHY_NONE;
	here = target_at(type, *offset, stride, width);
	if (stride > 1 || width == 1)
		near = target_near(type, *offset, stride, width, &here);
	if (!here.fit && !near.fit && stride > 1 && *offset < (s64)type->size)
		near = target_of_all(type, *offset, stride, width);
	/* Inside an array of bytes, which may be used as numbers. What fits better is an array of numbers before it. */
	if (near.fit > here.fit && here.fit && near.offset < (s64)here.start) {
		*any = true;
		return ACCESS_WHY_NONE;
	}
	if (near.fit > here.fit) {
		*offset = near.offset;
		return ACCESS_WHY_NONE;
	}
	/* Two numbers read as one, or an element of another array whose start the compiler has moved far. */
	if (here.fit == LAYOUT_SEVERAL && width <= 8)
		*any = target_of_all(type, *offset, stride, width).fit == LAYOUT_EXACT;
	/* The last element of this array lies just before the first element of the other. */
	*any |= here.fit && near.fit == here.fit && near.offset == *offset + (s64)stride;
	return here.fit ? ACCESS_WHY_NONE : ACCESS_AMBIGUOUS;
}

bool layout_beyond(const struct type *type, s64 offset, enum layout_origin origin)
{
	struct type_reach reach;

	if (origin != LAYOUT_POINTER || (offset >= 0 && (u64)offset < type->size))
		return true;
	return type_reach(type, &reach) &&
	       (offset < 0 ? (u64)-offset > reach.before : (u64)offset >= reach.after);
}

/*
 * True if an index in bytes, or of unknown step, can mean an array here: an array of bytes, or another array that
 * begins exactly at @offset. From offset 0 of a structure the index could mean anything.
 */
static bool by_bytes(const struct type *type, s64 offset, u16 width)
{
	const struct type *array;
	u64 start;

	if (width == 1)
		return true;
	if (offset <= 0 || (u64)offset >= type->size)
		return false;
	array = layout_array_from(type, (u64)offset, &start);
	return array && (type_target(array)->size == 1 || (u64)offset == start);
}

/*
 * True if the index may mean an array behind the structure, in a larger structure that begins with it:
 *
 *	union object { struct header head; struct { struct header head; long nr; struct value items[1]; } closure; };
 *	for (i = 0; i < closure->nr; i++) use(&closure->items[i]);	closure: a struct header * that was cast
 */
static bool holder_has_array(const struct type *type, s64 offset, u32 stride, u16 width)
{
	struct type_holder holders[MAX_AROUND];
	s64 step = offset - layout_fold(offset, type->size);
	u64 start, end;
	u32 nr = 0;

	type_holders(type, offset, holders, MAX_AROUND, &nr);
	for (u32 i = 0; i < nr; i++)
		if (layout_fit(holders[i].type, holders[i].offset + (u64)offset, stride, width,
			       &start, &end) >= LAYOUT_STRIDED &&
		    !layout_contains(holders[i].type, (s64)holders[i].offset + step, type))
			return true;
	return false;
}

enum access_why layout_walked(const struct type *type, s64 *offset, u32 stride, u16 width,
			      enum layout_origin origin, bool *any)
{
	u64 start;

	/* There are no arrays of structures that end in an array without a bound. */
	if (layout_ends_flexible(type))
		return layout_indexed(type, offset, stride, width, any);
	if (stride % type->size == 0) {
		if (!layout_beyond(type, *offset, origin) &&
		    (type_may_step(type, stride) ||
		     (*offset > 0 && holder_has_array(type, *offset, stride, width))))
			return ACCESS_AMBIGUOUS;
		*offset = layout_fold(*offset, type->size);
		return ACCESS_WHY_NONE;
	}
	if (stride == 1)
		return by_bytes(type, *offset, width)
			       ? layout_indexed(type, offset, stride, width, any)
			       : ACCESS_AMBIGUOUS;
	if (*offset >= 0 && (u64)*offset < type->size && type->size % stride == 0 &&
	    !layout_array_from(type, (u64)*offset, &start)) {
		struct layout_target none = { 0 };
		struct layout_target near = target_near(type, *offset, stride, width, &none);

		if (near.fit >= LAYOUT_STRIDED)
			*offset = near.offset;
		/*
		 * The stride divides the size: the structure is read number by number. Steps that leave out a part of
		 * it lead out of it: (struct use *)user - user->nr.
		 */
		return near.fit >= LAYOUT_STRIDED ||
				       (type->size > 8 && (width == stride || width > 8))
			       ? ACCESS_WHY_NONE
			       : ACCESS_AMBIGUOUS;
	}
	return layout_indexed(type, offset, stride, width, any);
}
