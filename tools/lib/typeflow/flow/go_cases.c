// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Type switches and assertions of Go. An interface has two words: one tells the type, by a descriptor or an itab, the other is
 * the value, or its address if the type is no pointer. Where the first word was compared, the type of the second is known:
 *
 *	lea  go.itab.main.rect,main.shape(%rip),%rdx
 *	cmp  %rdx,%rax				%rax and %rbx: a main.shape
 *	jne  458187
 *	movsd 0x8(%rbx),%xmm0			%rbx: ADDRESS(main.rect, 0), on this path
 *
 * Which value is the second word? That of the next register of the same parameter or result, or what was loaded from the eight
 * bytes behind the first word.
 */
#include <string.h>

#include "dwarf/abi_go.h"
#include "dwarf/go.h"
#include "typeflow/flow/flow.h"
#include "typeflow/layout/layout.h"

#define LOADS_APART 8 /* instructions between the loads of the two words */

/* "go.itab.*main.rect,main.shape", from Go 1.20 on "go:itab.": the type, and whether it is a pointer to it. */
static const struct type *type_of_itab(const struct flow *flow, u64 vaddr, bool *pointer)
{
	const struct symbol *symbol = dso_find_symbol(flow->object->dso, vaddr);
	const char *name = symbol && symbol->start == vaddr ? symbol->raw : NULL, *end;
	g_autofree char *of = NULL;

	if (!name || (!g_str_has_prefix(name, "go.itab.") && !g_str_has_prefix(name, "go:itab.")))
		return NULL;
	name += strlen("go.itab.");
	*pointer = *name == '*';
	name += *pointer;
	end = strrchr(name, ',');
	if (!end || strchr(name, '['))
		return NULL;
	of = g_strndup(name, (gsize)(end - name));
	return debuginfo_go_named(flow->object->debug, of);
}

/* The value of the second word, if the first one is @word. */
static bool value_of(struct flow *flow, const struct value *word, u32 maker, struct value *value)
{
	bool pointer = false;
	const struct type *type;

	if (word->kind != VALUE_GLOBAL || word->stride)
		return false;
	type = type_of_itab(flow, (u64)word->offset, &pointer);
	if (!type)
		type = go_described(flow, word);
	if (!type)
		return false;
	if (!pointer)
		*value = transfer_typed(flow, type, 0, 8, ACCESS_FLOW, maker);
	/* What is as large as a pointer and is none has an address, too. */
	if (pointer || value->kind != VALUE_ADDRESS || type_strip(type)->size != 8)
		*value = (struct value){
			.kind = VALUE_ADDRESS, .detail = ACCESS_FLOW, .maker = maker, .type = type
		};
	return layout_is_object(value->type);
}

static u32 second_parameter(const struct flow *flow, u8 reg)
{
	struct abi_part parts[ABI_MAX_PARTS];
	u32 nr = flow->proto && flow->proto->go
			 ? abi_go_parameters(flow->proto, parts, ARRAY_SIZE(parts))
			 : 0;

	for (u32 i = 0; i + 1 < nr; i++)
		if (parts[i].reg == reg && parts[i + 1].param == parts[i].param &&
		    parts[i + 1].offset == parts[i].offset + 8 && parts[i + 1].reg < STATE_REGS)
			return maker_entry(flow->infer, parts[i + 1].reg);
	return 0;
}

static bool is_load(const struct insn *insn)
{
	return insn->op == INSN_MOV && insn->nr_operands == 2 &&
	       insn->operands[0].kind == INSN_REG && insn->operands[1].kind == INSN_MEM &&
	       insn->operands[1].width == 8 && insn->operands[1].mem.index == INSN_NO_REG;
}

/* None of the instructions [@from, @to) writes @reg. */
static bool keeps_register(const struct flow *flow, u32 from, u32 to, u8 reg)
{
	for (u32 i = from; i < to; i++) {
		const struct insn *insn = &flow->cfg->insns[i];

		if (insn->flow == INSN_CALL)
			return false;
		for (u32 k = 0; k < insn->nr_operands; k++)
			if (insn->operands[k].kind == INSN_REG && insn->operands[k].reg == reg &&
			    insn->operands[k].access & INSN_WRITE)
				return false;
	}
	return true;
}

static u32 second_load(const struct flow *flow, u32 first)
{
	const struct insn *insns = flow->cfg->insns;
	const struct insn_mem *mem = &insns[first].operands[1].mem;
	u32 low = first > LOADS_APART ? first - LOADS_APART : 0;

	for (u32 i = low; i < flow->cfg->nr && i <= first + LOADS_APART; i++) {
		const struct insn_mem *other = &insns[i].operands[1].mem;

		if (i != first && is_load(&insns[i]) && other->base == mem->base &&
		    other->segment == mem->segment && other->disp == mem->disp + 8 &&
		    flow->cfg->block_of[i] == flow->cfg->block_of[first] &&
		    keeps_register(flow, MIN(i, first), MAX(i, first), mem->base))
			return maker_insn(i, 0);
	}
	return 0;
}

/* The maker of the second word, by that of the first one; 0: not known. */
static u32 second_of(const struct flow *flow, u32 maker)
{
	u8 reg = maker_is_entry(flow->infer, maker);
	u32 insn = maker_is_insn(flow->infer, maker);

	if (reg != INSN_NO_REG)
		return second_parameter(flow, reg);
	if (insn == CFG_NONE)
		return 0;
	if (is_load(&flow->cfg->insns[insn]))
		return second_load(flow, insn);
	return flow->cfg->insns[insn].flow == INSN_CALL && maker == maker_insn(insn, 0)
		       ? maker_insn(insn, 1)
		       : 0;
}

/* The comparison before the jump that ends the block. */
static u32 comparison(const struct flow *flow, const struct block *block)
{
	u32 at = block->end - 1;

	while (at-- > block->first && flow->cfg->insns[at].op == INSN_NOP)
		;
	return at + 1 > block->first && flow->cfg->insns[at].op == INSN_CMP ? at : CFG_NONE;
}

bool go_find_case(struct flow *flow, const struct block *block, struct go_case *found)
{
	const struct insn *jump = &flow->cfg->insns[block->end - 1], *compare;
	u32 at, target;

	if (block->nr_next != 2 || jump->flow != INSN_COND ||
	    (jump->cond != INSN_COND_E && jump->cond != INSN_COND_NE) || !flow->go)
		return false;
	at = comparison(flow, block);
	compare = at == CFG_NONE ? NULL : &flow->cfg->insns[at];
	if (!compare || compare->nr_operands != 2 || compare->operands[0].kind != INSN_REG ||
	    compare->operands[1].kind != INSN_REG || compare->operands[0].width != 8)
		return false;
	for (u32 i = 0; i < 2; i++) {
		const struct value *word = &flow->now->regs[compare->operands[i].reg];
		const struct value *other = &flow->now->regs[compare->operands[1 - i].reg];

		if (!value_of(flow, word, maker_insn(at, 0), &found->value))
			continue;
		found->maker = other->offset || other->stride ? 0 : second_of(flow, other->maker);
		target = cfg_find(flow->cfg, jump->target);
		if (!found->maker || target == CFG_NONE)
			return false;
		target = flow->cfg->block_of[target];
		found->equal = jump->cond == INSN_COND_E;
		found->target = target;
		return true;
	}
	return false;
}

static bool is_word(const struct value *value, u32 maker)
{
	return value->maker == maker && !value->offset && !value->stride &&
	       (value->kind == VALUE_SYMBOL ||
		(value->kind == VALUE_ADDRESS && value->detail != ACCESS_VARIABLE));
}

void go_enter_case(struct state *state, const struct go_case *found)
{
	for (u8 reg = 0; reg < state->nr_regs; reg++)
		if (is_word(&state->regs[reg], found->maker))
			state->regs[reg] = found->value;
	for (u32 i = 0; i < state->nr_slots; i++)
		if (is_word(&state->slots[i].value, found->maker))
			state->slots[i].value = found->value;
}
