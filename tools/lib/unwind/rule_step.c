// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The step by call-frame information, with every kind of rule. Example: a function whose array is aligned to 64 bytes,
 * so gcc realigns the stack:
 *
 *	 0	lea  0x8(%rsp),%r10		r10: the CFA
 *	 5	and  $-64,%rsp			from now on the CFA has no constant distance from rsp
 *	 c	push -0x8(%r10)			a copy of the return address
 *	14	push %rbp
 *	19	mov  %rsp,%rbp
 *	1c	push %r10			saves the CFA at rbp-8
 *	1e	push %rbx
 *		...
 *	2a	call use
 *
 * The rule at the call, and the step with rbp = 7f00. The words there: 7ef8: 7fd8, 7f00: 8050, 7ef0: 3, 7fd0: 401136.
 *
 *	CFA	CFI_EXPR	DW_OP_breg6 -8, DW_OP_deref	7fd8
 *	rip	CFI_AT		CFA-8				401136
 *	rbp	CFI_AT_EXPR	DW_OP_breg6 0			8050
 *	rbx	CFI_AT_EXPR	DW_OP_breg6 -16			3
 *	rsp	(no rule)	the CFA				7fd8
 *
 * All rules read the callee's registers. So the caller's are collected in an array of their own, and the order does not
 * matter. A register without a rule keeps its value if the ABI says that functions preserve it, else it is unknown.
 *
 * If a register's slot is not in the copy, only this register becomes unknown. The walk ends if the register is rip, or
 * later, if a rule needs it.
 */
#include <string.h>

#include "unwind/ascent.h"
#include "unwind/expr.h"

/* The same of i386 (System V ABI, Intel386 supplement, section 2.2.3). */
#define KEPT_NARROW                                                                                \
	(BIT(CFI_RBX) | BIT(CFI_RSI) | BIT(CFI_RDI) | BIT(CFI_RBP) | BIT(CFI_RSP) | BIT(CFI_RIP))

static bool read_memory(void *arg, u64 address, u32 size, u64 *value)
{
	struct ascent *w = arg;
	const struct unwind_stack *s = w->stack;

	*value = 0;
	address = ascent_fit(w, address);
	if (ascent_in_copy(s, address, size)) {
		memcpy(value, ascent_copied(s, address), size);
		return true;
	}
	if (w->u->ops->read && w->u->ops->read(s->process, address, size, value))
		return true;
	return ascent_stop(w, ascent_missing(s, address), address);
}

/* Saved registers are on the stack, so do not read them from files. */
static bool read_frame(struct ascent *w, u64 address, u64 *value)
{
	if (!ascent_in_copy(w->stack, address, ascent_word_size(w)))
		return ascent_stop(w, ascent_missing(w->stack, address), address);
	*value = ascent_copied_word(w, address);
	return true;
}

/* Ends the walk. UNWIND_CUT tells the user that a larger copy of the stack would have helped. */
static bool lacks_register(struct ascent *w, u32 reg)
{
	if (reg < CFI_NR_REGS && w->cut & BIT(reg))
		return ascent_stop(w, UNWIND_CUT, w->slots[reg]);
	return ascent_stop(w, UNWIND_NO_REGISTER, w->regs[CFI_RIP]);
}

/* After find_value() failed: w->end has its reason. It is kept only if the slot is above the copy's end. */
static void forget_register(struct ascent *w, u32 reg, u32 *known)
{
	*known &= ~BIT(reg);
	w->cut &= ~BIT(reg);
	if (w->end.why == UNWIND_CUT) {
		w->cut |= BIT(reg);
		w->slots[reg] = w->end.address;
	}
}

#define NARROW_REGS 9

/* Expressions of 32-bit files use i386's register numbers. */
static struct expr_input narrow_input(struct ascent *w, u64 regs[static NARROW_REGS])
{
	static const u8 numbers[NARROW_REGS] = { 0,	  2,	   1,	    CFI_RBX, CFI_RSP,
						 CFI_RBP, CFI_RSI, CFI_RDI, CFI_RIP };
	struct expr_input input = { regs, 0, NARROW_REGS, 4, read_memory, w };

	for (u32 i = 0; i < NARROW_REGS; i++) {
		regs[i] = w->regs[numbers[i]];
		input.known |= (w->known >> numbers[i] & 1) << i;
	}
	return input;
}

/* @cfa: on the stack at first (DWARF 5, section 6.4.2.3); NULL for the expression of the CFA itself. */
static bool evaluate(struct ascent *w, struct cfi *cfi, const struct cfi_rule *rule,
		     const struct cfi_place *place, const u64 *cfa, u64 *value)
{
	struct expr_input input = { w->regs, w->known, CFI_NR_REGS, 8, read_memory, w };
	u64 narrow[NARROW_REGS];

	if (w->stack->narrow)
		input = narrow_input(w, narrow);
	switch (expr_eval(cfi_expression(cfi, rule, place), place->size, &input, cfa, value)) {
	case EXPR_OK:
		*value = ascent_fit(w, *value);
		return true;
	case EXPR_NO_MEMORY:
		return false;
	case EXPR_NO_REGISTER:
		return lacks_register(w, CFI_NR_REGS);
	case EXPR_GARBLED:
		break;
	}
	return ascent_stop(w, UNWIND_BAD_RULE, w->regs[CFI_RIP]);
}

static bool find_cfa(struct ascent *w, struct cfi *cfi, const struct cfi_rule *rule, u64 *cfa)
{
	if (rule->cfa.how == CFI_EXPR)
		return evaluate(w, cfi, rule, &rule->cfa, NULL, cfa);
	if (!(w->known & BIT(rule->cfa.reg)))
		return lacks_register(w, rule->cfa.reg);
	*cfa = ascent_fit(w, w->regs[rule->cfa.reg] + (u64)(s64)rule->cfa.value);
	return rule->cfa.how == CFI_REG || read_memory(w, *cfa, ascent_word_size(w), cfa);
}

/* The caller's value of a register, by its rule. */
static bool find_value(struct ascent *w, struct cfi *cfi, const struct cfi_rule *rule,
		       const struct cfi_place *place, u64 cfa, u64 *value)
{
	switch ((enum cfi_how)place->how) {
	case CFI_AT:
		return read_frame(w, ascent_fit(w, cfa + (u64)(s64)place->value), value);
	case CFI_PLUS:
		*value = ascent_fit(w, cfa + (u64)(s64)place->value);
		return true;
	case CFI_REG:
		if (!(w->known & BIT(place->reg)))
			return lacks_register(w, place->reg);
		*value = ascent_fit(w, w->regs[place->reg] + (u64)(s64)place->value);
		return true;
	case CFI_AT_REG:
		if (!(w->known & BIT(place->reg)))
			return lacks_register(w, place->reg);
		return read_memory(w, w->regs[place->reg] + (u64)(s64)place->value,
				   ascent_word_size(w), value);
	case CFI_AT_EXPR:
		return evaluate(w, cfi, rule, place, &cfa, value) &&
		       read_memory(w, *value, ascent_word_size(w), value);
	case CFI_EXPR:
		return evaluate(w, cfi, rule, place, &cfa, value);
	case CFI_SAME:
	case CFI_UNDEFINED:
		break;
	}
	return ascent_stop(w, UNWIND_ROOT, w->regs[CFI_RIP]);
}

/*
 * Was the register already popped? Compilers do not state a pop: until the ret, the rule still has the old slot, which
 * is now below rsp and so not in the copy. The register itself has the caller's value again. In the example of cfi.c,
 * the rule at the ret (d) still says: rbx at CFA-16, which is rsp-8.
 */
static bool was_popped(const struct ascent *w, const struct cfi_place *place, u64 cfa)
{
	u64 slot = ascent_fit(w, cfa + (u64)(s64)place->value);

	return w->exact && place->how == CFI_AT && slot < w->regs[CFI_RSP] &&
	       !ascent_in_copy(w->stack, slot, ascent_word_size(w));
}

bool ascent_rule_step(struct ascent *w, struct cfi *cfi, const struct cfi_rule *rule)
{
	u64 regs[CFI_NR_REGS], cfa;
	u32 known = w->known & (w->stack->narrow ? KEPT_NARROW : KEPT);

	if (!find_cfa(w, cfi, rule, &cfa))
		return false;
	memcpy(regs, w->regs, sizeof(regs));
	regs[CFI_RSP] = cfa;
	if (!(rule->set & BIT(CFI_RIP)))
		return ascent_stop(w, UNWIND_BAD_RULE, w->regs[CFI_RIP]);
	for (u32 set = rule->set; set; set &= set - 1) {
		u32 reg = (u32)__builtin_ctz(set);

		if (was_popped(w, &rule->regs[reg], cfa))
			continue;
		if (find_value(w, cfi, rule, &rule->regs[reg], cfa, &regs[reg]))
			known |= BIT(reg);
		else if (reg == CFI_RIP || reg == CFI_RSP)
			return false;
		else
			forget_register(w, reg, &known);
	}
	return ascent_move_up(w, regs, known, rule->signal);
}
