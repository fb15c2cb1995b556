// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Objects at a known distance from a value: a variable points there, and the debug information says how far the
 * register of another value is from it.
 *
 *	struct header *h = take(); struct payload *p = (struct payload *)(h + 1);	h has 16 bytes
 *	p: DW_OP_breg3 (rbx) 16, DW_OP_stack_value
 *
 *	mov 0x18(%rbx),%rax	%rbx: ADDRESS(struct header, 0), made by the call of take()
 *
 *	fact			%rbx is ADDRESS(struct payload, -16), beside
 *	neighbour of the call	type payload, frame header, offset 0 - -16 = 16, stride 0
 *	access at 0x18		outside of the header; 0x18 - 16 = 8: struct payload, offset 8
 *
 * A neighbour belongs to the maker, not to the register: it holds for all copies of the value, also before the fact.
 */
#include "typeflow/flow/infer.h"
#include "typeflow/layout/layout.h"

#define MAX_NEIGHBOURS 8 /* for each value */

static GArray *neighbours(const struct infer *infer, const struct value *value)
{
	if (!infer->beside || (value->kind != VALUE_SYMBOL && value->kind != VALUE_ADDRESS))
		return NULL;
	return g_hash_table_lookup(infer->beside, GUINT_TO_POINTER(value->maker));
}

static const struct type *frame_of(const struct value *value)
{
	return value->kind == VALUE_ADDRESS ? type_strip(value->type) : NULL;
}

void infer_beside(struct infer *infer, const struct value *value, const struct value *variable)
{
	struct neighbour said = { .type = variable->type,
				  .frame = frame_of(value),
				  .stride = value->stride,
				  .how = variable->detail };
	GArray *known = neighbours(infer, value);

	if ((value->kind != VALUE_SYMBOL && value->kind != VALUE_ADDRESS) || !value->maker ||
	    value->maker >= infer->nr_makers || !layout_is_object(variable->type) ||
	    __builtin_sub_overflow(value->offset, variable->offset, &said.offset))
		return;
	/* An object of the same type lies next to it, so the value points into an array. */
	if (said.frame && said.frame->size > 1 && said.offset % (s64)said.frame->size == 0 &&
	    layout_same(said.frame, said.type))
		infer_row(infer, value->maker, said.offset < 0);
	for (u32 i = 0; known && i < known->len; i++) {
		const struct neighbour *n = &g_array_index(known, struct neighbour, i);

		if (n->type == said.type && n->frame == said.frame && n->offset == said.offset &&
		    n->stride == said.stride)
			return;
	}
	if (!infer->beside)
		infer->beside =
			g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
	if (!known) {
		known = g_array_new(false, false, sizeof(struct neighbour));
		g_hash_table_insert(infer->beside, GUINT_TO_POINTER(value->maker), known);
	}
	if (known->len == MAX_NEIGHBOURS)
		return;
	g_array_append_val(known, said);
	infer_add_news(infer, value->maker, true);
}

/* The same steps; or the variable points to the first element of an array, and the access has an index. */
static bool is_along(const struct neighbour *n, u32 stride)
{
	u64 size = type_strip(n->type)->size;

	return n->stride == stride || (!n->stride && size > 1 && stride % size == 0);
}

/* If several objects contain the access, choose the largest; the others are views of it. */
bool infer_find_beside(const struct infer *infer, const struct value *address, u16 width,
		       const struct type **type, s64 *offset, u8 *how)
{
	const GArray *known = neighbours(infer, address);
	const struct neighbour *best = NULL;

	for (u32 i = 0; known && i < known->len; i++) {
		const struct neighbour *n = &g_array_index(known, struct neighbour, i);
		s64 at;

		if (n->frame != frame_of(address) || !is_along(n, address->stride) ||
		    __builtin_sub_overflow(address->offset, n->offset, &at) || at < 0)
			continue;
		if (n->stride != address->stride)
			at %= (s64)type_strip(n->type)->size;
		if ((u64)at + width > type_strip(n->type)->size ||
		    (best && type_strip(n->type)->size <= type_strip(best->type)->size))
			continue;
		best = n;
		*offset = at;
	}
	if (best) {
		*type = best->type;
		*how = best->how;
	}
	return best != NULL;
}
