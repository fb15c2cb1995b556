// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Look-ups in the tables of code_facts.c: the variable at a place in the frame, or at a sum of registers.
 *
 *	struct item t;			at CFA-40, 16 bytes, in the whole function [0, 80)
 *	{ long a[4]; ... }		at CFA-72, 32 bytes, scope [20, 48)
 *	{ char name[32]; ... }		the same memory, scope [48, 70)
 *
 *	row	reg	offset	size	reach	low, high	variable
 *	0	CFA	-72	32	-40	20, 48		a
 *	1	CFA	-72	32	-40	48, 70		name
 *	2	CFA	-40	16	-24	0, 80		t
 *
 *	CFA-32 at 30, 8 bytes		row 2: t, offset 8
 *	CFA-60 at 50, 1 byte		row 1: name, offset 12; row 0 covers the offset, but not the instruction
 *	CFA-60 at 78			NULL
 *	CFA-16 at 30			NULL: the search ends at row 2, as no row before it reaches beyond -24
 *
 * Rows may overlap: a structure and its members that were split into variables (SRA), or scopes that share memory.
 */
#include "base/search.h"
#include "typeflow/code/code_facts.h"

/* The last row of @reg that begins at or before @at, plus one. */
static u32 rows_until(const struct code_facts *facts, u8 reg, u32 first, s64 at)
{
	const struct frame_row *rows = (const struct frame_row *)facts->frame->data;

	return SEARCH(i, first, facts->frame->len, rows[i].reg == reg && rows[i].offset <= at);
}

/* A weak description: a part of a variable, or a void pointer. */
static bool is_part(const struct code_facts *facts, const struct frame_row *row)
{
	const struct type *type = type_strip(facts->vars->variables[row->variable].type);

	return row->size < type->size ||
	       (type->kind == TYPE_POINTER && type_strip(type_target(type))->kind == TYPE_VOID);
}

bool code_facts_in_scope(const struct func_vars *vars, const struct variable *variable, u64 vaddr)
{
	for (u32 i = 0; i < variable->nr_scope; i++) {
		const struct range *range = &vars->scopes[variable->scope + i];

		if (vaddr >= range->low && vaddr < range->high)
			return true;
	}
	return false;
}

u8 code_facts_register(const struct code_facts *facts, const struct variable *variable, u64 vaddr)
{
	const struct func_vars *vars = facts->vars;

	for (u32 i = 0; i < vars->nr_locations && vars->locations[i].low <= vaddr; i++) {
		const struct location *l = &vars->locations[i];

		if (&vars->variables[l->variable] == variable && vaddr < l->high &&
		    l->kind == LOCATION_REG && !l->piece_size)
			return l->reg;
	}
	return INSN_NO_REG;
}

/*
 * Compares two variables at the same place; either both or none contain all accessed bytes. If both have this single
 * place, the inner scope wins, because scopes share memory. Otherwise the larger one contains the other.
 */
static bool is_better(const struct code_facts *facts, const struct frame_row *row,
		      const struct frame_row *best, u64 vaddr)
{
	const struct variable *variable = &facts->vars->variables[row->variable];
	const struct variable *known = &facts->vars->variables[best->variable];
	bool in_scope = code_facts_in_scope(facts->vars, variable, vaddr);

	if (row->home && best->home && variable->depth != known->depth)
		return variable->depth > known->depth;
	if (is_part(facts, row) != is_part(facts, best))
		return is_part(facts, best);
	if (row->size != best->size)
		return row->size > best->size;
	if (in_scope != code_facts_in_scope(facts->vars, known, vaddr))
		return in_scope;
	return variable->depth >= known->depth;
}

const struct variable *code_facts_frame(const struct code_facts *facts, u8 reg, s64 at, u16 width,
					u64 vaddr, s64 *offset)
{
	u32 first = reg == FACTS_CFA ? facts->cfa_first : facts->frame_first[reg];
	const struct frame_row *best = NULL;
	bool best_fits = false;

	if (first == CFG_NONE)
		return NULL;
	for (u32 i = rows_until(facts, reg, first, at); i-- > first;) {
		const struct frame_row *row = &g_array_index(facts->frame, struct frame_row, i);
		bool fits;

		if (row->reach <= at)
			break;
		if ((u64)(at - row->offset) >= row->size || vaddr < row->low || vaddr >= row->high)
			continue;
		fits = (u64)(at - row->offset) + width <= row->size;
		if (best && fits == best_fits ? !is_better(facts, row, best, vaddr) : best && !fits)
			continue;
		best = row;
		best_fits = fits;
	}
	if (!best)
		return NULL;
	*offset = at - best->offset + best->piece_offset;
	return &facts->vars->variables[best->variable];
}

/*
 * The first value of a variable in an inner block is often stored by an instruction before that block:
 *
 *	20: mov %rax,-0x18(%rbp)	n is at CFA-40, in its scope [24, 48); @vaddr is 20
 *
 * No row covers @vaddr. So all rows at this offset count, if they belong to one variable.
 */
const struct variable *code_facts_home(const struct code_facts *facts, u8 reg, s64 at, u16 width,
				       u64 vaddr, u64 until, s64 *offset)
{
	u32 first = reg == FACTS_CFA ? facts->cfa_first : facts->frame_first[reg];
	const struct frame_row *found = NULL;
	bool begins = !facts->optimized;

	if (first == CFG_NONE)
		return NULL;
	for (u32 i = rows_until(facts, reg, first, at); i-- > first;) {
		const struct frame_row *row = &g_array_index(facts->frame, struct frame_row, i);

		if (row->reach <= at)
			break;
		if (!row->home || (u64)(at - row->offset) >= row->size)
			continue;
		if (found && found->variable != row->variable)
			return NULL;
		found = row;
		begins = begins || (row->low > vaddr && row->low <= until);
	}
	if (!found || !begins || (u64)(at - found->offset) + width > found->size)
		return NULL;
	*offset = at - found->offset + found->piece_offset;
	return &facts->vars->variables[found->variable];
}

/*
 * For (%rdi,%rsi,8), a row with base %rdi, index %rsi and scale 8. If the scale is 1, base and index may be exchanged,
 * for a sum has no order. Rows are sorted by @low.
 */
const struct indexed *code_facts_indexed(const struct code_facts *facts, u64 vaddr,
					 const struct insn_mem *mem)
{
	for (u32 i = 0; i < facts->indexed->len; i++) {
		const struct indexed *row = &g_array_index(facts->indexed, struct indexed, i);

		if (row->low > vaddr)
			break;
		if (vaddr < row->high && row->scale == mem->scale &&
		    ((row->base == mem->base && row->index == mem->index) ||
		     (row->scale == 1 && row->base == mem->index && row->index == mem->base)))
			return row;
	}
	return NULL;
}
