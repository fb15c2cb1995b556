// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The effects of a call: its arguments are uses, caller-saved registers are clobbered, the result has the return
 * type.
 *
 *	struct node *find(struct tree *, long);
 *
 *	mov %rbx,%rdi		%rbx: a SYMBOL
 *	call find		use of %rbx: an argument of type struct tree *; %rax, %rcx, %rdx ... become unknown
 *				%rax: ADDRESS(struct node, 0), how CALL; %rbx keeps its value
 *
 * Slots of the frame survive a call, unless their address escaped before (escape.c).
 */
#include <string.h>

#include "base/search.h"
#include "dwarf/abi.h"
#include "typeflow/flow/flow.h"
#include "typeflow/layout/layout.h"

/* The type of the object that is passed by address in @part, or NULL. */
static const struct type *passed_object(const struct proto *proto, const struct abi_part *part)
{
	if (!part->address)
		return NULL;
	return part->param == ABI_RESULT ? proto->returns : proto->params[part->param];
}

/*
 * A parameter that no variable or parameter entry describes: the result's address, or `this`. In a translation of BTF,
 * none has a place, and in Go not all, so all parameters are taken from the prototype.
 */
static bool is_hidden(const struct proto *proto, const struct abi_part *part)
{
	return part->param == ABI_RESULT || (!part->param && proto->has_this);
}

/* A thunk is called with the address of a base; the class contains that base at this_offset. */
static void enter_thunk(struct flow *flow, const struct abi_part *part, struct value *value)
{
	struct value typed = transfer_typed(flow, flow->proto->params[part->param], 0, 8,
					    ACCESS_FLOW, value->maker);

	if (typed.kind != VALUE_ADDRESS)
		return;
	typed.offset = flow->this_offset;
	*value = typed;
}

/* A parameter on the stack is in a slot above the return address, which is at CFA-8. */
static void enter_slot(struct flow *flow, struct state *state, const struct abi_part *part)
{
	struct value value;

	if (part->param == ABI_RESULT || part->address || part->size != 8)
		return;
	value = transfer_typed(flow, flow->proto->params[part->param], part->offset, 8, ACCESS_FLOW,
			       0);
	if (value.kind == VALUE_ADDRESS)
		state_set_slot(state, part->stack, &value);
}

void call_entry(struct flow *flow, struct state *state)
{
	struct abi_part parts[ABI_MAX_PARTS];
	const struct proto *proto = flow->proto;
	bool by_abi = (flow->facts->vars && flow->facts->vars->by_btf) || (proto && proto->go);
	u32 nr;

	go_enter(flow, state);
	if (!proto || flow->altered || (proto->go && !flow->go))
		return;
	nr = abi_parameters(proto, parts, ARRAY_SIZE(parts));
	for (u32 i = 0; i < nr; i++) {
		const struct abi_part *part = &parts[i];
		const struct type *object = passed_object(proto, part);
		struct value value;

		if (part->reg < STATE_REGS && !part->param && flow->this_offset)
			enter_thunk(flow, part, &state->regs[part->reg]);
		if (part->reg == ABI_STACK && by_abi)
			enter_slot(flow, state, part);
		if (part->reg >= STATE_REGS || (!by_abi && !is_hidden(proto, part)))
			continue;
		value = state->regs[part->reg];
		if (object && layout_is_object(object))
			value = (struct value){ .kind = VALUE_ADDRESS,
						.detail = ACCESS_FLOW,
						.maker = value.maker,
						.type = object };
		else if (!object && (proto->rust || by_abi) && part->size == 8)
			value = transfer_typed(flow, proto->params[part->param], part->offset, 8,
					       ACCESS_FLOW, value.maker);
		if (value.kind == VALUE_ADDRESS)
			state->regs[part->reg] = value;
	}
}

/* A Rust reference: nobody writes beyond its target. */
static bool is_exact(const struct type *type)
{
	return type->kind == TYPE_POINTER && *type->name == '&';
}

/* The bytes that the callee may write at the address passed in @part; 0: not known. */
static u64 reach_of_argument(const struct proto *proto, const struct abi_part *part)
{
	const struct type *object = passed_object(proto, part), *pointer;
	bool ambiguous;

	if (object)
		return object->size;
	if (part->param == ABI_RESULT)
		return 0;
	pointer = layout_content(proto->params[part->param], part->offset, 8, &ambiguous);
	/* A pointer of Go's, but not one in a slice or a string, is as exact. */
	if (!pointer ||
	    (!is_exact(pointer) && !(proto->go && *pointer->name == '*' &&
				     part->size == type_strip(proto->params[part->param])->size)) ||
	    !layout_is_object(type_target(pointer)))
		return 0;
	return type_target(pointer)->size;
}

static void escape_arguments(struct flow *flow, const struct callee *callee)
{
	/* The first six are C's, all are Go's. */
	static const u8 passing[] = { X86_RDX, X86_RDI, X86_RSI, X86_RCX, X86_R8,
				      9,       X86_RAX, X86_RBX, 10,	  11 };
	struct abi_part parts[ABI_MAX_PARTS];
	u64 reach[STATE_REGS] = { 0 };
	bool stack = false;
	u32 nr = 0, nr_passing = flow->go ? ARRAY_SIZE(passing) : 6;

	for (u32 i = 0; i < nr_passing; i++)
		stack |= flow->now->regs[passing[i]].kind == VALUE_STACK;
	if (!stack)
		return;
	if (flow->of_go && go_only_reads(callee))
		return;
	if (callee->proto && !callee->altered)
		nr = abi_parameters(callee->proto, parts, ARRAY_SIZE(parts));
	/* In Go, mostly all parameters are known. What the other registers have is left from before. */
	if (callee->proto && callee->proto->go && !callee->proto->rest_unknown)
		nr_passing = 0;
	for (u32 i = 0; i < nr; i++) {
		if (parts[i].reg >= STATE_REGS)
			continue;
		reach[parts[i].reg] = reach_of_argument(callee->proto, &parts[i]);
		if (callee->proto->go)
			escape_address(flow, &flow->now->regs[parts[i].reg], reach[parts[i].reg]);
	}
	for (u32 i = 0; i < nr_passing; i++)
		escape_address(flow, &flow->now->regs[passing[i]], reach[passing[i]]);
}

/*
 * Records each argument as a use: the parameter's type is the value's type. @stack_shift: bytes from the stack
 * pointer to the first argument on the stack: 0 before a call, 8 before a tail call, where the return address is on
 * the stack.
 *
 * Only pointers in one register or slot are recorded, also those inside of a small structure that is passed in
 * registers.
 */
static void note_arguments(struct flow *flow, const struct callee *callee, s64 stack_shift)
{
	struct abi_part parts[ABI_MAX_PARTS];
	const struct value *rsp = &flow->now->regs[X86_RSP];
	u32 nr;

	if (!flow->noting || !callee->proto || callee->altered)
		return;
	nr = abi_parameters(callee->proto, parts, ARRAY_SIZE(parts));
	for (u32 i = 0; i < nr; i++) {
		const struct abi_part *part = &parts[i];
		const struct type *type;
		const struct value *value;
		struct value typed;

		if (callee->proto->gaps && !is_hidden(callee->proto, part))
			continue;
		if (part->param == ABI_RESULT) {
			type = callee->proto->returns;
			if (part->reg < STATE_REGS)
				infer_use(flow->infer, &flow->now->regs[part->reg], type, 0,
					  USE_ARGUMENT);
			continue;
		}
		type = callee->proto->params[part->param];
		if (part->reg == ABI_STACK)
			value = rsp->kind == VALUE_STACK
					? state_slot(flow->now,
						     rsp->offset + part->stack + stack_shift)
					: NULL;
		else
			value = part->reg < STATE_REGS ? &flow->now->regs[part->reg] : NULL;
		if (!value)
			continue;
		if (part->address) {
			infer_use(flow->infer, value, type, 0, USE_ARGUMENT);
			continue;
		}
		if (part->size != 8)
			continue;
		typed = transfer_typed(flow, type, part->offset, 8, ACCESS_CALL, 0);
		if (typed.kind == VALUE_ADDRESS)
			infer_use(flow->infer, value, typed.type, 0, USE_ARGUMENT);
	}
}

/* The argument of __tls_get_addr points to two GOT slots: the module, and the offset in its TLS block. */
static bool tls_address(struct flow *flow, const struct value *argument, u32 maker,
			struct value *value)
{
	struct data_image *image = flow->object->image;
	const struct reloc_slot *slot;
	u64 offset;
	size_t left;
	const u8 *bytes;

	if (argument->kind != VALUE_GLOBAL || argument->stride)
		return false;
	slot = data_image_slot(image, (u64)argument->offset);
	if (!slot || slot->kind != SLOT_TLS_MODULE)
		return false;
	if (slot->symbol && *slot->symbol) {
		*value = transfer_tls_gap(flow, slot, maker);
		if (value->kind == VALUE_TLS_GAP)
			value->kind = value->type ? VALUE_ADDRESS : VALUE_TLS;
		return true;
	}
	*value = value_const(0, maker);
	value->kind = VALUE_TLS;
	value->detail = ACCESS_TLS;
	bytes = dso_code(flow->object->dso, (u64)argument->offset + 8, &left);
	if (!bytes || left < 8)
		return false;
	memcpy(&offset, bytes, 8);
	value->offset = (s64)offset;
	return true;
}

/* call *(%rax), with %rax = the address of a TLS descriptor: it changes only %rax. */
static bool tls_descriptor(struct flow *flow, const struct insn *insn)
{
	struct data_image *image = flow->object->image;
	const struct insn_operand *op = &insn->operands[0];
	const struct value *rax = &flow->now->regs[X86_RAX];
	const struct reloc_slot *slot;

	if (!insn->nr_operands || op->kind != INSN_MEM || op->mem.base != X86_RAX || op->mem.disp ||
	    rax->kind != VALUE_GLOBAL)
		return false;
	slot = data_image_slot(image, (u64)rax->offset);
	if (!slot || slot->kind != SLOT_TLSDESC)
		return false;
	transfer_set(flow, X86_RAX, transfer_tls_gap(flow, slot, maker_insn(flow->insn, 0)));
	return true;
}

/*
 * gcc keeps values in caller-saved registers across a call, if it has compiled the callee before and the callee does
 * not change them (-fipa-ra):
 *
 *	movzwl 2(%r9),%edi; call square; movzbl 1(%r9),%esi
 *
 * Code that reads such a register after the call relies on that, unless it is a result register. A register that is
 * not read may keep its old value here.
 */
static bool keeps_others(const struct flow *flow, const struct insn *insn)
{
	return insn->target && flow->facts->vars && flow->facts->vars->knows_callees &&
	       !flow->object->kernel && callee_itself(flow->object, insn->target)->proto;
}

/*
 * setjmp() returns again. Then volatile variables have what was stored before longjmp(). All others have what they had
 * at the first return, because C forbids to read those that were changed in between.
 *
 *	void *volatile slot = &first;		slot CFA-24: GLOBAL first
 *	if (setjmp(env) == 0) { slot = b; leap(); }
 *	((struct to *)slot)->k			slot CFA-24: not known; it is b
 */
static void drop_volatile(struct flow *flow)
{
	struct state *now = flow->now;
	const struct variable *variable;
	s64 into;

	for (u32 i = now->nr_slots; i-- > 0;) {
		variable = operand_frame(flow, now->slots[i].offset, 1, &into);
		if (variable && variable->is_volatile)
			state_drop_slots(now, now->slots[i].offset, 1);
	}
}

static void clobber(struct flow *flow, const struct insn *insn)
{
	static const u8 caller_saved[] = { X86_RAX, X86_RDX, X86_RCX, X86_RSI, X86_RDI,
					   X86_R8,  9,	     10,      11 };
	u32 nr = keeps_others(flow, insn) ? 2 : ARRAY_SIZE(caller_saved);
	static const u8 go_saved[] = { X86_RBX, 12, 13, 15 };
	const struct func_vars *vars = flow->facts->vars;

	for (u32 i = 0; i < nr; i++)
		flow->now->regs[caller_saved[i]] = value_symbol(ACCESS_CLOBBERED, 0);
	for (u32 i = 0; vars && vars->go && i < ARRAY_SIZE(go_saved); i++)
		flow->now->regs[go_saved[i]] = value_symbol(ACCESS_CLOBBERED, 0);
	for (u32 reg = X86_XMM0; reg < flow->now->nr_regs; reg++)
		flow->now->regs[reg] = value_symbol(ACCESS_CLOBBERED, 0);
	escape_drop(flow, 0, insn->indirect);
}

/*
 * The result of a function that returns one of its arguments, from the arguments before the call.
 *
 *	memset(n, 0, 16)		%rdi: ADDRESS(struct node, 0)		the same
 *	strchr(n->name, ':')		%rdi: ADDRESS(struct node, 16)		ADDRESS(struct node, 16, stride 1)
 *	bsearch(&k, t, nr, 24, f)	%rsi: ADDRESS(struct item, 0)		ADDRESS(struct item, 0, stride 24)
 *
 * False: the argument is a number, or of unknown size; then the prototype decides.
 */
static bool through(u8 returned, const struct value *args, u32 maker, struct value *value)
{
	struct value step = value_number(NULL, 0);

	if (returned == RETURNS_OWN)
		return false;
	*value = returned == RETURNS_SECOND_INTO ? args[1] : args[0];
	if (value->kind == VALUE_NUMBER)
		return false;
	if (returned == RETURNS_SECOND_INTO) {
		/* bsearch(): only the call knows the size of the elements. */
		if (value->kind != VALUE_ADDRESS || !value->type->size)
			return false;
		step.stride = (u16)MIN(value->type->size, UINT16_MAX);
	}
	if (returned != RETURNS_FIRST)
		*value = value_add(value, &step, maker);
	return true;
}

/* The function fills a structure that its name tells, and gets the memory for it as a void *. */
static bool is_record(const struct flow *flow, const struct callee *callee)
{
	const struct func_vars *vars = flow->facts->vars;
	const struct type *result = callee->proto ? type_strip(callee->proto->returns) : NULL;

	return vars && vars->record && callee->returned == RETURNS_OWN && result &&
	       result->kind == TYPE_POINTER && type_strip(type_target(result))->kind == TYPE_VOID;
}

/*
 * Sets the registers of the result. Up to two of them: struct { struct node *n; long len; } is in %rax and %rdx. A
 * structure in memory: %rax is the address that the caller passed in %rdi. If that is an address in the frame, it is
 * better than the type, for it leads to the variable.
 */
static void set_result(struct flow *flow, const struct callee *callee, const struct value *args)
{
	u32 maker = maker_insn(flow->insn, 0), nr = 0;
	struct abi_part parts[4];
	struct value value;

	transfer_set(flow, X86_RAX, value_symbol(ACCESS_UNTYPED_CALL, maker));
	if (callee->proto && callee->proto->go)
		return;
	if (is_record(flow, callee)) {
		value = (struct value){ .kind = VALUE_ADDRESS,
					.detail = ACCESS_INFERRED,
					.maker = maker,
					.type = flow->facts->vars->record };
		transfer_set(flow, X86_RAX, value);
		return;
	}
	if (through(callee->returned, args, maker, &value)) {
		transfer_set(flow, X86_RAX, value);
		return;
	}
	if (!callee->proto)
		return;
	nr = abi_result(callee->proto, parts);
	for (u32 i = 0; i < nr; i++) {
		if (parts[i].reg >= STATE_REGS)
			continue;
		if (parts[i].address) {
			value = (struct value){ .kind = VALUE_ADDRESS,
						.detail = ACCESS_CALL,
						.maker = maker,
						.type = callee->proto->returns };
			/* The address that the caller passed for the result. */
			if (value_is_address(&args[0]))
				value = args[0];
		} else {
			value = transfer_typed(flow, callee->proto->returns, parts[i].offset,
					       (u16)MIN(parts[i].size, 8), ACCESS_CALL, maker);
		}
		if (value.kind == VALUE_SYMBOL)
			value.detail = ACCESS_UNTYPED_CALL;
		if (parts[i].reg != X86_RAX && value.kind == VALUE_SYMBOL)
			value.maker = maker_insn(flow->insn, 1);
		transfer_set(flow, parts[i].reg, value);
	}
}

void call_transfer(struct flow *flow, const struct insn *insn)
{
	struct callee callee;
	struct value args[2], tls, before[STATE_REGS];
	bool is_tls = false;

	if (tls_descriptor(flow, insn))
		return;
	callee = callee_find(flow, insn);
	if ((flow->of_go && go_keeps(flow, &callee)) || callee.keeps)
		return;
	args[0] = flow->now->regs[X86_RDI];
	args[1] = flow->now->regs[X86_RSI];
	note_arguments(flow, &callee, 0);
	if (flow->go)
		go_note_arguments(flow, &callee);
	if (flow->go)
		memcpy(before, flow->now->regs, sizeof(before));
	if (callee.name && g_str_has_prefix(callee.name, "__tls_get_addr"))
		is_tls = tls_address(flow, &args[0], maker_insn(flow->insn, 0), &tls);
	if (!is_tls)
		escape_arguments(flow, &callee);
	clobber(flow, insn);
	if (callee.twice)
		drop_volatile(flow);
	set_result(flow, &callee, args);
	if (flow->go)
		go_set_results(flow, &callee, before);
	if (is_tls)
		transfer_set(flow, X86_RAX, tls);
}

void call_tail(struct flow *flow, const struct insn *insn)
{
	struct callee callee;

	if (!flow->noting || insn->flow != INSN_JUMP ||
	    (insn->target && cfg_find(flow->cfg, insn->target) != CFG_NONE))
		return;
	callee = callee_find(flow, insn);
	note_arguments(flow, &callee, 8);
}
