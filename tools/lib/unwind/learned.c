// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the rules of call-frame information become (unwind.c describes the fast step):
 *
 *	rule						step
 *	CFA rsp+16, rip at CFA-8, rbx at CFA-16		BASE_RSP, cfa 16, not saved, slot -1
 *	CFA rbp+16, rip at CFA-8, rbp at CFA-16		BASE_RBP, cfa 16, saved, slot -2
 *	CFA by an expression, a signal frame		BASE_FULL, cfa 0
 *	none						BASE_FULL, cfa 0
 *
 * Two values stand for "nothing to do", so that the fast step needs no branch for it. If rbp is not saved, its slot is
 * that of the return address: a word that is read anyway. A step with cfa 0 does not move the stack pointer up, and the
 * check for that ends the fast steps.
 *
 * The cache has one place for each hash: a new answer evicts the old one. @steps and @rules are parallel: place i of
 * @rules is valid if place i of @steps has a key.
 */
#include "unwind/learned.h"

#include <string.h>

/*
 * Initial number of answers: 64 KiB. This fits the second-level cache and is enough for most programs. The cache grows
 * if the answers of one process evict each other. Answers of a process that has ended do not count: they may be
 * evicted.
 */
#define LEAST 4096u
#define MOST  65536u

#define BIT(reg)    (1u << (reg))
#define RETURN_SLOT (-1) /* the return address's slot, in words from the CFA */

_Static_assert(sizeof(struct learned_step) == 1 << 4, "learned_offset()");

void learned_init(struct learned *l)
{
	l->nr = LEAST;
	l->steps = g_new0(struct learned_step, l->nr);
	l->rules = g_new(struct learned_rule, l->nr);
}

void learned_release(struct learned *l)
{
	g_free(l->steps);
	g_free(l->rules);
}

void learned_forget(struct learned *l)
{
	memset(l->steps, 0, l->nr * sizeof(*l->steps));
	memset(l->ranges, 0, sizeof(l->ranges));
	l->nr_pushed = 0;
}

/* The place of the answer with that key, which is space << LEARNED_ADDRESS_BITS | next. */
static u32 place(const struct learned *l, u64 key)
{
	u64 next = key & ((1ull << LEARNED_ADDRESS_BITS) - 1);
	u64 at = learned_offset(learned_salt((u16)(key >> LEARNED_ADDRESS_BITS)), next);

	return (u32)(at / sizeof(struct learned_step)) & (l->nr - 1);
}

static void grow(struct learned *l)
{
	struct learned_step *old = l->steps;
	struct learned_rule *old_rules = l->rules;
	u32 nr_old = l->nr;

	l->nr *= 2;
	l->nr_pushed = 0;
	l->steps = g_new0(struct learned_step, l->nr);
	l->rules = g_new(struct learned_rule, l->nr);
	for (u32 i = 0; i < nr_old; i++) {
		u32 at = place(l, old[i].key);

		l->steps[at] = old[i];
		l->rules[at] = old_rules[i];
	}
	g_free(old);
	g_free(old_rules);
}

/* Sets the kind of step that the rule needs. @s is BASE_FULL before, and stays so if the rule has another form. */
static void set_base(const struct cfi_rule *rule, struct learned_step *s)
{
	const struct cfi_place *rip = &rule->regs[CFI_RIP], *rbp = &rule->regs[CFI_RBP];
	s32 slot = rbp->value / 8;

	if (rule->signal || rule->cfa.how != CFI_REG || rule->set & BIT(CFI_RSP) ||
	    (rule->cfa.reg != CFI_RSP && rule->cfa.reg != CFI_RBP) || rip->how != CFI_AT ||
	    rip->value != -8)
		return;
	if (rbp->how != CFI_SAME &&
	    (rbp->how != CFI_AT || rbp->value % 8 || !slot || slot != (s16)slot))
		return;
	s->base = rule->cfa.reg == CFI_RSP ? BASE_RSP : BASE_RBP;
	s->cfa = rule->cfa.value;
	s->saves_rbp = rbp->how != CFI_SAME;
	s->slot = s->saves_rbp ? (s16)slot : RETURN_SLOT;
}

void learned_add(struct learned *l, u16 space, u64 next, const struct learned_rule *rule)
{
	u64 key = learned_key(space, next);
	u32 at = place(l, key);

	if (!key)
		return;
	l->nr_pushed += l->steps[at].key && l->steps[at].key >> LEARNED_ADDRESS_BITS == space;
	if (l->nr_pushed > l->nr / 4 && l->nr < MOST) {
		grow(l);
		at = place(l, key);
	}
	l->steps[at] = (struct learned_step){ .key = key };
	l->rules[at] = *rule;
	if (rule->rule)
		set_base(rule->rule, &l->steps[at]);
}

/* The first of the two slots where the mapping near @address may be cached. */
static u32 range_place(u16 space, u64 address)
{
	u32 hash = ((u32)(address >> 21) + space * 31u) * 0x9e3779b1u;

	return (hash >> 16) % LEARNED_RANGES & ~1u;
}

static bool holds(const struct learned_range *r, u16 space, u64 address)
{
	return address - r->code.start < r->code.size && r->space == space;
}

const struct unwind_code *learned_code(const struct learned *l, u16 space, u64 address)
{
	const struct learned_range *r = &l->ranges[range_place(space, address)];

	if (holds(r, space, address))
		return &r->code;
	return holds(r + 1, space, address) ? &r[1].code : NULL;
}

void learned_note_code(struct learned *l, u16 space, u64 address, const struct unwind_code *code)
{
	struct learned_range *r = &l->ranges[range_place(space, address)];

	if (!code->cfi || address - code->start >= code->size)
		return;
	r[1] = r[0];
	r[0] = (struct learned_range){ *code, space };
}
