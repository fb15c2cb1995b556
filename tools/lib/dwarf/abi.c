// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Classes of the System V x86-64 ABI, section 3.2.3. Each 8 bytes of a value have the class INTEGER or SSE, by their
 * members. A value is in memory if it is larger than 16 bytes, is not aligned, or is a structure with a long double.
 *
 *	struct s { double d; int i; };	bytes 0-7: SSE, bytes 8-15: INTEGER
 *	void f(struct s s);		s.d in xmm0, s.i in rdi
 *
 * More examples. The members of the same 8 bytes share a class, and INTEGER wins over SSE:
 *
 *	struct fi { float f; int i; };		bytes 0-7: INTEGER	both in rdi
 *	struct ff { float x, y; };		bytes 0-7: SSE		both in xmm0
 *	struct big { long a, b, c; };		in memory		on the stack, CFA + 0
 *	long double				X87			on the stack; as a result in st(0)
 *	struct __attribute__((packed)) { char c; int i; }	in memory: i is not aligned
 *
 * A value is never split between registers and the stack. But a later value can still use the registers that are left:
 *
 *	long f(long a, long b, long c, long d, long e, struct { long x, y; } p, long g);
 *
 *	a to e: rdi, rsi, rdx, rcx, r8		p: only r9 is left, so it is at CFA + 0		g: r9
 *
 * A result in memory: the caller passes an address in rdi, before all parameters, and gets it back in rax.
 *
 * The class is unknown for vectors of more than 16 bytes, structures with a long double of up to 16 bytes, incomplete
 * types, and types with too many members. Then the places of this parameter and of all later ones are unknown.
 *
 * Rust and Go have their own calling conventions, see abi_rust.h and abi_go.h.
 */
#include <glib.h>
#include <string.h>

#include "dwarf/abi.h"
#include "dwarf/abi_go.h"
#include "dwarf/abi_rust.h"

/* In ascending order: of two classes for the same 8 bytes, the later one wins. */
enum class { CLASS_NONE, CLASS_SSE, CLASS_INTEGER, CLASS_X87, CLASS_MEMORY, CLASS_UNKNOWN };

#define MAX_LEVELS 16
#define MAX_LEAVES 256

#define RAX    0
#define RDX    1
#define XMM0   17
#define ST0    33
#define NR_XMM 8

static const u8 integer_registers[] = { 5, 4, 1, 2, 8, 9 };
static const u8 integers_of_result[] = { RAX, RDX };

struct abi_value {
	enum class eight[2]; /* of each 8 bytes */
	enum class whole;    /* the class of all bytes; CLASS_NONE: see @eight */
	/* @nr: entries of @eight in use; @leaves: types examined so far, limit MAX_LEAVES */
	u32 nr, leaves;
	/* on the stack, in bytes: 8 or 16 */
	u64 align;
};

static void merge(enum class *into, enum class with)
{
	if (*into < with)
		*into = with;
}

static enum class scalar_class(const struct type *type) {
	switch (type->encoding){
		case TYPE_FLOAT : return type->size == 16 ? CLASS_X87 : CLASS_SSE;
		case TYPE_COMPLEX : return type->size == 32 ? CLASS_UNKNOWN : CLASS_SSE;
		case TYPE_QUAD : return CLASS_SSE;
		default : return CLASS_INTEGER;
	}
}

static void add_scalar(const struct type *type, u64 offset, struct abi_value *value)
{
	u64 align = type->encoding == TYPE_COMPLEX ? type->size / 2 : type->size;
	u64 last = offset + type->size - 1;
	enum class class = scalar_class(type);

	value->align = MAX(value->align, MIN(align, 16));
	if (class == CLASS_UNKNOWN)
		merge(&value->whole, class);
	/* Only a packed structure has unaligned members. */
	if (align && offset % align != 0)
		merge(&value->whole, CLASS_MEMORY);
	for (u64 i = offset / 8; i <= last / 8 && i < 2; i++)
		merge(&value->eight[i], class);
}

/* Adds the classes of all scalars in @type, which is at @offset of the value. */
static void add(const struct type *type, u64 offset, struct abi_value *value, u32 depth)
{
	const struct type *stripped = type_strip(type);
	const struct member *members;
	u32 nr;

	if (depth > MAX_LEVELS || value->leaves++ > MAX_LEAVES) {
		merge(&value->whole, CLASS_UNKNOWN);
	} else if (stripped->kind == TYPE_ARRAY) {
		const struct type *element = type_target(stripped);
		u64 step = element->size;

		/* The first elements of a long array are enough to know its alignment. */
		for (u64 at = 0; step && at < stripped->size && at < 2 * step + 16; at += step)
			add(element, offset + at, value, depth + 1);
	} else if (type_is_compound(stripped)) {
		members = type_members(stripped, &nr);
		if (stripped->incomplete)
			merge(&value->whole, CLASS_UNKNOWN);
		for (u32 i = 0; i < nr; i++) {
			u64 at = offset + members[i].offset;

			if (!members[i].bit_size)
				add(members[i].type, at, value, depth + 1);
			else if (at < 16)
				merge(&value->eight[at / 8], CLASS_INTEGER);
		}
	} else if (stripped->size) {
		add_scalar(stripped, offset, value);
	}
}

static void classify(const struct type *type, struct abi_value *value)
{
	const struct type *stripped = type_strip(type);

	memset(value, 0, sizeof(*value));
	value->align = 8;
	value->nr = stripped->size > 8 ? 2 : 1;
	if (stripped->kind == TYPE_ARRAY && stripped->vector) {
		/* For a wider vector, the class depends on the instruction set of the unit, which is not known. */
		value->whole = stripped->size <= 16 ? CLASS_SSE : CLASS_UNKNOWN;
		value->align = 16;
		return;
	}
	if (stripped->kind == TYPE_ARRAY || stripped->kind == TYPE_FUNCTION ||
	    stripped->kind == TYPE_VOID || (!stripped->size && !type_is_compound(stripped))) {
		value->whole = CLASS_UNKNOWN;
		return;
	}
	add(stripped, 0, value, 0);
	if (!type_is_compound(stripped)) {
		if (value->eight[0] == CLASS_X87 || stripped->encoding == TYPE_QUAD)
			value->whole = MAX(value->whole, value->eight[0]);
		return;
	}
	/* A structure with only a long double is returned like the long double. This is rare, so it is left unknown. */
	if (value->eight[0] == CLASS_X87 || value->eight[1] == CLASS_X87)
		merge(&value->whole, stripped->size <= 16 ? CLASS_UNKNOWN : CLASS_MEMORY);
	if (stripped->size > 16)
		merge(&value->whole, CLASS_MEMORY);
}

/* C++ objects with their own copy or destroy functions are passed by their address. */
static bool by_reference(const struct type *type)
{
	return type_passed_by_reference(type_strip(type));
}

struct assignment {
	struct abi_part *parts;
	u32 nr, max;
	u32 integers, vectors; /* registers in use */
	u64 stack;
};

static bool put(struct assignment *a, struct abi_part part)
{
	if (a->nr == a->max)
		return false;
	a->parts[a->nr++] = part;
	return true;
}

static bool put_integer(struct assignment *a, struct abi_part part)
{
	if (a->integers < ARRAY_SIZE(integer_registers)) {
		part.reg = integer_registers[a->integers++];
	} else {
		part.reg = ABI_STACK;
		part.stack = (s32)a->stack;
		a->stack += 8;
	}
	return put(a, part);
}

static bool put_on_stack(struct assignment *a, u32 param, u64 size, u64 align)
{
	struct abi_part part = { .param = param, .size = (u32)size, .reg = ABI_STACK };

	if (align > 8)
		a->stack = (a->stack + align - 1) / align * align;
	if (size > (1 << 30) || a->stack > (1 << 30))
		return false;
	part.stack = (s32)a->stack;
	a->stack += (size + 7) / 8 * 8;
	return put(a, part);
}

/*
 * Puts the value in registers or on the stack, never partly in both. struct s of the example above, as the first
 * parameter: parts { offset 0, size 8, xmm0 } and { offset 8, size 8, rdi }.
 */
static bool put_eights(struct assignment *a, u32 param, u64 size, const struct abi_value *value)
{
	u32 integers = 0, vectors = 0;

	for (u32 i = 0; i < value->nr; i++) {
		integers += value->eight[i] == CLASS_INTEGER;
		vectors += value->eight[i] == CLASS_SSE;
	}
	if (a->integers + integers > ARRAY_SIZE(integer_registers) || a->vectors + vectors > NR_XMM)
		return put_on_stack(a, param, size, value->align);
	for (u32 i = 0; i < value->nr; i++) {
		struct abi_part part = { .param = param, .offset = i * 8 };

		part.size = (u32)MIN(size - part.offset, 8);
		if (value->eight[i] == CLASS_INTEGER) {
			if (!put_integer(a, part))
				return false;
		} else if (value->eight[i] == CLASS_SSE) {
			part.reg = (u8)(XMM0 + a->vectors++);
			if (!put(a, part))
				return false;
		}
	}
	return true;
}

static bool put_parameter(struct assignment *a, u32 param, const struct type *type)
{
	struct abi_value value;
	u64 size = type_strip(type)->size;

	if (by_reference(type))
		return put_integer(a,
				   (struct abi_part){ .param = param, .size = 8, .address = true });
	if (type_is_compound(type_strip(type)) && !size && !type_strip(type)->incomplete)
		return true; /* C's empty structure takes no register and no stack */
	classify(type, &value);
	switch (value.whole) {
	case CLASS_NONE:
		return put_eights(a, param, size, &value);
	case CLASS_MEMORY:
	case CLASS_X87:
		return put_on_stack(a, param, size, value.align);
	case CLASS_SSE:
		if (a->vectors == NR_XMM)
			return put_on_stack(a, param, size, value.align);
		return put(a, (struct abi_part){ .param = param,
						 .size = (u32)size,
						 .reg = (u8)(XMM0 + a->vectors++) });
	default:
		return false;
	}
}

/* A u128 takes two registers. If fewer are left, it is on the stack; a later parameter can use the one that is left. */
static bool put_rust_scalar(struct assignment *a, u32 param, const struct rust_scalar *scalar)
{
	struct abi_part part = { .param = param };

	if (!scalar->vector && scalar->size == 16 &&
	    a->integers + 2 > ARRAY_SIZE(integer_registers)) {
		if (!put_on_stack(a, param, 16, 16))
			return false;
		a->parts[a->nr - 1].offset = (u32)scalar->offset;
		return true;
	}
	for (u64 at = 0; at < scalar->size; at += 8) {
		part.offset = (u32)(scalar->offset + at);
		part.size = (u32)MIN(scalar->size - at, 8);
		if (scalar->vector && a->vectors == NR_XMM)
			return false;
		part.reg = (u8)(XMM0 + a->vectors);
		a->vectors += scalar->vector;
		if (!(scalar->vector ? put : put_integer)(a, part))
			return false;
	}
	return true;
}

/*
 * Two scalars take two registers, other values of up to eight bytes one register, and all others are passed by address.
 */
static bool put_rust(struct assignment *a, u32 param, const struct type *type)
{
	struct abi_part part = { .param = param, .size = (u32)MIN(type->size, 8) };
	struct rust_value value;

	rust_value_of(type, &value);
	switch (value.form) {
	case RUST_NOTHING:
		return true;
	case RUST_MEMORY:
		part.address = type->size > 8;
		return put_integer(a, part);
	case RUST_SCALARS:
		break;
	default:
		return false;
	}
	for (u32 i = 0; i < value.nr; i++)
		if (!put_rust_scalar(a, param, &value.scalars[i]))
			return false;
	return true;
}

enum returning { RETURNS_NOTHING, RETURNS_IN_REGISTERS, RETURNS_IN_MEMORY, RETURNS_SOMEHOW };

/* More than 16 bytes are never in registers: not even (f64, u128), which would fit in xmm0, rax and rdx. */
static enum returning how_rust_returned(const struct type *type)
{
	struct rust_value value;

	rust_value_of(type, &value);
	switch (value.form) {
	case RUST_NOTHING:
		return RETURNS_NOTHING;
	case RUST_SCALARS:
		return type->size > 16 ? RETURNS_IN_MEMORY : RETURNS_IN_REGISTERS;
	case RUST_MEMORY:
		return type->size > 8 ? RETURNS_IN_MEMORY : RETURNS_IN_REGISTERS;
	default:
		return RETURNS_SOMEHOW;
	}
}

static enum returning how_returned(const struct proto *proto, struct abi_value *value)
{
	const struct type *type = type_strip(proto->returns);

	if (type->kind == TYPE_VOID)
		return RETURNS_NOTHING;
	if (proto->rust)
		return how_rust_returned(type);
	if (by_reference(type))
		return RETURNS_IN_MEMORY;
	if (type_is_compound(type) && !type->size && !type->incomplete)
		return RETURNS_NOTHING;
	classify(type, value);
	if (value->whole == CLASS_UNKNOWN)
		return RETURNS_SOMEHOW;
	return value->whole == CLASS_MEMORY ? RETURNS_IN_MEMORY : RETURNS_IN_REGISTERS;
}

static bool put_any(const struct proto *proto, struct assignment *a, u32 param)
{
	if (!param && proto->this_by_address)
		return put_integer(a,
				   (struct abi_part){ .param = param, .size = 8, .address = true });
	if (proto->rust)
		return put_rust(a, param, type_strip(proto->params[param]));
	return put_parameter(a, param, proto->params[param]);
}

u32 abi_parameters(const struct proto *proto, struct abi_part *parts, u32 max)
{
	struct assignment a = { .parts = parts, .max = max };
	struct abi_value value;

	if (proto->go)
		return abi_go_parameters(proto, parts, max);
	switch (how_returned(proto, &value)) {
	case RETURNS_IN_MEMORY:
		put_integer(&a,
			    (struct abi_part){ .param = ABI_RESULT, .size = 8, .address = true });
		break;
	case RETURNS_SOMEHOW:
		return 0;
	default:
		break;
	}
	for (u32 i = 0; i < proto->nr_params; i++)
		if (!put_any(proto, &a, i))
			break;
	return a.nr;
}

/* (u64, f64): rax, xmm0. u128: rax, rdx. 0: malformed, the members are larger than the value. */
static u32 rust_result(const struct type *type, struct abi_part parts[4])
{
	struct rust_value value;
	u32 nr = 0, nr_integers = 0, nr_vectors = 0;

	rust_value_of(type, &value);
	if (value.form == RUST_MEMORY)
		value = (struct rust_value){ .nr = 1, .scalars = { { .size = type->size } } };
	for (u32 i = 0; i < value.nr; i++) {
		const struct rust_scalar *scalar = &value.scalars[i];

		for (u64 at = 0; at < scalar->size; at += 8) {
			struct abi_part part = { .param = ABI_RESULT };

			if (nr == 4 || (nr_integers == 2 && !scalar->vector))
				return 0;
			part.offset = (u32)(scalar->offset + at);
			part.size = (u32)MIN(scalar->size - at, 8);
			part.reg = scalar->vector ? (u8)(XMM0 + nr_vectors++)
						  : integers_of_result[nr_integers++];
			parts[nr++] = part;
		}
	}
	return nr;
}

u32 abi_result(const struct proto *proto, struct abi_part parts[4])
{
	const struct type *type = type_strip(proto->returns);
	u32 nr = 0, nr_integers = 0, nr_vectors = 0;
	struct abi_value value;

	switch (how_returned(proto, &value)) {
	case RETURNS_IN_MEMORY:
		parts[0] = (struct abi_part){
			.param = ABI_RESULT, .size = 8, .reg = RAX, .address = true
		};
		return 1;
	case RETURNS_IN_REGISTERS:
		break;
	default:
		return 0;
	}
	if (proto->rust)
		return rust_result(type, parts);
	if (value.whole != CLASS_NONE) {
		parts[0] = (struct abi_part){ .param = ABI_RESULT,
					      .size = (u32)type->size,
					      .reg = value.whole == CLASS_X87 ? ST0 : XMM0 };
		return 1;
	}
	for (u32 i = 0; i < value.nr; i++) {
		struct abi_part part = { .param = ABI_RESULT, .offset = i * 8 };

		part.size = (u32)MIN(type->size - part.offset, 8);
		if (value.eight[i] == CLASS_INTEGER)
			part.reg = integers_of_result[nr_integers++];
		else if (value.eight[i] == CLASS_SSE)
			part.reg = (u8)(XMM0 + nr_vectors++);
		else
			continue;
		parts[nr++] = part;
	}
	return nr;
}
