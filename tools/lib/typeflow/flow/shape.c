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
#include "typeflow/flow/flow.h"
#include "typeflow/layout/layout.h"

#define MAX_STRUCTURES 512
#define LEAST_PLACES   3
#define LEAST_AROUND   2
#define MAX_AROUND     32 /* structures that contain the part */
#define MAX_NEAR       256

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

		if (shape->places[i].width > 8)
			continue;
		if (at < 0 || !has_member(holder->type, (u64)at, shape->places[i].width))
			return false;
	}
	return true;
}

static bool is_padding(const struct type *element, u64 at)
{
	u32 from = 0;

	return !type_member_at(element, at, &from);
}

/* A member, a member and the padding behind it, several members at once by a vector, or whole elements. */
static bool fits_element(const struct type *element, u64 at, u16 width)
{
	const struct type *leaf = layout_leaf(element, at);
	bool ambiguous;

	if ((!at && width % element->size == 0) || (leaf && width > 8) ||
	    layout_content(element, at, width, &ambiguous) || ambiguous)
		return true;
	return leaf && leaf->size <= width && layout_extent(element, (s64)at, width) == LAYOUT_ONE;
}

/* True if the accesses may as well be to neighbours of the part in an array. */
static bool fits_row(const struct shape *shape)
{
	const struct type *part = type_strip(shape->part);

	for (u32 i = 0; part->size && i < shape->nr; i++) {
		u64 at = (u64)layout_fold(shape->places[i].offset, part->size);

		if (!is_padding(part, at) && !fits_element(part, at, shape->places[i].width))
			return false;
	}
	return true;
}

/* No larger structure of the unit begins with the same members. */
static bool begins_nothing(const struct flow *flow, const struct type *type)
{
	const struct type *all[MAX_STRUCTURES];
	u32 nr;

	if (!debuginfo_structures(flow->object->debug, flow->asker.vaddr, type->size + 1, all,
				  MAX_STRUCTURES, &nr))
		return false;
	for (u32 i = 0; i < nr; i++)
		if (layout_begins_as(all[i], type))
			return false;
	return true;
}

/* The constant distances of all pointers to a structure in the function. */
struct distances {
	const struct type *type;
	u32 fitting;
	bool contradict;
};

/* True if a class that is derived from @type reaches there, or may; @any: or a structure that begins with a @type. */
static bool is_in_derived(const struct type *type, s64 offset, bool any)
{
	struct type_holder holders[MAX_AROUND];
	u32 nr;

	if (layout_is_neighbour(type, offset))
		return false;
	if (!type_holders(type, offset, holders, MAX_AROUND, &nr))
		return true;
	for (u32 i = 0; i < nr; i++)
		if (holders[i].derived || (any && !holders[i].offset))
			return true;
	return false;
}

static void add_distances(struct distances *d, const struct shape *shape)
{
	const struct type *type = d->type;

	for (u32 i = 0; i < shape->nr; i++) {
		const struct shape_place *p = &shape->places[i];
		u64 at = (u64)layout_fold(p->offset, type->size);

		if (p->offset < 0 || is_padding(type, at))
			continue;
		if (!fits_element(type, at, p->width) || is_in_derived(type, p->offset, false))
			d->contradict = true;
		/*
		 * Within the reach of a structure around the object, it may be that one's member. Far from the
		 * object, one place is enough.
		 */
		if (layout_is_neighbour(type, p->offset))
			d->fitting += p->offset < 2 * (s64)type->size ? 1 : LEAST_AROUND;
		else
			d->fitting += !at && p->width > 8 && p->width % type->size == 0 &&
				      !is_in_derived(type, p->offset, true);
	}
}

/* False: the part tells nothing of its neighbours. */
static bool find_distances(const struct flow *flow, const struct shape *shape, struct distances *d)
{
	GHashTableIter each;
	void *at;

	*d = (struct distances){ .type = type_strip(shape->part) };
	if (shape->spoiled || !d->type->size || layout_is_number(d->type))
		return false;
	g_hash_table_iter_init(&each, flow->infer->shapes);
	while (g_hash_table_iter_next(&each, NULL, &at)) {
		const struct shape *other = at;

		if (other->part && type_strip(other->part) == d->type)
			add_distances(d, other);
	}
	return true;
}

/*
 * Constant distances from pointers to a structure lead to neighbours in an array, if all of them in the function lead
 * to members of the structure, and if no larger structure of the unit begins with the same members:
 *
 *	struct pair { long key, value; } *p = malloc(3 * sizeof(*p));
 *	p[1].key = p[2].key = 0;		movq $0,0x10(%rax); movq $0,0x20(%rax)
 *
 * A structure of only one number has no other distances, so there they tell nothing.
 */
static bool is_row(const struct flow *flow, const struct shape *shape)
{
	struct distances d;

	return find_distances(flow, shape, &d) && d.fitting >= LEAST_AROUND && !d.contradict &&
	       begins_nothing(flow, d.type);
}

/* The same, if later rounds find more places: no place takes a contradiction away. */
static bool may_be_row(const struct flow *flow, const struct shape *shape)
{
	struct distances d;

	return find_distances(flow, shape, &d) && !d.contradict && begins_nothing(flow, d.type);
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

/* A place before the part: a constant hardly ever leads to an earlier element of an array. */
static bool reaches_before(const struct shape *shape)
{
	for (u32 i = 0; i < shape->nr; i++)
		if (shape->places[i].offset < 0)
			return true;
	return false;
}

/*
 * The same among the structures of the neighbourhood (near.c). out: *@found: one that fits. Returns the number of those that
 * fit.
 */
static u32 find_near(struct flow *flow, const struct shape *shape, struct type_holder *found)
{
	struct type_holder holders[MAX_NEAR];
	u32 nr, nr_found = 0;

	if (shape->spoiled || !shape->nr || (!reaches_before(shape) && fits_row(shape)))
		return 0;
	nr = near_holders(flow, shape->part, holders, MAX_NEAR);
	for (u32 i = 0; i < nr && nr < MAX_NEAR; i++)
		if (fits_around(shape, &holders[i])) {
			*found = holders[i];
			nr_found++;
		}
	return nr_found;
}

static void decide_around(struct flow *flow, u32 maker, const struct shape *shape)
{
	struct type_holder found;
	struct value part, whole;

	if (!find_around(shape, &found) && find_near(flow, shape, &found) != 1)
		return;
	part = (struct value){ .kind = VALUE_ADDRESS, .maker = maker, .type = shape->part };
	whole = part;
	whole.detail = ACCESS_INFERRED;
	whole.type = found.type;
	whole.offset = (s64)found.offset;
	infer_second(flow->infer, &part, &whole);
}

/* A structure around the part, not at its start, fits all accesses so far: it may be the only one when more are known. */
static bool may_be_around(const struct shape *shape)
{
	struct type_holder holders[MAX_AROUND];
	u32 nr;

	if (!type_holders(shape->part, shape->places[0].offset, holders, MAX_AROUND, &nr))
		return false;
	for (u32 i = 0; i < nr; i++)
		if (holders[i].offset && fits_around(shape, &holders[i]))
			return true;
	return false;
}

bool shape_may_tell(struct flow *flow, const struct shape *shape)
{
	struct type_holder found;

	if (shape->spoiled)
		return false;
	return shape->part ? may_be_around(shape) || may_be_row(flow, shape) ||
				     find_near(flow, shape, &found)
			   : is_telling(shape);
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

		if (shape->part && is_row(flow, shape)) {
			infer_row(flow->infer, value.maker, false);
			continue;
		}
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
