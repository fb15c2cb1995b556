// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gcc tracks most variables of optimized code and writes a list of locations. For the rest (what va_arg() returns, all
 * variables of some functions) it names the register that was allocated to the variable, for the whole scope. Outside
 * of the variable's live range, the register holds other values:
 *
 *	struct value *v = va_arg(args, struct value *);		DW_AT_location of v: %rax, in all of print()
 *	put(v->data, v->len);
 *
 *	c8: mov (%rdx),%rax		v
 *	d1: mov 0x8(%rax),%rdi		v->data
 *	d5: call put
 *	da: movzbl (%rax),%eax		the result of put(), not v
 */
#include "base/search.h"
#include "typeflow/code/untracked.h"

static u32 first_from(const struct cfg *cfg, u64 vaddr)
{
	return SEARCH(i, 0, cfg->nr, cfg->insns[i].vaddr < vaddr);
}

/* On first use: counts the calls, and finds the entry. */
static void prepare(struct untracked *u)
{
	const struct cfg *cfg = u->cfg;

	if (u->calls)
		return;
	u->calls = g_new(u32, cfg->nr + 1);
	u->calls[0] = 0;
	for (u32 i = 0; i < cfg->nr; i++)
		u->calls[i + 1] = u->calls[i] + (cfg->insns[i].flow == INSN_CALL);
	u->entry = CFG_NONE;
	for (u32 i = 0; i < cfg->blocks->len; i++) {
		const struct block *block = &g_array_index(cfg->blocks, struct block, i);

		if (block->entry)
			u->entry = block->first;
	}
}

/* A call at the end of the scope does not count: no instruction of the scope follows it. */
static bool has_call(const struct untracked *u, u64 low, u64 high)
{
	u32 first = first_from(u->cfg, low), end = first_from(u->cfg, high);

	return end > first + 1 && u->calls[end - 1] > u->calls[first];
}

static bool has_entry(const struct untracked *u, u64 low, u64 high)
{
	u64 entry;

	if (u->entry == CFG_NONE)
		return false;
	entry = u->cfg->insns[u->entry].vaddr;
	return entry >= low && entry < high;
}

bool untracked_location(struct untracked *u, const struct func_vars *vars,
			const struct location *location)
{
	const struct variable *variable = &vars->variables[location->variable];

	if (!location->home || location->kind != LOCATION_REG || location->reg >= 64 ||
	    location->reg == X86_RSP)
		return false;
	prepare(u);
	/* A parameter stays in the register that it was passed in, if no called function changes that. */
	return CALLER_SAVED >> location->reg & 1
		       ? (!variable->parameter || variable->inlined) &&
				 has_call(u, location->low, location->high)
		       : has_entry(u, location->low, location->high);
}

void untracked_free(struct untracked *u)
{
	g_free(u->calls);
}
