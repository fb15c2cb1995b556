/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The abstract value of one register or one stack slot.
 *
 * All kinds but VALUE_SYMBOL mean @offset + n * @stride, for some integer n. Stride 0 is one exact value. A scaled
 * index or a loop adds multiples of a number; the stride is the greatest common divisor of all of them. So
 * "node->pairs + i" is ADDRESS(struct node, offset of pairs, stride 8).
 *
 * @span bounds n: 0 to @span, or SPAN_UP, SPAN_ANY, SPAN_LOOSE. `n->kid[k > n->key]`, with setg %dl, movzbl %dl,%edx
 * and 0x10(%rbx,%rdx,8), is ADDRESS(struct node, 0x10, stride 8, span 1): kid[0] or kid[1], nothing behind them.
 *
 * @maker is the point that defines the value (numbered in infer.h). An inferred type is applied there, and --why
 * continues there. A copy keeps its maker. A SYMBOL is a value of unknown type: its maker's value + @offset.
 */
#ifndef TYPEFLOW_VALUE_H
#define TYPEFLOW_VALUE_H

#include <string.h>

#include "dwarf/types.h"
#include "typeflow/layout/access.h"

enum value_kind {
	VALUE_NONE,   /* no path has set a value yet */
	VALUE_CONST,  /* a constant of the code */
	VALUE_NUMBER, /* an integer that is no address as far as known; @type: its type, if known */
	VALUE_BASE_GAP, /* the distance to a virtual base, loaded from @offset of the virtual table @type */
	VALUE_STACK,  /* an address in the frame: the CFA + offset */
	VALUE_GLOBAL, /* the vaddr @offset */
	VALUE_TLS,    /* an address at @offset of the object's TLS block, in the present thread */
	VALUE_TLS_GAP, /* a thread-local's distance from the thread pointer: at @offset of the block, or
			  @offset bytes into a @type of another object */
	VALUE_PERCPU,  /* the address of the present CPU's copy of the vaddr @offset */
	VALUE_ADDRESS, /* @offset bytes into a @type */
	VALUE_SYMBOL,
};

/* Special values of @span. */
enum value_span {
	SPAN_ANY = 0,	  /* n is any integer, also negative */
	SPAN_MAX = 125,	  /* the largest counted one */
	SPAN_UP = 126,	  /* n is 0 or more */
	SPAN_LOOSE = 127, /* paths joined addresses of different members: only the type is known */
};

struct value {
	u16 kind : 4;	/* enum value_kind */
	u16 detail : 5; /* enum access_how of a pointer; enum access_why of a symbol or number */
	u16 span : 7;	/* enum value_span; only with a stride */
	u16 stride;	/* 0: exact */
	u32 maker;
	const struct type *type; /* ADDRESS: never NULL; NUMBER: NULL if not known */
	s64 offset;
};

/* If the start of an index is known, @offset is one of its values, not only a remainder of @stride. */

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

/* True for an address. Of two added values it is the base. */
bool value_is_address(const struct value *value);
static inline bool value_equal(const struct value *a, const struct value *b)
{
	bool by_maker = a->kind == VALUE_SYMBOL ||
			((a->kind == VALUE_NUMBER || a->kind == VALUE_CONST) && a->stride);

	return a->kind == b->kind && a->offset == b->offset && a->stride == b->stride &&
	       a->span == b->span && a->type == b->type && (!by_maker || a->maker == b->maker) &&
	       (a->kind != VALUE_ADDRESS || a->detail == b->detail);
}

/* The same in all fields. There are no bytes between them. */
static inline bool value_identical(const struct value *a, const struct value *b)
{
	return !memcmp(a, b, sizeof(*a));
}

/* The weaker of two sources of a type (enum access_how). */
u8 how_weaker(u8 a, u8 b);

u16 stride_gcd(u64 a, u64 b);

/* The span in steps of @stride that covers @value's steps and @more bytes. */
u8 value_span_of(const struct value *value, u64 more, u16 stride);

/* True if the value is one of a known number of addresses. */
static inline bool value_is_bounded(const struct value *value)
{
	return value->stride && value->span && value->span <= SPAN_MAX;
}

/* @value * @factor, for an index. */
struct value value_scale(const struct value *value, u64 factor, u32 maker);
struct value value_add(const struct value *a, const struct value *b, u32 maker);
struct value value_subtract(const struct value *a, const struct value *b, u32 maker);

#endif
