// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A lower bound of an index, from accesses by the same registers that every path has made before. gcc unrolls a loop
 * that goes down over two arrays:
 *
 *	struct node { long n, keys[7]; void *vals[7]; };	keys: 8 to 63, vals: 64 to 119
 *	for (; i > 0 && b->keys[i - 1] > key; i--) { b->keys[i] = b->keys[i - 1]; b->vals[i] = b->vals[i - 1]; }
 *
 *	lea  (%rdi,%rax,8),%rax	ADDRESS(struct node, 0, stride 8)
 *	...
 *	mov  -0x8(%rax),%rsi	the second copy of the loop: keys; so the index is 2 or more
 *	jge  done
 *	mov  %rsi,(%rax)
 *	mov  0x30(%rax),%rsi	without that bound: keys[5]; with it: 0x40 or more, vals
 *
 * The access at -8 lies before all arrays of the structure for an index of 0 or 1.
 */
#include "typeflow/flow/flow.h"
#include "typeflow/layout/layout.h"

#define MAX_BACK  128 /* instructions to look back */
#define MAX_STEPS 64  /* of an index */

static bool is_changed(const struct insn *insn, const struct insn_mem *mem)
{
	return insn_writes(insn, mem->base) ||
	       (mem->index != INSN_NO_REG && insn_writes(insn, mem->index)) ||
	       insn->flow == INSN_CALL;
}

/* The lowest displacement of @insn by the same registers, and its width. */
static void note_lowest(const struct insn *insn, const struct insn_mem *mem, s64 *lowest,
			u16 *width)
{
	for (u32 i = 0; i < insn->nr_operands; i++) {
		const struct insn_operand *op = &insn->operands[i];

		if (op->kind != INSN_MEM || !op->access || op->implicit || op->relative ||
		    op->mem.base != mem->base || op->mem.index != mem->index ||
		    op->mem.scale != mem->scale || op->mem.segment != mem->segment ||
		    op->mem.disp >= *lowest)
			continue;
		*lowest = op->mem.disp;
		*width = op->width;
	}
}

/* Looks back from the present instruction, over blocks that have a single predecessor. */
static s64 lowest_before(const struct flow *flow, const struct insn_mem *mem, u16 *width)
{
	const struct cfg *cfg = flow->cfg;
	u32 at = flow->insn, block = cfg->block_of[at];
	s64 lowest = mem->disp;

	for (u32 n = 0; n < MAX_BACK; n++) {
		const struct block *in = &g_array_index(cfg->blocks, struct block, block);

		if (at == in->first) {
			if (in->from == CFG_NONE)
				break;
			block = in->from;
			at = g_array_index(cfg->blocks, struct block, block).end;
			continue;
		}
		at--;
		if (is_changed(&cfg->insns[at], mem))
			break;
		note_lowest(&cfg->insns[at], mem, &lowest, width);
	}
	return lowest;
}

/* The steps from @offset to the first array that they fit; 0: there is none, or @offset lies in one. */
static u32 steps_to_array(const struct type *type, s64 offset, u32 stride, u16 width)
{
	u64 start, end;

	for (u32 n = 0; n < MAX_STEPS; n++) {
		s64 at = offset + (s64)n * stride;

		if (at >= (s64)type->size)
			break;
		if (at >= 0 &&
		    layout_fit(type, (u64)at, stride, width, &start, &end) >= LAYOUT_STRIDED)
			return n;
	}
	return 0;
}

void bound_index(const struct flow *flow, const struct insn_operand *op, struct value *address)
{
	const struct type *type;
	u64 start, end, later, last;
	enum layout_fit here;
	u16 width = op->width;
	s64 lowest, bound;

	if (address->kind != VALUE_ADDRESS || address->stride < 2 || address->span != SPAN_ANY ||
	    address->offset < 0 || op->mem.base == INSN_NO_REG || op->width > 8)
		return;
	type = type_strip(address->type);
	if (!type_is_compound(type) || (u64)address->offset >= type->size)
		return;
	here = layout_fit(type, (u64)address->offset, address->stride, op->width, &start, &end);
	if (here < LAYOUT_STRIDED || end >= type->size)
		return;
	lowest = lowest_before(flow, &op->mem, &width);
	if (__builtin_sub_overflow(op->mem.disp, lowest, &lowest) || lowest > INT32_MAX)
		return;
	bound = address->offset + (s64)address->stride * steps_to_array(type,
									address->offset - lowest,
									address->stride, width);
	if (bound >= (s64)end && bound < (s64)type->size &&
	    layout_fit(type, (u64)bound, address->stride, op->width, &later, &last) >= here)
		address->offset = bound;
}
