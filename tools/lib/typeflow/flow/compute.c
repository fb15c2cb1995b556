// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The results of arithmetic instructions on two values.
 *
 *	struct slot { long key, value; } slots[8];	slots[(hash & 7)].value
 *
 *	and  $7,%edi			%rdi: a number: a multiple of 1, up to 7
 *	shl  $4,%rdi			%rdi: a multiple of 16, up to 112
 *	lea  slots(%rip),%rax		%rax: the address of slots
 *	mov  8(%rax,%rdi),%rax		reads slots + 8 + a multiple of 16: the value of one of them
 *
 *	and  $-4,%rdi			clears the tag bits of a pointer: %rdi stays ADDRESS(struct node, 0)
 *	or   $1,%rdi			sets a tag bit: ADDRESS(struct node, 1)
 */
#include "typeflow/flow/compute.h"

#include "typeflow/flow/address.h"

#define TAG_BITS 64 /* pointers are aligned to less than this, so tag bits are below it */

struct value compute_narrow(struct flow *flow, const struct value *value, u16 width, bool sign)
{
	struct value narrow;

	if (width >= 8)
		return *value;
	if (value->kind == VALUE_CONST && !value->stride) {
		u32 shift = 64 - width * 8u;
		u64 bits = (u64)value->offset << shift;

		return value_const(sign ? (s64)bits >> shift : (s64)(bits >> shift), value->maker);
	}
	if (value->kind == VALUE_CONST || value->kind == VALUE_NUMBER) {
		narrow = *value;
		/* The upper half is a copy of the sign bit, or 0. */
		if (sign && narrow.span == SPAN_UP)
			narrow.span = SPAN_ANY;
		else if (!sign && narrow.stride && !narrow.offset && !narrow.span)
			narrow.span = SPAN_UP;
		return narrow;
	}
	/* Code that is not position-independent can hold an address in 32 bits. */
	if (value->kind == VALUE_GLOBAL && width == 4 && value->offset >= 0 &&
	    value->offset < INT32_MAX)
		return *value;
	return value_number(NULL, here(flow, 1));
}

static struct value bit_and(struct flow *flow, const struct value *a, const struct value *b)
{
	const struct value *mask = b->kind == VALUE_CONST && !b->stride ? b : a;
	const struct value *other = mask == a ? b : a;
	struct value value = value_number(NULL, here(flow, 0));

	if (mask->kind != VALUE_CONST || mask->stride)
		return value;
	if (other->kind == VALUE_CONST && !other->stride)
		return value_const(other->offset & mask->offset, here(flow, 0));
	if (mask->offset > 0) {
		/* x & 0x38 is a multiple of 8, up to 0x38. */
		value.stride = stride_gcd((u64)mask->offset & -(u64)mask->offset, 0);
		value.span = value_span_of(&(struct value){ 0 }, (u64)mask->offset, value.stride);
	}
	if (mask->offset >= 0 || mask->offset < -4096)
		return value;
	if (other->kind == VALUE_STACK && other->offset < STATE_REALIGNED) {
		/* After the stack is realigned, only distances between its new slots are known. */
		value = *other;
		value.offset = STATE_REALIGNED;
		value.maker = here(flow, 0);
		return value;
	}
	if (mask->offset < -TAG_BITS) {
		if (other->kind == VALUE_NUMBER || other->kind == VALUE_CONST)
			value.stride = stride_gcd((u64)mask->offset & -(u64)mask->offset, 0);
		return value;
	}
	/* Clears the tag bits of a pointer to the start of an object. */
	if (value_is_address(other) || other->kind == VALUE_SYMBOL) {
		value = *other;
		if (other->kind == VALUE_ADDRESS && other->stride % (u16)-mask->offset == 0)
			value.offset &= mask->offset;
	}
	return value;
}

static struct value shift_left(struct flow *flow, const struct value *a, const struct value *b)
{
	if (b->kind != VALUE_CONST || b->stride || b->offset < 0 || b->offset > 31)
		return value_number(NULL, here(flow, 0));
	return value_scale(a, (u64)1 << b->offset, here(flow, 0));
}

static struct value multiply(struct flow *flow, const struct value *a, const struct value *b)
{
	if (b->kind == VALUE_CONST && !b->stride && b->offset)
		return value_scale(a, (u64)b->offset, here(flow, 0));
	if (a->kind == VALUE_CONST && !a->stride && a->offset)
		return value_scale(b, (u64)a->offset, here(flow, 0));
	return value_number(NULL, here(flow, 0));
}

struct value compute(struct flow *flow, enum insn_op op, const struct value *a,
		     const struct value *b)
{
	switch (op) {
	case INSN_ADD:
	case INSN_XADD:
		address_note_row(flow, a, b);
		address_note_row(flow, b, a);
		return value_is_address(b) ? address_add_index(flow, b, a)
					   : address_add_index(flow, a, b);
	case INSN_SUB:
		return value_subtract(a, b, here(flow, 0));
	case INSN_AND:
		return bit_and(flow, a, b);
	case INSN_OR:
		if (b->kind == VALUE_CONST && b->offset >= 0 && b->offset < TAG_BITS &&
		    (value_is_address(a) || a->kind == VALUE_SYMBOL))
			return address_add(flow, a, b);
		return value_number(NULL, here(flow, 0));
	case INSN_SHL:
		return shift_left(flow, a, b);
	case INSN_MUL:
		return multiply(flow, a, b);
	default:
		return value_number(NULL, here(flow, 0));
	}
}
