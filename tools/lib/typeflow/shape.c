// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A pointer without any declared type, cast in each expression that uses it:
 *
 *	static void count(void *self, size_t n)
 *	{
 *		((struct meter *)self)->calls++;	addl $1,8(%rdi)
 *		((struct meter *)self)->bytes += n;	add %rsi,(%rdi)
 *		((struct meter *)self)->last = 1;	movb $1,0x20(%rdi)
 *	}
 *
 * The debug information has no casts, but it has the structure. If only one structure of the unit has a member of the
 * right size at each accessed offset, the pointer is taken to be to that structure.
 *
 * The shape must not be an accident: three or more accesses, of at least two sizes (numbers of one size may be an
 * array), and they must reach the second half of the structure. Of structures that begin with each other the smallest
 * is taken. The answer counts as inferred, and every other fact comes first.
 *
 * The same for the unknown structure around a known part that is not its first member:
 *
 *	struct waiter { int priority; struct link entry; struct page *page; };
 *
 *	link_add(&w->entry, ...);	mov %rbx,%rdi; call	%rbx points to a link
 *	w->priority = i;		mov %eax,-8(%rbx)	other structures with a link
 *	w->page = page;			mov %rdx,0x10(%rbx)	have a member at one of these offsets too
 *
 * Nothing is inferred for a part that is the first member: it often has a tag for the kind of the whole object, and
 * each path handles another kind.
 */
#include "typeflow/flow.h"
#include "typeflow/layout.h"

#define MAX_STRUCTURES 512
#define LEAST_PLACES   3
#define LEAST_AROUND   2
#define MAX_AROUND     32 /* structures that contain the part */

static u64 end_of(const struct shape *shape)
{
	u64 end = 0;

	for (u32 i = 0; i < shape->nr; i++)
		end = MAX(end, (u64)shape->places[i].offset + shape->places[i].width);
	return end;
}

static bool is_telling(const struct shape *shape)
{
	bool differ = false;

	for (u32 i = 1; i < shape->nr; i++)
		differ |= shape->places[i].width != shape->places[0].width;
	return !shape->spoiled && differ && shape->nr >= LEAST_PLACES;
}

static bool fits(const struct shape *shape, const struct type *type)
{
	if (type->incomplete || layout_ends_flexible(type) || end_of(shape) * 2 < type->size)
		return false;
	for (u32 i = 0; i < shape->nr; i++) {
		const struct shape_place *p = &shape->places[i];
		bool ambiguous;

		if (!layout_content(type, (u64)p->offset, p->width, &ambiguous) && !ambiguous)
			return false;
	}
	return true;
}

/* The only structure that fits; NULL: none, or more than one. */
static const struct type *find_fitting(const struct shape *shape, const struct type **all, u32 nr)
{
	const struct type *found = NULL;

	for (u32 i = 0; i < nr; i++) {
		if (!fits(shape, all[i]))
			continue;
		if (!found || layout_contains(found, 0, all[i]))
			found = all[i];
		else if (!layout_contains(all[i], 0, found))
			return NULL;
	}
	return found;
}

/* A member of that size, or bit fields, which are accessed by any part of their storage unit. */
static bool has_member(const struct type *type, u64 at, u16 width)
{
	bool ambiguous;

	return layout_content(type, at, width, &ambiguous) || ambiguous ||
	       layout_has_bits(type, at);
}

/* True if the structure around the part has a member of the right size at each accessed offset. */
static bool fits_around(const struct shape *shape, const struct type_holder *holder)
{
	for (u32 i = 0; i < shape->nr; i++) {
		s64 at = (s64)holder->offset + shape->places[i].offset;

		if (at < 0 || !has_member(holder->type, (u64)at, shape->places[i].width))
			return false;
	}
	return true;
}

/* True if the accesses may as well be to neighbours of the part in an array. */
static bool fits_row(const struct shape *shape)
{
	s64 size = (s64)type_strip(shape->part)->size;

	for (u32 i = 0; size && i < shape->nr; i++) {
		s64 at = shape->places[i].offset % size;
		bool ambiguous;

		if (!layout_content(shape->part, (u64)(at < 0 ? at + size : at),
				    shape->places[i].width, &ambiguous) &&
		    !ambiguous)
			return false;
	}
	return true;
}

/*
 * The only structure around the part that fits all accesses. False: none, or more than one, or the part is its first
 * member.
 */
static bool find_around(const struct shape *shape, struct type_holder *found)
{
	struct type_holder holders[MAX_AROUND];
	u32 nr, nr_found = 0;

	if (shape->spoiled || shape->nr < LEAST_AROUND || fits_row(shape) ||
	    !type_holders(shape->part, shape->places[0].offset, holders, MAX_AROUND, &nr))
		return false;
	for (u32 i = 0; i < nr; i++)
		if (fits_around(shape, &holders[i])) {
			*found = holders[i];
			nr_found++;
		}
	return nr_found == 1 && found->offset;
}

static void decide_around(struct flow *flow, u32 maker, const struct shape *shape)
{
	struct type_holder found;
	struct value part, whole;

	if (!find_around(shape, &found))
		return;
	part = (struct value){ .kind = VALUE_ADDRESS, .maker = maker, .type = shape->part };
	whole = part;
	whole.detail = ACCESS_INFERRED;
	whole.type = found.type;
	whole.offset = (s64)found.offset;
	infer_second(flow->infer, &part, &whole);
}

bool shape_decide(struct flow *flow)
{
	const struct type *all[MAX_STRUCTURES];
	GHashTableIter each;
	void *maker, *at;
	u32 nr;

	if (!flow->infer->shapes || !flow->object->debug)
		return false;
	g_hash_table_iter_init(&each, flow->infer->shapes);
	while (g_hash_table_iter_next(&each, &maker, &at)) {
		struct value value = value_symbol(ACCESS_NO_SOURCE, GPOINTER_TO_UINT(maker));
		const struct shape *shape = at;
		const struct type *type = NULL;

		if (shape->part) {
			decide_around(flow, value.maker, shape);
			continue;
		}
		if (!is_telling(shape) || maker_is_join(flow->infer, value.maker) != CFG_NONE)
			continue;
		if (debuginfo_structures(flow->object->debug, flow->asker.vaddr, end_of(shape), all,
					 MAX_STRUCTURES, &nr))
			type = find_fitting(shape, all, nr);
		if (!type)
			continue;
		infer_use(flow->infer, &value, type, 0, USE_SOURCE);
	}
	return infer_decide(flow->infer);
}
