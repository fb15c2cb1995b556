// SPDX-License-Identifier: GPL-2.0-or-later
#include "typeflow/flow/flow.h"
#include "typeflow/layout/layout.h"

static bool is_inside(const struct value *address, u16 width)
{
	u64 size = type_strip(address->type)->size;

	return address->kind == VALUE_ADDRESS && address->offset >= 0 &&
	       (u64)address->offset + width <= size;
}

/*
 * If the best type of a pointer does not fit the access, a weaker one may:
 *
 *	struct head *h = (struct head *)node_of(k);	call node_of; mov %rax,%rbx
 *	((struct node *)h)->weight			mov 0x18(%rbx),%rax	beyond struct head
 *
 * The access must be inside of the weaker type. Outside, a neighbour of the one type is as likely as a neighbour of
 * the other.
 */
bool answer_next_best(struct flow *flow, const struct value *address, u16 width,
		      const struct insn_operand *op, struct access *out)
{
	struct value second;

	if (address->kind != VALUE_ADDRESS ||
	    (out->how != ACCESS_UNKNOWN && is_inside(address, width)))
		return false;
	for (u32 n = 0; infer_find_second(flow->infer, address, n, &second); n++) {
		struct access next = *out;

		if (!is_inside(&second, width))
			continue;
		operand_resolve(flow, &second, width, op, &next);
		if (next.type && (next.offset < 0 ||
				  layout_extent(next.type, next.offset, width) != LAYOUT_AMID)) {
			*out = next;
			return true;
		}
	}
	return false;
}
