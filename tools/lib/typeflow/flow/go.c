// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Go. Its calling convention has results in many registers (dwarf/abi_go.h), and a register for the goroutine:
 *
 *	cmp 0x10(%r14),%rsp	%r14: ADDRESS(runtime.g, 0), in all code but assembly's
 *
 * The runtime's functions have untyped parameters and results. Their callers pass the descriptor of the type, which the
 * debug information knows (dwarf/go.h):
 *
 *	lea 0xb21f(%rip),%rax	the descriptor of main.node
 *	call runtime.newobject	%rax: ADDRESS(main.node, 0)
 *
 * Limits: a descriptor that is loaded (from a dictionary of a generic function) is not known.
 */
#include <string.h>

#include "base/search.h"
#include "dwarf/abi_go.h"
#include "dwarf/go.h"
#include "typeflow/flow/flow.h"
#include "typeflow/layout/layout.h"

#define STORES_LATER  4 /* instructions from the load of a captured variable to its store */
#define WRITE_BARRIER "runtime.gcWriteBarrier"
#define MOST_FILLED   1024 /* bytes that runtime.duffzero fills, or runtime.duffcopy copies */

enum handling {
	MAKES_OBJECT,  /* returns the address of a T */
	MAKES_VALUE,   /* returns a T */
	FINDS_ELEMENT, /* returns the address of an element of a T */
	MOVES,	       /* (T, to, from) */
	CLEARS,	       /* (T, at) */
};

/* By prefix of the name: a descriptor of T is the first argument, or for growslice() of Go 1.20 and later the fifth. */
static const struct {
	const char *name;
	u8 handling;
} handlers[] = {
	{ "runtime.newobject", MAKES_OBJECT },	{ "runtime.makeslice", MAKES_OBJECT },
	{ "runtime.growslice", MAKES_OBJECT },	{ "runtime.convT", MAKES_OBJECT },
	{ "runtime.makechan", MAKES_VALUE },	{ "runtime.makemap", MAKES_VALUE },
	{ "runtime.mapaccess", FINDS_ELEMENT }, { "runtime.mapassign", FINDS_ELEMENT },
	{ "runtime.typedmemmove", MOVES },	{ "runtime.wbMove", MOVES },
	{ "runtime.typedmemclr", CLEARS },	{ "runtime.wbZero", CLEARS },
};

/* out: *@type that it handles. False: it is none of these functions, or its type is not known. */
static bool find_handler(const struct flow *flow, const struct callee *callee,
			 const struct value *regs, u8 *handling, const struct type **type)
{
	if (!callee->name || !g_str_has_prefix(callee->name, "runtime."))
		return false;
	for (u32 i = 0; i < ARRAY_SIZE(handlers); i++) {
		if (!g_str_has_prefix(callee->name, handlers[i].name))
			continue;
		*handling = handlers[i].handling;
		*type = go_described(flow, &regs[X86_RAX]);
		if (!*type)
			*type = go_described(flow, &regs[X86_RSI]);
		return *type;
	}
	return false;
}

static void set_address(struct flow *flow, const struct type *type, u32 maker)
{
	if (type && layout_is_object(type))
		transfer_set(flow, X86_RAX,
			     (struct value){ .kind = VALUE_ADDRESS,
					     .detail = ACCESS_CALL,
					     .maker = maker,
					     .type = type });
}

void go_set_results(struct flow *flow, const struct callee *callee, const struct value *before)
{
	struct abi_part parts[ABI_MAX_PARTS];
	u32 nr = callee->proto && callee->proto->go &&
				 !(callee->name && !abi_go_is_internal(callee->name))
			 ? abi_go_results(callee->proto, parts, ARRAY_SIZE(parts))
			 : 0;
	u32 maker = maker_insn(flow->insn, 0);
	const struct type *type;
	u8 handling;

	for (u32 i = 0; i < nr; i++) {
		struct value value;

		if (parts[i].reg >= STATE_REGS)
			continue;
		value = transfer_typed(flow, callee->proto->results[parts[i].param],
				       parts[i].offset, (u16)parts[i].size, ACCESS_CALL,
				       parts[i].reg == X86_RAX ? maker : maker_insn(flow->insn, 1));
		if (value.kind == VALUE_SYMBOL)
			value.detail = ACCESS_UNTYPED_CALL;
		/* Symbols are told apart by their makers, of which a call has two. */
		if (value.kind == VALUE_SYMBOL && parts[i].reg != X86_RAX &&
		    parts[i].reg != X86_RBX)
			continue;
		transfer_set(flow, parts[i].reg, value);
	}
	if (!find_handler(flow, callee, before, &handling, &type))
		return;
	if (handling == MAKES_OBJECT)
		set_address(flow, type, maker);
	else if (handling == FINDS_ELEMENT)
		set_address(flow, type_go_element(type), maker);
	else if (handling == MAKES_VALUE)
		transfer_set(flow, X86_RAX, transfer_typed(flow, type, 0, 8, ACCESS_CALL, maker));
}

void go_note_arguments(struct flow *flow, const struct callee *callee)
{
	const struct value *regs = flow->now->regs;
	const struct type *type;
	u8 handling;

	if (!flow->noting || !flow->go || !find_handler(flow, callee, regs, &handling, &type))
		return;
	if (handling != MOVES && handling != CLEARS)
		return;
	infer_use(flow->infer, &regs[X86_RBX], type, 0, USE_ARGUMENT);
	if (handling == MOVES)
		infer_use(flow->infer, &regs[X86_RCX], type, 0, USE_ARGUMENT);
}

void go_note_results(struct flow *flow)
{
	const struct proto *proto = flow->proto;
	struct abi_part parts[ABI_MAX_PARTS];
	u32 nr;

	if (!flow->noting || !proto || !proto->go || !flow->go)
		return;
	nr = abi_go_results(proto, parts, ARRAY_SIZE(parts));
	for (u32 i = 0; i < nr; i++) {
		struct value typed;

		if (parts[i].reg >= STATE_REGS || parts[i].size != 8)
			continue;
		typed = transfer_typed(flow, proto->results[parts[i].param], parts[i].offset, 8,
				       ACCESS_CALL, 0);
		if (typed.kind == VALUE_ADDRESS)
			infer_use(flow->infer, &flow->now->regs[parts[i].reg], typed.type, 0,
				  USE_STORED);
	}
}

/*
 * The variable that has the value of @reg behind the instruction @nth. Unoptimized code stores it into the variable's place first.
 *
 *	mov 0x8(%rdx),%rcx
 *	mov %rcx,0x10(%rsp)	the variable at 0x10(%rsp)
 */
static const struct variable *loaded(struct flow *flow, u32 nth, u8 reg, u16 width, s64 *into)
{
	const struct func_vars *vars = flow->facts->vars;
	const struct insn *insn = &flow->cfg->insns[nth];
	const struct variable *variable = NULL;
	u64 behind = insn->vaddr + insn->size;
	u32 at = SEARCH(i, 0, vars->nr_locations, vars->locations[i].low < behind);

	for (; at < vars->nr_locations && vars->locations[at].low == behind; at++) {
		const struct location *l = &vars->locations[at];

		if (l->kind != LOCATION_REG || l->reg != reg)
			continue;
		*into = l->piece_offset;
		return &vars->variables[l->variable];
	}
	for (u32 i = nth + 1; i < flow->cfg->nr && i <= nth + STORES_LATER; i++) {
		const struct insn *next = &flow->cfg->insns[i];
		struct value to;

		if (next->op != INSN_MOV || next->nr_operands != 2)
			break;
		if (next->operands[0].kind != INSN_MEM || next->operands[1].kind != INSN_REG ||
		    next->operands[1].reg != reg)
			continue;
		to = transfer_address(flow, next, &next->operands[0]);
		flow->vaddr = next->vaddr + next->size;
		if (to.kind == VALUE_STACK && !to.stride)
			variable = operand_frame(flow, to.offset, width, into);
		flow->vaddr = insn->vaddr;
		break;
	}
	return variable;
}

/* A pointer that is only passed on: its later uses tell what it points to. */
static const struct type *used_as(struct flow *flow)
{
	struct value value = value_symbol(ACCESS_COMPUTED, maker_insn(flow->insn, 0));

	infer_apply(flow->infer, &value);
	return value.kind == VALUE_ADDRESS && !value.offset && !value.stride
		       ? type_pointer_to(value.type)
		       : NULL;
}

/*
 * "&x" is a variable whose address the closure has (captured by reference: a load before the first location), or one that is in
 * the closure itself and whose address is taken there.
 *
 *	lea 0x10(%rdx),%rbx	&answer is in %rbx from here on; answer is in the closure, at 0x10
 *	mov 0x18(%rdx),%rcx	&read is in %rcx from here on, and in the closure, at 0x18
 */
static bool is_in_closure(const struct flow *flow, u32 variable)
{
	const struct func_vars *vars = flow->facts->vars;
	const struct variable *v = &vars->variables[variable];

	if (!v->name || *v->name != '&' || type_strip(v->type)->kind != TYPE_POINTER)
		return false;
	for (u32 i = 0; i < vars->nr_locations; i++) {
		u32 at = vars->locations[i].variable == variable
				 ? cfg_find(flow->cfg, vars->locations[i].low)
				 : CFG_NONE;

		/* Unoptimized code stores it before it is there. */
		for (u32 k = 1; at != CFG_NONE && k <= MIN(at, 2); k++) {
			const struct insn *insn = &flow->cfg->insns[at - k];

			if (insn->op == INSN_LEA && insn->operands[1].mem.base == X86_RDX &&
			    insn->operands[1].mem.disp == v->captured)
				return true;
		}
	}
	return false;
}

static const struct type *captured(const struct flow *flow, s64 offset, s64 *into)
{
	const struct func_vars *vars = flow->facts->vars;

	for (u32 i = 0; i < vars->nr_variables; i++) {
		const struct variable *v = &vars->variables[i];
		const struct type *type = v->type;

		if (!v->captured)
			continue;
		if (is_in_closure(flow, i))
			type = type_target(type_strip(type));
		*into = offset - v->captured;
		if (*into >= 0 && (u64)*into < type_strip(type)->size)
			return type;
	}
	return NULL;
}

bool go_captured(struct flow *flow, const struct insn *insn, const struct insn_operand *op,
		 const struct value *address, struct access *out)
{
	const struct variable *variable = NULL;
	const struct type *type;
	s64 into = 0;
	u8 how = ACCESS_VARIABLE;

	if (!go_is_context(flow, address) || address->offset < 8)
		return false;
	type = captured(flow, address->offset, &into);
	if (!type && insn->op == INSN_MOV && op->access == INSN_READ &&
	    insn->operands[0].kind == INSN_REG) {
		variable = loaded(flow, flow->insn, insn->operands[0].reg, op->width, &into);
		type = variable ? variable->type : NULL;
		how = ACCESS_INFERRED;
	}
	out->type = type ? type : op->width == 8 ? used_as(flow) : NULL;
	if (!type)
		how = ACCESS_INFERRED;
	if (!out->type || into < 0 || (u64)into + op->width > type_strip(out->type)->size) {
		out->type = NULL;
		return false;
	}
	out->offset = into;
	out->how = how;
	out->why = ACCESS_WHY_NONE;
	return true;
}

/* From Go 1.21 on, the write barrier returns the address of words in a buffer, for the pointers to be noted. */
static void set_buffer(struct flow *flow)
{
	const struct type *word = debuginfo_go_named(flow->object->debug, "uintptr");

	if (word)
		transfer_set(flow, 11,
			     (struct value){ .kind = VALUE_ADDRESS,
					     .detail = ACCESS_CALL,
					     .maker = maker_insn(flow->insn, 1),
					     .stride = 8,
					     .type = word });
}

bool go_keeps(struct flow *flow, const struct callee *callee)
{
	const struct value *to = &flow->now->regs[X86_RDI];

	if (callee->name && g_str_has_prefix(callee->name, "runtime.morestack")) {
		/* It ends in a jump to the function's entry. These two are its caller's scratch registers. */
		flow->now->regs[12] = value_symbol(ACCESS_CLOBBERED, 0);
		flow->now->regs[13] = value_symbol(ACCESS_CLOBBERED, 0);
		return true;
	}
	if (callee->name && g_str_has_prefix(callee->name, WRITE_BARRIER) &&
	    g_ascii_isdigit(callee->name[strlen(WRITE_BARRIER)])) {
		set_buffer(flow);
		return true;
	}
	if (!callee->name || !g_str_has_prefix(callee->name, "runtime.duff"))
		return false;
	if (to->kind == VALUE_STACK)
		state_drop_slots(flow->now, to->offset, MOST_FILLED);
	return true;
}
