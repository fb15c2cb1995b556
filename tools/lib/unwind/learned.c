// SPDX-License-Identifier: GPL-2.0-or-later
#include "unwind/learned.h"

#include <string.h>

/* 64 KiB to begin with, which fits the second-level cache and is enough for most programs; more, where answers push each other out. */
#define LEAST 4096u
#define MOST  65536u

#define OBJECTS_MOST 0xffffu
#define OBJECT_KEY   (1ull << 63)
#define BIT(reg)     (1u << (reg))
#define RETURN_SLOT  (-1) /* of the return address, in words from the CFA */

_Static_assert(sizeof(struct learned_step) == 16, "a cache line has four");
_Static_assert(LEARNED_RANGES == 1u << (32 - 25), "learned_range_place()");

void learned_init(struct learned *l)
{
	l->nr = LEAST;
	l->steps = g_new0(struct learned_step, l->nr);
	l->rules = g_new(struct learned_rule, l->nr);
	l->objects = g_hash_table_new(NULL, NULL);
}

void learned_release(struct learned *l)
{
	g_free(l->steps);
	g_free(l->rules);
	g_hash_table_unref(l->objects);
}

void learned_forget(struct learned *l)
{
	memset(l->steps, 0, l->nr * sizeof(*l->steps));
	memset(l->ranges, 0, sizeof(l->ranges));
	g_hash_table_remove_all(l->objects);
	l->nr_pushed = 0;
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
		u32 at = learned_place(l, old[i].key);

		l->steps[at] = old[i];
		l->rules[at] = old_rules[i];
	}
	g_free(old);
	g_free(old_rules);
}

/* Which step the rule needs. */
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

void learned_add(struct learned *l, u64 key, const struct learned_rule *rule)
{
	u32 at = learned_place(l, key);

	if (l->steps[at].key && ++l->nr_pushed > l->nr / 4 && l->nr < MOST) {
		grow(l);
		at = learned_place(l, key);
	}
	l->steps[at] = (struct learned_step){ .key = key };
	l->rules[at] = *rule;
	if (rule->rule)
		set_base(rule->rule, &l->steps[at]);
}

/* From 1 on; 0: there are too many. */
static u64 object_number(struct learned *l, struct cfi *cfi)
{
	guint number = GPOINTER_TO_UINT(g_hash_table_lookup(l->objects, cfi));

	if (number || g_hash_table_size(l->objects) == OBJECTS_MOST)
		return number;
	number = g_hash_table_size(l->objects) + 1;
	g_hash_table_insert(l->objects, cfi, GUINT_TO_POINTER(number));
	return number;
}

void learned_note_range(struct learned *l, u16 space, u64 address, const struct unwind_code *code)
{
	u64 low = code->start - code->bias, number;
	u32 at = learned_range_place(space, address);

	if (!code->cfi || !code->size || address - code->start >= code->size ||
	    address >> LEARNED_ADDRESS_BITS || low >> LEARNED_ADDRESS_BITS ||
	    (low + code->size) >> LEARNED_ADDRESS_BITS)
		return;
	number = object_number(l, code->cfi);
	if (!number)
		return;
	l->codes[at] = *code;
	l->ranges[at] = (struct learned_range){ code->start, code->size,
						(OBJECT_KEY | number << LEARNED_ADDRESS_BITS) + low,
						space };
}
