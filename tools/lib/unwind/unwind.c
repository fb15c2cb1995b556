// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * There are two kinds of steps to the caller. Nearly all rules have one form:
 *
 *	CFA = rsp or rbp + n,  return address at CFA-8,  rbp unchanged or saved at CFA - 8*m
 *
 * Such a rule fits into 16 bytes together with its address (learned.h). So one cache line answers what to do at an
 * address, without a look-up of mapping or table. This fast step follows only rip, rsp and rbp. All other rules
 * (signals, PLT, other registers) need the full step (rule_step.c), which handles every kind of rule.
 *
 * Code without rules needs a step by the frame pointer, see ascent_frame_step().
 *
 * A rule may need a register that fast steps did not follow, for example rbx in code that realigned its stack. Then the
 * walk starts again from the innermost frame, with full steps only. This is rare: 2 of 10,500 stacks.
 */
#include "unwind/unwind.h"

#include <glib.h>
#include <string.h>

#include "insn/insn.h"
#include "unwind/ascent.h"

struct unwinder *unwinder_new(const struct unwind_ops *ops)
{
	struct unwinder *u = g_new0(struct unwinder, 1);

	u->ops = ops;
	learned_init(&u->learned);
	return u;
}

void unwinder_free(struct unwinder *u)
{
	if (!u)
		return;
	learned_release(&u->learned);
	insn_decoder_free(u->decoder);
	g_free(u);
}

void unwinder_forget(struct unwinder *u)
{
	learned_forget(&u->learned);
}

struct unwinder_stats unwinder_stats(const struct unwinder *u)
{
	return u->stats;
}

/* The address whose rule applies. For a return address, it is inside the call instruction. */
static u64 rule_address(const struct ascent *w)
{
	return w->regs[CFI_RIP] - !w->exact;
}

/*
 * Takes fast steps as long as possible and adds the callers to @frames from index @nr on. Returns the new number of
 * frames. Unusual cases end the loop; the full step then finds the reason. The loop has no branch that depends on the
 * rule, because the processor could not predict it. Inside the loop registers are relative to the copy. If one points
 * outside the copy, the sum is too large.
 */
static u32 fast_steps(struct ascent *w, struct unwind_frame *frames, u32 nr, u32 max)
{
	const struct unwind_stack *s = w->stack;
	const u8 *const bytes = s->bytes, *const steps = (const u8 *)w->u->learned.steps;
	const u64 mask = (u64)(w->u->learned.nr - 1) * sizeof(struct learned_step);
	const u64 salt = learned_salt(s->space), tag = learned_key(s->space, 0);
	const u64 copy = s->address, last = s->size - 8;
	u64 rsp = w->regs[CFI_RSP] - copy, rbp = w->regs[CFI_RBP] - copy;
	u64 next = rule_address(w) + 1;
	u32 start = nr;

	if (s->size < 8)
		return nr;
	while (nr < max && !(next >> LEARNED_ADDRESS_BITS)) {
		const struct learned_step *c =
			(const void *)(steps + (learned_offset(salt, next) & mask));
		u64 cfa = (c->base == BASE_RBP ? rbp : rsp) + (u64)(s64)c->cfa;
		u64 slot = cfa + (u64)((s64)c->slot * 8), caller, value;

		if (c->key != (tag | next) || (s64)cfa <= (s64)rsp || cfa - 8 > last || slot > last)
			break;
		memcpy(&caller, bytes + cfa - 8, sizeof(caller));
		memcpy(&value, bytes + slot, sizeof(value));
		if (!caller)
			break;
		next = caller;
		/* Not `?:`: gcc would make it a branch. */
		rbp += (value - copy - rbp) & -(u64)c->saves_rbp;
		rsp = cfa;
		frames[nr++] = (struct unwind_frame){ caller, rsp + copy, false };
	}
	if (nr == start)
		return nr;
	w->regs[CFI_RIP] = next;
	w->regs[CFI_RSP] = rsp + copy;
	w->regs[CFI_RBP] = rbp + copy;
	w->dropped |= w->known != FAST;
	w->known = FAST;
	w->cut = 0;
	w->exact = w->guided = false;
	return nr;
}

/* Looks up the rule for @address and caches it if possible. False: the walk ends. */
static bool look_up(struct ascent *w, u64 address, struct learned_rule *found)
{
	struct unwinder *u = w->u;
	const struct unwind_code *mapped = learned_code(&u->learned, w->stack->space, address);
	struct unwind_code code = { 0 };

	u->stats.misses++;
	if (mapped)
		code = *mapped;
	else if (!u->ops->find(w->stack->process, address, &code))
		return ascent_stop(w, UNWIND_UNMAPPED, w->regs[CFI_RIP]);
	/* A 64-bit process may jump to 32-bit code and back. */
	if (code.cfi && cfi_is_narrow(code.cfi) != w->stack->narrow)
		code.cfi = NULL;
	found->cfi = code.cfi;
	found->rule = code.cfi ? cfi_find(code.cfi, address - code.bias) : NULL;
	if (!found->rule && ascent_is_entry(&code, address))
		return ascent_stop(w, UNWIND_ROOT, w->regs[CFI_RIP]);
	if (!mapped)
		learned_note_code(&u->learned, w->stack->space, address, &code);
	learned_add(&u->learned, w->stack->space, address + 1, found);
	return true;
}

/* The cached step of @address; NULL: none. */
static const struct learned_step *known_step(const struct ascent *w, u64 address)
{
	const struct learned *l = &w->u->learned;
	u64 key = learned_key(w->stack->space, address + 1);
	u64 at = learned_offset(learned_salt(w->stack->space), address + 1);
	const struct learned_step *s = &l->steps[at / sizeof(*s) & (l->nr - 1)];

	return key && s->key == key ? s : NULL;
}

/* Called when fast steps have stopped. Looks up the rule if the address is new. True: fast steps can go on with it. */
static bool learn(struct ascent *w)
{
	u64 address = rule_address(w);
	const struct learned_step *s;
	struct learned_rule found;

	if (known_step(w, address) || !look_up(w, address, &found))
		return false;
	s = known_step(w, address);
	return s && (s->base == BASE_RSP || s->base == BASE_RBP);
}

static bool has_no_caller(const struct cfi_rule *rule)
{
	return rule->set & BIT(CFI_RIP) && rule->regs[CFI_RIP].how == CFI_UNDEFINED;
}

/* One step of any kind. False: the walk has ended. */
static bool step(struct ascent *w)
{
	u64 address = rule_address(w);
	const struct learned_step *s = known_step(w, address);
	struct learned_rule known;

	if (s)
		known = w->u->learned.rules[s - w->u->learned.steps];
	else if (!look_up(w, address, &known))
		return false;
	if (known.rule && has_no_caller(known.rule)) {
		ascent_stop(w, UNWIND_ROOT, w->regs[CFI_RIP]);
		w->end.zero = known.rule->set & BIT(CFI_RSP);
		return false;
	}
	if (known.rule)
		return ascent_rule_step(w, known.cfi, known.rule);
	ascent_stop(w, UNWIND_NO_CFI, w->regs[CFI_RIP]);
	if (ascent_return_step(w) || (w->end.why == UNWIND_NO_CFI && ascent_frame_step(w)))
		return true;
	if (w->end.why == UNWIND_NO_CFI && ascent_is_first(w))
		ascent_stop(w, UNWIND_ROOT, w->regs[CFI_RIP]);
	return false;
}

static u32 walk(struct ascent *w, struct unwind_frame *frames, u32 max)
{
	const struct unwind_stack *s = w->stack;
	bool goes_on;
	u32 nr = 0;

	memcpy(w->regs, s->regs, sizeof(w->regs));
	for (u32 i = 0; s->narrow && i < CFI_NR_REGS; i++)
		w->regs[i] = (u32)w->regs[i];
	w->known = s->known & (BIT(CFI_NR_REGS) - 1);
	w->exact = true;
	w->dropped = false;
	w->guided = w->landed = false;
	w->turns = 0;
	w->cut = 0;
	if (~w->known & (BIT(CFI_RIP) | BIT(CFI_RSP))) {
		ascent_stop(w, UNWIND_NO_REGISTER, w->regs[CFI_RIP]);
		return 0;
	}
	for (goes_on = true; goes_on;) {
		if (nr == max) {
			ascent_stop(w, UNWIND_LIMIT, w->regs[CFI_RIP]);
			return nr;
		}
		frames[nr++] =
			(struct unwind_frame){ w->regs[CFI_RIP], w->regs[CFI_RSP], w->exact };
		if (!w->full && !s->narrow && (w->known & FAST) == FAST)
			do
				nr = fast_steps(w, frames, nr, max);
			while (nr < max && learn(w));
		goes_on = step(w);
		/* To a signal's trampoline or the start of a context, no call leads. */
		frames[nr - 1].exact |= goes_on ? w->exact : w->landed;
	}
	/*
	 * If no code is mapped at the last address, no call comes from there: drop this frame, although the rule may be
	 * right.
	 */
	return nr - (w->end.why == UNWIND_UNMAPPED && nr > 1);
}

u32 unwinder_walk(struct unwinder *u, const struct unwind_stack *stack, struct unwind_frame *frames,
		  u32 max, struct unwind_end *end)
{
	struct ascent w; /* walk() sets most fields */
	u64 misses = u->stats.misses;
	u32 nr;

	w.u = u;
	w.stack = stack;
	w.full = false;
	w.end = (struct unwind_end){ 0 };
	nr = walk(&w, frames, max);

	if (w.end.why == UNWIND_NO_REGISTER && w.dropped) {
		w.full = true;
		nr = walk(&w, frames, max);
	}
	u->stats.hits += nr - MIN(nr, u->stats.misses - misses);
	*end = w.end;
	return nr;
}

const char *unwind_why_text(enum unwind_why why)
{
	static const char *const texts[] = {
		[UNWIND_ROOT] = "root",
		[UNWIND_CUT] = "cut by the copy",
		[UNWIND_BAD_MEMORY] = "memory below the copy",
		[UNWIND_UNMAPPED] = "no code there",
		[UNWIND_NO_CFI] = "no call-frame information, no frame pointer",
		[UNWIND_NO_REGISTER] = "register not known",
		[UNWIND_BAD_RULE] = "rule without sense",
		[UNWIND_CYCLE] = "cycle",
		[UNWIND_LIMIT] = "frame limit",
		[UNWIND_NO_FILE] = "file not visible here",
	};

	return texts[why];
}
