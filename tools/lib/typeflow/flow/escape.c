// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Addresses in the frame that escape: code that this analysis does not follow may store to there.
 *
 * Slots of the frame survive a call, unless their address escaped before:
 *
 *	void fill(long n) { struct item t = { n, 2 }; use(&t); mk(t.id)->weight = t.weight; }
 *
 *	sub  $0x18,%rsp			%rsp: STACK CFA-32
 *	mov  %rdi,(%rsp)		slot CFA-32: NUMBER(long)
 *	mov  %rsp,%rdi			%rdi: STACK CFA-32
 *	movq $0x2,0x8(%rsp)		slot CFA-24: CONST 2
 *	call use			extent 0: { low -32, size 16 }, the variable t. state.escaped: bit 0.
 *					Both slots are removed
 *	mov  (%rsp),%rdi		NUMBER(long), by the member's declared type
 *	call mk				bit 0 is still set: what was stored in t since then is removed, too
 *
 * The bits of two paths are joined by "or", so a bit is never cleared. An address escapes if it is passed in a register,
 * stored outside of the frame, or is in memory of the frame that has escaped.
 * An address is also lost where two paths meet with different ones, or where it is loaded by an index. It may then be that of
 * any pointer to such an object:
 *
 *	void **at = which ? &slot : &other;	%rax: STACK CFA-24, or STACK CFA-32; joined: ADDRESS(void *, 0)
 *	*at = b;				a store of 8 bytes: both slots are removed, because both addresses escaped
 */
#include "typeflow/flow/flow.h"

#define UNKNOWN_EXTENT 256 /* bytes that other code may write where no variable is known */

/* The bit that stands for @extent in state.escaped: its index in flow.escaped. Equal extents share one. */
static u64 escaped_bit(struct flow *flow, const struct frame_extent *extent)
{
	u32 i = 0;

	for (; i < flow->escaped->len; i++) {
		struct frame_extent *known = &g_array_index(flow->escaped, struct frame_extent, i);

		if (known->low == extent->low && known->size == extent->size)
			break;
	}
	if (i == MAX_ESCAPED) {
		/* No bit is left: the last bit stands for all of the frame. */
		g_array_index(flow->escaped, struct frame_extent, i - 1) =
			(struct frame_extent){ INT64_MIN / 2, UINT64_MAX / 2 };
		i--;
	} else if (i == flow->escaped->len) {
		g_array_append_val(flow->escaped, *extent);
	}
	return (u64)1 << i;
}

static bool is_inside(const struct frame_extent *extent, s64 offset)
{
	return offset >= extent->low && offset < extent->low + (s64)extent->size;
}

void escape_address(struct flow *flow, const struct value *value, u64 reach)
{
	struct frame_extent extent = { .low = value->offset, .size = UNKNOWN_EXTENT };
	const struct variable *variable;
	s64 into;
	u64 bit;

	if (value->kind != VALUE_STACK)
		return;
	variable = operand_frame(flow, value->offset, 1, &into);
	if (variable) {
		extent.low -= into;
		extent.size = variable->type->size;
	} else if (reach && !value->stride) {
		extent.size = reach;
	}
	bit = escaped_bit(flow, &extent);
	if (flow->now->escaped & bit)
		return;
	flow->now->escaped |= bit;
	for (u32 i = 0; i < flow->now->nr_slots; i++)
		if (is_inside(&extent, flow->now->slots[i].offset))
			escape_address(flow, &flow->now->slots[i].value, 0);
}

bool escape_has(const struct flow *flow, s64 offset)
{
	for (u32 i = 0; i < flow->escaped->len; i++)
		if (flow->now->escaped >> i & 1 &&
		    is_inside(&g_array_index(flow->escaped, struct frame_extent, i), offset))
			return true;
	return false;
}

void escape_drop(struct flow *flow, u64 size, bool by_type)
{
	for (u32 i = 0; i < flow->escaped->len; i++) {
		const struct frame_extent *e =
			&g_array_index(flow->escaped, struct frame_extent, i);
		bool drops = flow->now->escaped >> i & 1 && size <= e->size;

		for (u32 k = 0; drops && by_type && k < flow->now->nr_slots; k++)
			if (is_inside(e, flow->now->slots[k].offset))
				lost_add(flow, flow->now->slots[k].offset);
		if (drops)
			state_drop_slots(flow->now, e->low, e->size);
	}
}

/* The bytes that are read at @address: of an index, the variable there. */
static struct frame_extent extent_read(struct flow *flow, const struct value *address, u16 width)
{
	struct frame_extent extent = { .low = address->offset, .size = width };
	const struct variable *variable;
	s64 into;

	if (!address->stride)
		return extent;
	variable = operand_frame(flow, address->offset, 1, &into);
	extent.size = variable ? variable->type->size : UNKNOWN_EXTENT;
	if (variable)
		extent.low -= into;
	return extent;
}

void escape_read(struct flow *flow, const struct value *address, u16 width)
{
	struct frame_extent extent;

	if (address->kind != VALUE_STACK || (!address->stride && width <= 8))
		return;
	extent = extent_read(flow, address, width);
	for (u32 i = 0; i < flow->now->nr_slots; i++)
		if (is_inside(&extent, flow->now->slots[i].offset))
			escape_address(flow, &flow->now->slots[i].value, 0);
}

void escape_within(struct flow *flow, struct state *state, const struct value *value)
{
	struct state *now = flow->now;

	flow->now = state;
	escape_address(flow, value, 0);
	flow->now = now;
}
