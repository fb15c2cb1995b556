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

/* True if the frame's variables may be described by @reg's value: its distance from the CFA is known. */
static bool is_base(const struct flow *flow, u8 reg)
{
	const struct value *value = &flow->now->regs[reg];

	return value->kind == VALUE_STACK && !value->stride;
}

static const struct variable *frame_variable(struct flow *flow, s64 offset, u16 width, bool home,
					     s64 *into)
{
	const struct variable *variable = NULL;

	if (offset < STATE_REALIGNED / 2)
		variable = find_frame(flow, FACTS_CFA, offset, width, home, into);
	for (u64 regs = flow->facts->frame_regs; !variable && regs; regs &= regs - 1) {
		u8 reg = (u8)__builtin_ctzll(regs);

		if (is_base(flow, reg))
			variable = find_frame(flow, reg, offset - flow->now->regs[reg].offset,
					      width, home, into);
	}
	return variable;
}

/* First the variables that are there at this instruction; then one that will be there (code_facts_home()). */
static const struct variable *find(struct flow *flow, s64 offset, u16 width, s64 *into)
{
	const struct variable *variable = frame_variable(flow, offset, width, false, into);

	/* Another object is in its place, and in the place of all others that have this one home. */
	if (variable && flow->facts->moves && flow->object->debug &&
	    debuginfo_is_before(flow->object->debug, flow->facts->vars, variable, flow->vaddr))
		return NULL;
	return variable ? variable : frame_variable(flow, offset, width, true, into);
}

/*
 * An answer of operand_frame(). The question is the instruction, @vaddr, @offset, @width, and the register, if any, by
 * which the frame's variables may be described, with its distance from the CFA.
 */
struct frame_answer {
	u64 vaddr;
	s64 offset, base, into;
	const struct variable *variable;
	u32 insn;
	u16 width;
	u8 reg;
	bool known;
};

/* False: several registers may describe variables, so answers are not kept. */
static bool ask(const struct flow *flow, s64 offset, u16 width, struct frame_answer *ask)
{
	*ask = (struct frame_answer){ .vaddr = flow->vaddr,
				      .offset = offset,
				      .insn = flow->insn,
				      .width = width,
				      .reg = INSN_NO_REG,
				      .known = true };
	for (u64 regs = flow->facts->frame_regs; regs; regs &= regs - 1) {
		u8 reg = (u8)__builtin_ctzll(regs);

		if (!is_base(flow, reg))
			continue;
		if (ask->reg != INSN_NO_REG)
			return false;
		ask->reg = reg;
		ask->base = flow->now->regs[reg].offset;
	}
	return true;
}

static bool is_same(const struct frame_answer *a, const struct frame_answer *b)
{
	return a->known && a->vaddr == b->vaddr && a->offset == b->offset && a->base == b->base &&
	       a->insn == b->insn && a->width == b->width && a->reg == b->reg;
}

/* The place in flow->frames for an answer. A newer one replaces an older one there. */
static struct frame_answer *place_of(struct flow *flow, const struct frame_answer *ask)
{
	u32 at = ask->insn + (u32)ask->offset * 5 + ask->width;

	if (!flow->frames) {
		flow->nr_frames = 16;
		while (flow->nr_frames < flow->cfg->nr)
			flow->nr_frames *= 2;
		flow->frames = g_new0(struct frame_answer, flow->nr_frames);
	}
	return &flow->frames[at & (flow->nr_frames - 1)];
}

/* A block is walked several times, with the same questions. */
const struct variable *operand_frame(struct flow *flow, s64 offset, u16 width, s64 *into)
{
	struct frame_answer answer, *known;

	if (!ask(flow, offset, width, &answer))
		return find(flow, offset, width, into);
	known = place_of(flow, &answer);
	if (!is_same(known, &answer)) {
		answer.variable = find(flow, offset, width, &answer.into);
		*known = answer;
	}
	*into = known->into;
	return known->variable;
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
		*how = variable && variable->guessed ? ACCESS_INFERRED : ACCESS_LOCAL;
		return variable != NULL;
	case VALUE_GLOBAL:
	case VALUE_PERCPU:
		global = data_image_global(image, (u64)address->offset, &flow->asker);
		*how = global.guessed ? ACCESS_INFERRED : ACCESS_GLOBAL;
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
