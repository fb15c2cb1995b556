// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A pointer of which nothing is said anywhere, cast in each expression that uses it:
 *
 *	static void count(void *self, size_t n)
 *	{
 *		((struct meter *)self)->calls++;	addl $1,8(%rdi)
 *		((struct meter *)self)->bytes += n;	add %rsi,(%rdi)
 *		((struct meter *)self)->last = 1;	movb $1,0x20(%rdi)
 *	}
 *
 * The casts are not in the debug information, but the structure is. If of all structures of the unit one
 * only has a member of the right size at each place that is touched, the pointer is taken to be to that one.
 *
 * It must be a shape that chance does not make: three places or more, of two sizes at least (numbers of one
 * size can be an array of them), up to the second half of the structure. Of structures that begin with each
 * other it is the smallest. The answer is inferred, and any other fact is asked first.
 */
#include "typeflow/flow.h"
#include "typeflow/layout.h"

#define MAX_STRUCTURES 512
#define LEAST_PLACES   3

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

/* The only one that fits; NULL: none does, or more do. */
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

bool shape_decide(struct flow *flow)
{
	const struct type *all[MAX_STRUCTURES];
	GHashTableIter each;
	void *maker, *at;
	bool any = false;
	u32 nr;

	if (!flow->infer->shapes || !flow->object->debug)
		return false;
	g_hash_table_iter_init(&each, flow->infer->shapes);
	while (g_hash_table_iter_next(&each, &maker, &at)) {
		struct value value = value_symbol(ACCESS_NO_SOURCE, GPOINTER_TO_UINT(maker));
		const struct shape *shape = at;
		const struct type *type = NULL;

		if (!is_telling(shape) || maker_is_join(flow->infer, value.maker) != CFG_NONE)
			continue;
		if (debuginfo_structures(flow->object->debug, flow->asker.vaddr, end_of(shape),
					 all, MAX_STRUCTURES, &nr))
			type = find_fitting(shape, all, nr);
		if (!type)
			continue;
		infer_use(flow->infer, &value, type, 0, USE_SOURCE);
		any = true;
	}
	return any && infer_decide(flow->infer);
}
