// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Go's ABIInternal. A value is taken apart into its numbers and pointers. Each gets a register of its own, in order:
 *
 *	type node struct { key int32; flags uint16; name string; w float64 }
 *	func f(n node, s []int)		n.key: rax, n.flags: rbx, n.name: rcx and rdi, n.w: xmm0; s: rsi, r8, r9
 *
 * A value of which a part finds no register is on the stack as a whole, and so is an array of two or more elements.
 * Later values may still get registers. Results get registers in the same way, beginning with the first one again.
 *
 *	func g(a [2]int, b int) (x string, err error)	a: CFA + 0; b: rax; x: rax and rbx, err: rcx and rdi
 *
 * Strings, slices and interfaces are structures in Go's debug information, so they need no rule of their own. Maps, channels
 * and functions are pointers.
 */
#include <glib.h>
#include <string.h>

#include "dwarf/abi_go.h"

#define MAX_LEVELS 16
#define NR_VECTORS 15
#define XMM0	   17

static const u8 integers[] = { 0, 3, 2, 5, 4, 8, 9, 10, 11 };

struct sequence {
	struct abi_part *parts;
	u32 nr, max;
	u32 integers, vectors; /* registers in use */
	u64 stack;
};

static bool put(struct sequence *s, u32 param, u64 offset, u64 size, bool vector)
{
	struct abi_part part = { .param = param, .offset = (u32)offset, .size = (u32)size };

	if (s->nr == s->max || size > 8 ||
	    (vector ? s->vectors == NR_VECTORS : s->integers == G_N_ELEMENTS(integers)))
		return false;
	part.reg = vector ? (u8)(XMM0 + s->vectors++) : integers[s->integers++];
	s->parts[s->nr++] = part;
	return true;
}

static bool put_value(struct sequence *s, u32 param, const struct type *type, u64 offset, u32 depth)
{
	const struct type *stripped = type_strip(type);
	const struct member *members;
	u32 nr;

	if (depth > MAX_LEVELS)
		return false;
	if (stripped->kind == TYPE_ARRAY) {
		const struct type *element = type_target(stripped);

		if (!stripped->size)
			return true;
		return element->size == stripped->size &&
		       put_value(s, param, element, offset, depth + 1);
	}
	if (type_is_compound(stripped)) {
		members = type_members(stripped, &nr);
		for (u32 i = 0; i < nr; i++)
			if (!put_value(s, param, members[i].type, offset + members[i].offset,
				       depth + 1))
				return false;
		return !stripped->incomplete;
	}
	if (stripped->encoding == TYPE_COMPLEX)
		return put(s, param, offset, stripped->size / 2, true) &&
		       put(s, param, offset + stripped->size / 2, stripped->size / 2, true);
	return stripped->size &&
	       put(s, param, offset, stripped->size, stripped->encoding == TYPE_FLOAT);
}

static u64 alignment(const struct type *type, u32 depth)
{
	const struct type *stripped = type_strip(type);
	const struct member *members;
	u64 most = 1;
	u32 nr;

	if (depth > MAX_LEVELS)
		return 8;
	if (stripped->kind == TYPE_ARRAY)
		return alignment(type_target(stripped), depth + 1);
	if (!type_is_compound(stripped))
		return stripped->encoding == TYPE_COMPLEX ? stripped->size / 2
							  : CLAMP(stripped->size, 1, 8);
	members = type_members(stripped, &nr);
	for (u32 i = 0; i < nr; i++)
		most = MAX(most, alignment(members[i].type, depth + 1));
	return most;
}

/* False: there is no room for more parts. */
static bool put_any(struct sequence *s, u32 param, const struct type *type)
{
	const struct sequence before = *s;
	u64 size = type_strip(type)->size, align;

	if (put_value(s, param, type, 0, 0))
		return true;
	*s = before;
	align = alignment(type, 0);
	if (s->nr == s->max || size > (1 << 30) || s->stack > (1 << 30))
		return false;
	s->stack = (s->stack + align - 1) / align * align;
	s->parts[s->nr++] = (struct abi_part){
		.param = param, .size = (u32)size, .reg = ABI_STACK, .stack = (s32)s->stack
	};
	s->stack += size;
	return true;
}

static void put_parameters(const struct proto *proto, struct sequence *s)
{
	for (u32 i = 0; i < proto->nr_params; i++) {
		s->integers += proto->dictionary == i + 1;
		if (!put_any(s, i, proto->params[i]))
			break;
	}
}

u32 abi_go_parameters(const struct proto *proto, struct abi_part *parts, u32 max)
{
	struct sequence s = { .parts = parts, .max = max };

	put_parameters(proto, &s);
	return s.nr;
}

u32 abi_go_results(const struct proto *proto, struct abi_part *parts, u32 max)
{
	struct abi_part before[ABI_MAX_PARTS];
	struct sequence s = { .parts = before, .max = G_N_ELEMENTS(before) };

	/* Results on the stack are behind the parameters there. */
	put_parameters(proto, &s);
	s = (struct sequence){ .parts = parts, .max = max, .stack = (s.stack + 7) / 8 * 8 };
	for (u32 i = 0; i < proto->nr_results; i++) {
		u32 nr = s.nr;

		if (!put_any(&s, i, proto->results[i]))
			break;
		if (proto->rest_unknown && s.nr > nr && parts[nr].reg == ABI_STACK)
			s.nr = nr;
	}
	return s.nr;
}

bool abi_go_is_internal(const char *symbol)
{
	return !g_str_has_suffix(symbol, ".abi0");
}
