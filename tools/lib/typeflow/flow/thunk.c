// SPDX-License-Identifier: GPL-2.0-or-later
/* C++ thunks: code that changes `this` from a base to the whole object, then jumps to another function. */
#include <string.h>

#include "dwarf/protos.h"
#include "typeflow/flow/flow.h"

/* Parses "n16" as -16. *@at moves behind the "_" that follows. */
static bool read_offset(const char **at, s64 *offset)
{
	bool negative = **at == 'n';
	char *end;
	u64 number = g_ascii_strtoull(*at + negative, &end, 10);

	if (end == *at + negative || *end != '_' || number > INT32_MAX)
		return false;
	*offset = negative ? -(s64)number : (s64)number;
	*at = end + 1;
	return true;
}

/*
 * A thunk (Itanium C++ ABI, 5.1.4.2) changes `this` and jumps to the function whose name is the end of its own name.
 * It has that function's parameters. The debug information says little or nothing about the thunk itself.
 *
 *	_ZThn16_N5Label4drawEv		sub $16,%rdi
 *	_ZTv0_n32_N6Hybrid4readEv	mov (%rdi),%rax; add -32(%rax),%rdi
 */
void thunk_find(const struct object *object, const char *name, struct flow *flow)
{
	bool is_virtual = g_str_has_prefix(name, "_ZTv");
	const char *at = name + strlen("_ZTv");
	g_autofree char *target = NULL;
	const struct proto *proto;
	s64 offset, in_table = 0;

	if ((!is_virtual && !g_str_has_prefix(name, "_ZTh")) || !read_offset(&at, &offset) ||
	    (is_virtual && (!read_offset(&at, &in_table) || offset || in_table >= 0)) ||
	    (!is_virtual && offset >= 0))
		return;
	target = g_strconcat("_Z", at, NULL);
	proto = debuginfo_proto_named(object->debug, target, flow->asker.vaddr);
	if (!proto || !proto->has_this || !proto->nr_params)
		return;
	flow->proto = proto;
	flow->this_offset = -offset;
	flow->this_virtual = in_table;
}

/* True if @value is the entry's %rdi plus a constant, in a thunk for a virtual base. */
bool thunk_is_this(const struct flow *flow, const struct value *value)
{
	return flow->this_virtual && value->kind == VALUE_SYMBOL && !value->stride &&
	       maker_is_entry(flow->infer, value->maker) == X86_RDI;
}

/*
 * A thunk for a virtual base: the base's virtual table has the distance from the base to the object.
 *
 *	mov (%rdi),%rax
 *	mov -32(%rax),%rcx		the distance
 *	mov 8(%rdi,%rcx),%eax		the object's member at 8
 */
bool thunk_load_gap(struct flow *flow, const struct value *address, u16 width, u32 maker,
		    struct value *value)
{
	if (!flow->this_virtual || width != 8 || address->kind != VALUE_SYMBOL || address->stride)
		return false;
	if (thunk_is_this(flow, address) && !address->offset)
		flow->this_table = maker;
	if (address->maker != flow->this_table || address->offset != flow->this_virtual)
		return false;
	*value = value_const(flow->this_virtual, maker);
	value->kind = VALUE_BASE_GAP;
	return true;
}
