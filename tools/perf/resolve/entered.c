// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/entered.h"

#include <elf.h>

#include "dso/dso.h"

#define MOST_FUNCTIONS 8
#define MOST_INSNS     4096

/* The functions through which control may have gone since the call, by jumps. */
struct passage {
	struct insn_decoder *decoder;
	const struct code *entry;
	struct dso *dso;
	const struct symbol *functions[MOST_FUNCTIONS];
	u32 nr_functions;
	u32 nr_insns;
	struct insn jump; /* the last of the jumps that may have entered the function */
	u32 nr_jumps;
	bool lost; /* there may be other ways */
};

static bool decode(struct insn_decoder *decoder, struct dso *dso, u64 vaddr, struct insn *insn)
{
	size_t left = 0;
	const u8 *code = dso_code(dso, vaddr, &left);

	return code && left && insn_decode(decoder, code, left, vaddr, insn);
}

/* The function that begins at @vaddr; NULL: none. */
static const struct symbol *function_at(struct dso *dso, u64 vaddr)
{
	const struct symbol *symbol = dso_find_symbol(dso, vaddr);

	return symbol && symbol->start == vaddr && symbol->end > vaddr ? symbol : NULL;
}

static bool enters(const struct passage *p, u64 target)
{
	return p->dso == p->entry->dso && target == p->entry->vaddr;
}

/*
 * The instruction of @size bytes before @end is a call: an indirect one, or of a function of this object. Other bytes that
 * look like a direct call have a target where no function begins.
 */
static bool is_call(const struct passage *p, u64 end, u8 size, struct insn *insn)
{
	return end >= size && decode(p->decoder, p->dso, end - size, insn) && insn->size == size &&
	       insn->flow == INSN_CALL &&
	       (insn->indirect || enters(p, insn->target) || function_at(p->dso, insn->target));
}

static bool find_call(const struct passage *p, u64 end, struct insn *insn)
{
	static const u8 sizes[] = { 5, 2, 3, 4, 6, 7, 8 };

	for (u32 i = 0; i < ARRAY_SIZE(sizes); i++)
		if (is_call(p, end, sizes[i], insn))
			return true;
	return false;
}

static bool is_inside(const struct passage *p, u64 vaddr)
{
	for (u32 i = 0; i < p->nr_functions; i++)
		if (vaddr >= p->functions[i]->start && vaddr < p->functions[i]->end)
			return true;
	return false;
}

static void add_function(struct passage *p, u64 target)
{
	const struct symbol *function = function_at(p->dso, target);

	if (!function || p->nr_functions == MOST_FUNCTIONS)
		p->lost = true;
	else
		p->functions[p->nr_functions++] = function;
}

/* A jump by a register or with an index may stay in its function, as in a switch, or leave it. */
static void take_jump(struct passage *p, const struct insn *insn)
{
	const struct insn_operand *to = &insn->operands[0];

	if (insn->indirect && (to->kind != INSN_MEM || to->mem.index != INSN_NO_REG)) {
		p->lost = true;
	} else if (insn->indirect || enters(p, insn->target)) {
		p->jump = *insn;
		p->nr_jumps++;
	} else if (!is_inside(p, insn->target)) {
		add_function(p, insn->target);
	}
}

static void walk(struct passage *p, const struct symbol *function)
{
	struct insn insn;

	for (u64 at = function->start; at < function->end && !p->lost; at += insn.size) {
		p->lost = ++p->nr_insns > MOST_INSNS || !decode(p->decoder, p->dso, at, &insn);
		if (!p->lost && (insn.flow == INSN_JUMP || insn.flow == INSN_COND))
			take_jump(p, &insn);
	}
}

/* The only jump by which control can have left the called function for the sampled one. */
static enum entered_how find_jump(struct passage *p, u64 called, u64 *vaddr)
{
	add_function(p, called);
	for (u32 i = 0; i < p->nr_functions && !p->lost; i++)
		walk(p, p->functions[i]);
	if (p->lost || p->nr_jumps != 1)
		return ENTERED_UNKNOWN;
	*vaddr = p->jump.vaddr;
	return p->jump.indirect ? ENTERED_LIKELY : ENTERED_BY;
}

enum entered_how entered_find(struct insn_decoder *decoder, const struct code *entry,
			      const struct code *caller, enum entered_evidence evidence, u64 *vaddr)
{
	struct passage p = { .decoder = decoder, .entry = entry };
	struct insn call;

	if (!decoder || !caller || !caller->dso || dso_machine(caller->dso) != EM_X86_64)
		return ENTERED_UNKNOWN;
	p.dso = caller->dso;
	if (!find_call(&p, caller->vaddr, &call)) {
		if (!find_call(&p, caller->vaddr + 1, &call))
			return ENTERED_UNKNOWN;
		evidence = ENTERED_FROM_STACK; /* only an unwinder writes such an address */
	}
	*vaddr = call.vaddr;
	if (!call.indirect && enters(&p, call.target))
		return ENTERED_BY;
	if (evidence == ENTERED_FROM_FRAMES)
		return ENTERED_UNKNOWN;
	return call.indirect ? ENTERED_LIKELY : find_jump(&p, call.target, vaddr);
}
