/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of the content of one register or one stack slot.
 *
 * Every kind but VALUE_SYMBOL speaks of @offset + n * @stride for some whole n: stride 0 is one
 * exact value, and what a scaled index or a loop adds makes it the divisor of all that was
 * added. So "node->pairs + i" is ADDRESS(struct node, offset of pairs, stride 8).
 *
 * @maker is the point of the function that made the value (makers are numbered in
 * infer.h): where a type found later is put back in, and where --why goes next. A copy keeps
 * its maker. A SYMBOL is a value of which nothing else is known: maker's value + @offset.
 */
#ifndef TYPEFLOW_VALUE_H
#define TYPEFLOW_VALUE_H

#include "dwarf/types.h"
#include "typeflow/typeflow.h"

enum value_kind {
	VALUE_NONE,   /* no path has brought a value yet */
	VALUE_CONST,  /* a number that stands in the code */
	VALUE_NUMBER, /* an integer that is no address, or not known to be: @type may tell which */
	VALUE_BASE_GAP, /* the distance of a virtual base, which stands at @offset of the table @type */
	VALUE_STACK,   /* an address in the frame: the CFA + offset */
	VALUE_GLOBAL,  /* the vaddr @offset */
	VALUE_TLS,     /* the address of @offset in the object's block of this thread */
	VALUE_TLS_GAP, /* a thread-local's distance from the thread pointer: @offset in the block, or
			  @offset bytes into a @type that is another object's */
	VALUE_PERCPU,  /* the address of this CPU's copy of the vaddr @offset */
	VALUE_ADDRESS, /* @offset bytes into a @type */
	VALUE_SYMBOL,
};

struct value {
	u8 kind;    /* enum value_kind */
	u8 detail;  /* enum access_how of a pointer; enum access_why of a symbol or number */
	u16 stride; /* 0: exact */
	u32 maker;
	const struct type *type; /* ADDRESS: never NULL; NUMBER: NULL where not known */
	s64 offset;
};

/* An index whose start is known is anchored: offset is one of the values that it takes. */

static inline struct value value_const(s64 number, u32 maker)
{
	return (struct value){ .kind = VALUE_CONST, .offset = number, .maker = maker };
}

static inline struct value value_symbol(enum access_why why, u32 maker)
{
	return (struct value){ .kind = VALUE_SYMBOL, .detail = (u8)why, .maker = maker };
}

static inline struct value value_number(const struct type *type, u32 maker)
{
	return (struct value){
		.kind = VALUE_NUMBER,
		.detail = type ? ACCESS_NO_POINTER : ACCESS_COMPUTED,
		.stride = 1,
		.maker = maker,
		.type = type,
	};
}

/* True for what can only be an address: of two added values it is the base. */
bool value_is_address(const struct value *value);
static inline bool value_equal(const struct value *a, const struct value *b)
{
	bool by_maker = a->kind == VALUE_SYMBOL ||
			((a->kind == VALUE_NUMBER || a->kind == VALUE_CONST) && a->stride);

	return a->kind == b->kind && a->offset == b->offset && a->stride == b->stride &&
	       a->type == b->type && (!by_maker || a->maker == b->maker) &&
	       (a->kind != VALUE_ADDRESS || a->detail == b->detail);
}

/* The weaker of two ways of knowing. */
u8 how_weaker(u8 a, u8 b);

u16 stride_gcd(u64 a, u64 b);

/* @value * @factor, for indices. */
struct value value_scale(const struct value *value, u64 factor, u32 maker);
struct value value_add(const struct value *a, const struct value *b, u32 maker);
struct value value_subtract(const struct value *a, const struct value *b, u32 maker);

#endif
