// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A pointer to a header that is cast to the structure around it, where no structure contains the header as a member:
 *
 *	struct node { enum tag tag; };			struct number { enum tag tag; double value; };
 *	((struct number *)node)->value			movsd 8(%rdi),%xmm0
 *
 *	struct text { unsigned len; char bytes[]; };	char *bytes = text->bytes;
 *	((struct text *)(bytes - sizeof(struct text)))->len	mov -4(%rdi),%eax
 *
 * The debug information has no casts, but compilers keep each type to which the unit casts. So the structure is among
 * those of the unit that begin with the same members as the header, or that end in an array without a bound of what the
 * pointer points to. If only one of them has a number of that width and kind at the place, it is that one. If several
 * have, and all of them a pointer to the same type, the value that is loaded is known.
 *
 * Not for an access that fits the neighbours in an array. A tag (an enum) is no element of an array, if larger structures
 * begin with it. The answers count as inferred.
 */
#include "typeflow/flow/flow.h"
#include "typeflow/layout/layout.h"

#define MAX_STRUCTURES 512
#define MAX_HEADER     8 /* bytes */

struct header_memo {
	GHashTable *around; /* struct type of a header -> GPtrArray of those that begin alike */
	GHashTable *before; /* type of an element -> those that end in an array of it */
};

struct header_memo *header_memo_new(void)
{
	struct header_memo *memo = g_new0(struct header_memo, 1);

	memo->around = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_ptr_array_unref);
	memo->before = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_ptr_array_unref);
	return memo;
}

void header_memo_free(struct header_memo *memo)
{
	if (!memo)
		return;
	g_hash_table_unref(memo->around);
	g_hash_table_unref(memo->before);
	g_free(memo);
}

static bool ends_in(const struct type *type, const struct type *element)
{
	const struct member *last = type_last_member(type);

	return layout_ends_flexible(type) && layout_same(type_target(last->type), element);
}

typedef bool candidate_of(const struct type *type, const struct type *known);

static const GPtrArray *candidates(struct flow *flow, GHashTable *memo, const struct type *known,
				   u64 least, candidate_of *is_one)
{
	GPtrArray *found = g_hash_table_lookup(memo, known);
	const struct type *all[MAX_STRUCTURES];
	u32 nr;

	if (found)
		return found;
	found = g_ptr_array_new();
	g_hash_table_insert(memo, (void *)known, found);
	if (!debuginfo_structures(flow->object->debug, flow->asker.vaddr, least, all,
				  MAX_STRUCTURES, &nr))
		return found;
	for (u32 i = 0; i < nr; i++)
		if (!all[i]->incomplete && is_one(all[i], known))
			g_ptr_array_add(found, (void *)all[i]);
	return found;
}

/* An element of an array of the header may be meant. */
static bool is_neighbour(const struct type *type, s64 offset, u16 width, u8 numbers)
{
	u64 at = (u64)layout_fold(offset, type->size);
	const struct type *leaf = layout_leaf(type, at);

	return leaf && leaf->kind != TYPE_ENUM && leaf->size == width &&
	       (!numbers || type_numbers(type, at, width) & numbers);
}

/* Those of @all that have such a number @offset bytes behind @start(one). */
static u32 fitting(const GPtrArray *all, s64 offset, bool before, u16 width, u8 numbers,
		   struct spot *spot, const struct type **target)
{
	u32 nr = 0;

	for (u32 i = 0; i < all->len; i++) {
		const struct type *type = g_ptr_array_index(all, i), *leaf;
		s64 at = before ? (s64)type_last_member(type)->offset + offset : offset;
		u8 there = at < 0 ? 0 : type_numbers(type, (u64)at, width);

		if (!there || (numbers && !(there & numbers)))
			continue;
		*spot = (struct spot){ .type = type, .offset = at, .fits = true };
		leaf = layout_leaf(type, (u64)at);
		if (!leaf || leaf->kind != TYPE_POINTER || width != leaf->size ||
		    (nr && (!*target || !layout_same(*target, type_target(leaf)))))
			*target = NULL;
		else
			*target = type_target(leaf);
		nr++;
	}
	return nr;
}

/* By C, the pointer may have been cast. */
static bool may_be_cast(const struct flow *flow, const struct value *address)
{
	u8 how = address->detail;

	return address->kind == VALUE_ADDRESS && !address->stride && how != ACCESS_GLOBAL &&
	       how != ACCESS_TLS && how != ACCESS_LOCAL &&
	       !(flow->proto && flow->proto->no_casts) &&
	       !infer_is_row(flow->infer, address->maker, address->offset < 0);
}

u32 header_find(struct flow *flow, const struct value *address, u16 width, u8 numbers,
		struct spot *spot, const struct type **target)
{
	const struct header_memo *memo = flow->object->headers;
	bool before = address->offset < 0;
	const struct type *type;
	const GPtrArray *all;
	u32 nr;

	*target = NULL;
	if ((!flow->round && !flow->noting) || !flow->object->debug ||
	    !may_be_cast(flow, address) || width > 8)
		return 0;
	type = type_strip(address->type);
	if (!type->size || type->size > MAX_HEADER ||
	    (!before && !type_is_compound(type) && type->kind != TYPE_ENUM) ||
	    !layout_is_neighbour(type, address->offset) ||
	    is_neighbour(type, address->offset, width, numbers))
		return 0;
	all = before ? candidates(flow, memo->before, type, 1, ends_in)
		     : candidates(flow, memo->around, type, type->size + 1, layout_begins_as);
	nr = fitting(all, address->offset, before, width, numbers, spot, target);
	/* Another round is worth while. */
	if (!flow->round) {
		if (flow->noting && (nr == 1 || *target)) {
			flow->infer->fresh_view = true;
			infer_add_news(flow->infer, address->maker, true);
		}
		return 0;
	}
	return nr;
}
