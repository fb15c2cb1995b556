/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of the content of one register or one stack slot.
 *
 * Every kind but VALUE_SYMBOL speaks of @offset + n * @stride for some whole n: stride 0 is one
 * exact value, and what a scaled index or a loop adds makes it the divisor of all that was
 * added. So "node->pairs + i" is ADDRESS(struct node, offset of pairs, stride 8).
 *
 * @span says which n: 0 to @span, or SPAN_UP, SPAN_ANY, SPAN_LOOSE. `n->kid[k > n->key]`, with
 * setg %dl, movzbl %dl,%edx and 0x10(%rbx,%rdx,8), is ADDRESS(struct node, 0x10, stride 8, span 1):
 * kid[0] or kid[1] and nothing behind them.
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

/* Values of @span that are no number of steps. */
enum value_span {
	SPAN_ANY = 0,	  /* n is any whole number, below 0 too */
	SPAN_MAX = 125,	  /* the largest that is counted */
	SPAN_UP = 126,	  /* n is 0 or more */
	SPAN_LOOSE = 127, /* paths brought places in different members: only the type is known */
};

struct value {
	u16 kind : 4;	/* enum value_kind */
	u16 detail : 5; /* enum access_how of a pointer; enum access_why of a symbol or number */
	u16 span : 7;	/* enum value_span; only with a stride */
	u16 stride;	/* 0: exact */
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
	return (struct value){ .kind = VALUE_SYMBOL, .detail = why, .maker = maker };
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
	       a->span == b->span && a->type == b->type && (!by_maker || a->maker == b->maker) &&
	       (a->kind != VALUE_ADDRESS || a->detail == b->detail);
}

/* The weaker of two ways of knowing. */
u8 how_weaker(u8 a, u8 b);

u16 stride_gcd(u64 a, u64 b);

/* The steps of @stride that bring what @value's steps and @more bytes can add up to. */
u8 value_span_of(const struct value *value, u64 more, u16 stride);

/* True where the value is one of a known number of places. */
static inline bool value_is_bounded(const struct value *value)
{
	return value->stride && value->span && value->span <= SPAN_MAX;
}

/* @value * @factor, for indices. */
struct value value_scale(const struct value *value, u64 factor, u32 maker);
struct value value_add(const struct value *a, const struct value *b, u32 maker);
struct value value_subtract(const struct value *a, const struct value *b, u32 maker);

#endif
