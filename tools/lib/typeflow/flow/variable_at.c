// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The variable at a fixed address: in the frame, a global, or a thread-local.
 *
 *	address			looked up				variable
 *	STACK CFA-24		rows of the CFA at -24			t, 8 bytes into it
 *	STACK CFA-24		rows of %rbp (CFA-16) at -8		clang's, whose frame base is %rbp
 *	GLOBAL 0x4048		the debug information at 0x4048		table, 8 bytes into it
 *	TLS 0x10		thread-local variables at 0x10		errors, 0 bytes into it
 *
 * Locations in the frame may be relative to the CFA (gcc) or to a register. For each register that has rows, its
 * present value tells the distance from the CFA. After the stack is realigned (and $-32,%rsp), the CFA's distance is
 * not known: offsets from STATE_REALIGNED on are comparable with each other only, so rows of the CFA are not asked.
 */
#include "typeflow/flow/flow.h"

/* Calls code_facts_frame(), or code_facts_home() for @home. */
static const struct variable *find_frame(struct flow *flow, u8 reg, s64 at, u16 width, bool home,
					 s64 *into)
{
	const struct cfg *cfg = flow->cfg;
	u32 end;

	if (!home)
		return code_facts_frame(flow->facts, reg, at, width, flow->vaddr, into);
	end = g_array_index(cfg->blocks, struct block, cfg->block_of[flow->insn]).end;
	return code_facts_home(flow->facts, reg, at, width, flow->vaddr,
			       cfg->insns[end - 1].vaddr + cfg->insns[end - 1].size, into);
}

static const struct variable *frame_variable(struct flow *flow, s64 offset, u16 width, bool home,
					     s64 *into)
{
	const struct variable *variable = NULL;
	u64 regs = flow->facts->frame_regs;

	if (offset < STATE_REALIGNED / 2)
		variable = find_frame(flow, FACTS_CFA, offset, width, home, into);
	for (u8 reg = 0; !variable && regs; reg++, regs >>= 1) {
		const struct value *value = &flow->now->regs[reg];

		if (regs & 1 && value->kind == VALUE_STACK && !value->stride)
			variable = find_frame(flow, reg, offset - value->offset, width, home, into);
	}
	return variable;
}

/* First the variables that are there at this instruction; then one that will be there (code_facts_home()). */
const struct variable *operand_frame(struct flow *flow, s64 offset, u16 width, s64 *into)
{
	const struct variable *variable = frame_variable(flow, offset, width, false, into);

	/* Another object is in its place, and in the place of all others that have this one home. */
	if (variable && flow->facts->moves && flow->object->debug &&
	    debuginfo_is_before(flow->object->debug, flow->facts->vars, variable, flow->vaddr))
		return NULL;
	return variable ? variable : frame_variable(flow, offset, width, true, into);
}

bool operand_variable(struct flow *flow, const struct value *address, u16 width,
		      const struct type **type, s64 *into, u8 *how)
{
	struct data_image *image = flow->object->image;
	const struct variable *variable;
	struct global global;

	switch (address->kind) {
	case VALUE_STACK:
		variable = operand_frame(flow, address->offset, width, into);
		*type = variable ? variable->type : NULL;
		*how = ACCESS_LOCAL;
		return variable != NULL;
	case VALUE_GLOBAL:
	case VALUE_PERCPU:
		global = data_image_global(image, (u64)address->offset, &flow->asker);
		*how = ACCESS_GLOBAL;
		break;
	case VALUE_TLS:
		global = data_image_thread_local(image, (u64)address->offset, flow->asker.vaddr);
		*how = ACCESS_TLS;
		break;
	default:
		return false;
	}
	*type = global.type;
	*into = (s64)((u64)address->offset - global.start);
	return global.type != NULL;
}

/* With struct item table[8] at 0x4040: GLOBAL 0x4048, stride 16 becomes ADDRESS(struct item[8], 8, stride 16). */
bool operand_as_typed(struct flow *flow, const struct value *address, struct value *typed)
{
	const struct type *type;
	s64 into;
	u8 how;

	if (address->kind == VALUE_ADDRESS) {
		*typed = *address;
		return true;
	}
	if (!operand_variable(flow, address, 1, &type, &into, &how))
		return false;
	*typed = (struct value){
		.kind = VALUE_ADDRESS,
		.detail = how,
		.stride = address->stride,
		.maker = address->maker,
		.type = type,
		.offset = into,
	};
	return true;
}
