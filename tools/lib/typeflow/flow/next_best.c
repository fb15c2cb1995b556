// SPDX-License-Identifier: GPL-2.0-or-later
#include "typeflow/flow/flow.h"
#include "typeflow/layout/layout.h"

static bool is_inside(const struct value *address, u16 width)
{
	u64 size = type_strip(address->type)->size;

	return address->kind == VALUE_ADDRESS && address->offset >= 0 &&
	       (u64)address->offset + width <= size;
}

/* The answer is a number or pointer of the access's width, of its kind if it computes with floating-point numbers. */
static bool is_exact(const struct access *access)
{
	bool ambiguous;

	return access->type && access->offset >= 0 &&
	       layout_content(access->type, (u64)access->offset, access->width, &ambiguous) &&
	       (access->numbers != TYPE_NUMBER_FLOAT ||
		type_numbers(access->type, (u64)access->offset, access->width) & TYPE_NUMBER_FLOAT);
}

/* Both are the same member, or members of the same type in structures that begin alike. */
static bool is_same(const struct access *a, const struct access *b)
{
	bool ambiguous;

	return a->offset == b->offset && is_exact(a) && is_exact(b) &&
	       layout_same(layout_content(a->type, (u64)a->offset, a->width, &ambiguous),
			   layout_content(b->type, (u64)b->offset, b->width, &ambiguous));
}

/*
 * Several variables point there, as different structures, and each is right on its path (code_facts.c). The only one of them
 * in which the access is exactly one member is right here. If there are several, it is not known which.
 */
static bool answer_other(struct flow *flow, const struct value *address, u16 width,
			 const struct insn_operand *op, struct access *out)
{
	struct access best = *out;
	struct value other;
	bool any = false;

	for (u32 n = 0; infer_find_second(flow->infer, address, true, n, &other); n++) {
		struct access next = *out;

		operand_resolve(flow, &other, width, op, &next);
		any = true;
		if (!is_exact(&next) || is_same(&best, &next))
			continue;
		if (is_exact(&best)) {
			best.type = NULL;
			break;
		}
		best = next;
	}
	if (!any)
		return false;
	if (is_exact(&best)) {
		*out = best;
	} else {
		out->type = NULL;
		out->how = ACCESS_UNKNOWN;
		out->why = ACCESS_AMBIGUOUS;
	}
	return true;
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

	if (address->kind != VALUE_ADDRESS)
		return false;
	if (address->detail == ACCESS_FLOW && answer_other(flow, address, width, op, out))
		return true;
	if (out->how != ACCESS_UNKNOWN && is_inside(address, width))
		return false;
	for (u32 n = 0; infer_find_second(flow->infer, address, false, n, &second); n++) {
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
