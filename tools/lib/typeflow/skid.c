// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A load that misses the cache delays everything behind it. When its data arrives, it retires together with a few
 * later instructions that were already complete. Only then the processor takes the timer's interrupt, so the sample
 * names an instruction behind the load.
 *
 *	while (n) {			401160:  mov  0x8(%rdi),%rdi	the load that waits
 *		sum += k;		401164:  add  %rdx,%rax		the samples
 *		n = n->next;		401167:  test %rdi,%rdi
 *	}				40116a:  jne  401160
 *
 * The sample belongs to the nearest access before it, if there is only one path from the access to the sample. The
 * search stops where
 *
 *	- another path joins: a jump's target, a function's entry, a landing pad;
 *	- control left the function in between: a call, a system call;
 *	- an instruction is slow itself: a division;
 *	- SKID_MAX_INSNS instructions were passed; more do not retire at once.
 *
 * The instruction behind a conditional jump also has only one predecessor, if no other jump goes there.
 */
#include "typeflow/skid.h"

void skid_init(struct skid *skid, const struct cfg *cfg)
{
	skid->cfg = cfg;
	skid->entries = g_new0(u8, cfg->blocks->len + 1);
	for (u32 i = 0; i < cfg->blocks->len; i++) {
		const struct block *block = &g_array_index(cfg->blocks, struct block, i);

		if (block->root || block->entry)
			skid->entries[i] = 2;
		for (u32 n = block->next; n < block->next + block->nr_next; n++) {
			u8 *entries = &skid->entries[g_array_index(cfg->edges, u32, n)];

			*entries = (u8)MIN(*entries + 1, 2);
		}
	}
}

void skid_release(struct skid *skid)
{
	g_clear_pointer(&skid->entries, g_free);
}

bool skid_accesses(const struct insn *insn)
{
	for (u32 i = 0; i < insn->nr_operands; i++)
		if (insn->operands[i].kind == INSN_MEM && insn->operands[i].access)
			return true;
	return insn->stack_op;
}

/* A sample behind such an instruction shows the wait for it, or time in another function, not an earlier access. */
static bool hides_access(const struct insn *insn)
{
	return (insn->flow != INSN_NEXT && insn->flow != INSN_COND) || insn->op == INSN_SYSCALL ||
	       insn->op == INSN_DIV;
}

/* The only predecessor of @at is the instruction before it. */
static bool only_from_before(const struct skid *skid, u32 at)
{
	const struct cfg *cfg = skid->cfg;
	const struct insn *before = &cfg->insns[at - 1];
	u32 block = cfg->block_of[at];

	if (before->vaddr + before->size != cfg->insns[at].vaddr)
		return false;
	return cfg->block_of[at - 1] == block || skid->entries[block] == 1;
}

u32 skid_source(const struct skid *skid, u32 at)
{
	for (u32 passed = 0; passed < SKID_MAX_INSNS && at; passed++, at--) {
		const struct insn *before = &skid->cfg->insns[at - 1];

		if (!only_from_before(skid, at) || hides_access(before))
			return CFG_NONE;
		if (skid_accesses(before))
			return at - 1;
	}
	return CFG_NONE;
}
