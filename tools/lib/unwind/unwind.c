// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * There are two kinds of steps to the caller. Nearly all rules have one form:
 *
 *	CFA = rsp or rbp + n,  return address at CFA-8,  rbp unchanged or saved at CFA - 8*m
 *
 * Such a rule fits into 16 bytes together with its address (learned.h). So one cache line answers what to do at an
 * address, without a look-up of mapping or table. This fast step follows only rip, rsp and rbp. All other rules
 * (signals, PLT, other registers) need the full step, which handles every kind of rule.
 *
 * Code without rules needs a step by the frame pointer, see frame_pointer_step().
 *
 * A rule may need a register that fast steps did not follow, for example rbx in code that realigned its stack. Then the
 * walk starts again from the innermost frame, with full steps only. This is rare: 2 of 10,500 stacks.
 */
#include "unwind/unwind.h"

#include <glib.h>
#include <string.h>

#include "unwind/expr.h"
#include "unwind/learned.h"

#define BIT(reg) (1u << (reg))

/* Registers that a called function preserves (System V ABI, AMD64 supplement, figure 3.4). */
#define KEPT (BIT(CFI_RBX) | BIT(CFI_RBP) | BIT(CFI_RSP) | 0xfu << CFI_R12 | BIT(CFI_RIP))
/* The same of i386 (System V ABI, Intel386 supplement, section 2.2.3). */
#define KEPT_NARROW                                                                                \
	(BIT(CFI_RBX) | BIT(CFI_RSI) | BIT(CFI_RDI) | BIT(CFI_RBP) | BIT(CFI_RSP) | BIT(CFI_RIP))
#define FAST (BIT(CFI_RBP) | BIT(CFI_RSP) | BIT(CFI_RIP))

/*
 * A stack grows down, so callers have higher addresses. Exceptions: a signal may have its own stack, and coroutines
 * switch stacks.
 */
#define TURNS_MAX 16

/* Longer than the code before the first function in glibc's dynamic linker and musl's crt1.o. */
#define ENTRY_BYTES 64

struct unwinder {
	const struct unwind_ops *ops;
	struct unwinder_stats stats;
	struct learned learned;
};

struct ascent {
	struct unwinder *u;
	const struct unwind_stack *stack;
	u64 regs[CFI_NR_REGS];
	u32 known;
	bool exact;   /* rip is the instruction being executed */
	bool full;    /* full steps only */
	bool dropped; /* fast steps have dropped known registers */
	bool guided;  /* the last step was by the frame pointer */
	u32 turns;
	struct unwind_end end;
	u32 cut; /* one bit per register that is unknown because the copy ends before its slot */
	u64 slots[CFI_NR_REGS]; /* the slots of the registers in @cut */
};

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

static bool stop(struct ascent *w, enum unwind_why why, u64 address)
{
	w->end = (struct unwind_end){ why, address, false };
	return false;
}

static bool in_copy(const struct unwind_stack *s, u64 address, u32 size)
{
	return s->size >= size && address - s->address <= s->size - size;
}

static u32 word_size(const struct ascent *w)
{
	return w->stack->narrow ? 4 : 8;
}

/* Addresses and registers of 32-bit code wrap around at 4 GiB. */
static u64 fit(const struct ascent *w, u64 value)
{
	return w->stack->narrow ? (u32)value : value;
}

static u64 copied_word(const struct ascent *w, u64 address)
{
	u64 v = 0;

	memcpy(&v, w->stack->bytes + (address - w->stack->address), word_size(w));
	return v;
}

static bool read_memory(void *arg, u64 address, u32 size, u64 *value)
{
	struct ascent *w = arg;
	const struct unwind_stack *s = w->stack;

	*value = 0;
	address = fit(w, address);
	if (in_copy(s, address, size)) {
		memcpy(value, s->bytes + (address - s->address), size);
		return true;
	}
	if (w->u->ops->read && w->u->ops->read(s->process, address, size, value))
		return true;
	return stop(w, address < s->address ? UNWIND_BAD_MEMORY : UNWIND_CUT, address);
}

/* Saved registers are on the stack, so do not read them from files. */
static bool read_frame(struct ascent *w, u64 address, u64 *value)
{
	if (!in_copy(w->stack, address, word_size(w)))
		return stop(w, address < w->stack->address ? UNWIND_BAD_MEMORY : UNWIND_CUT,
			    address);
	*value = copied_word(w, address);
	return true;
}

static bool lacks_register(struct ascent *w, u32 reg)
{
	if (reg < CFI_NR_REGS && w->cut & BIT(reg))
		return stop(w, UNWIND_CUT, w->slots[reg]);
	return stop(w, UNWIND_NO_REGISTER, w->regs[CFI_RIP]);
}

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

static bool evaluate(struct ascent *w, struct cfi *cfi, const struct cfi_rule *rule,
		     const struct cfi_place *place, const u64 *cfa, u64 *value)
{
	struct expr_input input = { w->regs, w->known, CFI_NR_REGS, 8, read_memory, w };
	u64 narrow[NARROW_REGS];

	if (w->stack->narrow)
		input = narrow_input(w, narrow);
	switch (expr_eval(cfi_expression(cfi, rule, place), place->size, &input, cfa, value)) {
	case EXPR_OK:
		*value = fit(w, *value);
		return true;
	case EXPR_NO_MEMORY:
		return false;
	case EXPR_NO_REGISTER:
		return lacks_register(w, CFI_NR_REGS);
	case EXPR_GARBLED:
		break;
	}
	return stop(w, UNWIND_BAD_RULE, w->regs[CFI_RIP]);
}

static bool find_cfa(struct ascent *w, struct cfi *cfi, const struct cfi_rule *rule, u64 *cfa)
{
	if (rule->cfa.how == CFI_EXPR)
		return evaluate(w, cfi, rule, &rule->cfa, NULL, cfa);
	if (!(w->known & BIT(rule->cfa.reg)))
		return lacks_register(w, rule->cfa.reg);
	*cfa = fit(w, w->regs[rule->cfa.reg] + (u64)(s64)rule->cfa.value);
	return rule->cfa.how == CFI_REG || read_memory(w, *cfa, word_size(w), cfa);
}

/* The caller's value of a register, by its rule. */
static bool find_value(struct ascent *w, struct cfi *cfi, const struct cfi_rule *rule,
		       const struct cfi_place *place, u64 cfa, u64 *value)
{
	switch ((enum cfi_how)place->how) {
	case CFI_AT:
		return read_frame(w, fit(w, cfa + (u64)(s64)place->value), value);
	case CFI_PLUS:
		*value = fit(w, cfa + (u64)(s64)place->value);
		return true;
	case CFI_REG:
		if (!(w->known & BIT(place->reg)))
			return lacks_register(w, place->reg);
		*value = fit(w, w->regs[place->reg] + (u64)(s64)place->value);
		return true;
	case CFI_AT_REG:
		if (!(w->known & BIT(place->reg)))
			return lacks_register(w, place->reg);
		return read_memory(w, w->regs[place->reg] + (u64)(s64)place->value, word_size(w),
				   value);
	case CFI_AT_EXPR:
		return evaluate(w, cfi, rule, place, &cfa, value) &&
		       read_memory(w, *value, word_size(w), value);
	case CFI_EXPR:
		return evaluate(w, cfi, rule, place, &cfa, value);
	case CFI_SAME:
	case CFI_UNDEFINED:
		break;
	}
	return stop(w, UNWIND_ROOT, w->regs[CFI_RIP]);
}

/*
 * Was the register already popped? Compilers do not state a pop: until the ret, the rule still has the old slot, which
 * is now below rsp and so not in the copy. The register itself has the caller's value again.
 */
static bool was_popped(const struct ascent *w, const struct cfi_place *place, u64 cfa)
{
	u64 slot = fit(w, cfa + (u64)(s64)place->value);

	return w->exact && place->how == CFI_AT && slot < w->regs[CFI_RSP] &&
	       !in_copy(w->stack, slot, word_size(w));
}

/*
 * Makes the caller's registers the present ones. False: the walk ends, because there is no caller or the stack pointer
 * does not move up.
 */
static bool move_up(struct ascent *w, const u64 *regs, u32 known, bool signal)
{
	if (!regs[CFI_RIP]) {
		stop(w, UNWIND_ROOT, w->regs[CFI_RIP]);
		w->end.zero = true;
		return false;
	}
	if (regs[CFI_RSP] <= w->regs[CFI_RSP] && ++w->turns > TURNS_MAX)
		return stop(w, UNWIND_CYCLE, w->regs[CFI_RIP]);
	memcpy(w->regs, regs, sizeof(w->regs));
	w->known = known;
	w->exact = signal;
	w->guided = false;
	return true;
}

/*
 * Does a call end at @address? Direct: e8 and 4 bytes. Indirect: ff /2 with up to 6 bytes of operand. ff /3 is a far
 * call, which compilers do not use. True if the bytes are not known, as with just-in-time compilers.
 */
static bool is_behind_call(const struct ascent *w, u64 address)
{
	const struct unwind_ops *ops = w->u->ops;
	u8 b[7];

	if (!ops->read || !ops->read(w->stack->process, address - sizeof(b), sizeof(b), b))
		return true;
	if (b[2] == 0xe8)
		return true;
	for (u32 i = 0; i + 1 < sizeof(b); i++)
		if (b[i] == 0xff && (b[i + 1] >> 3 & 7) == 2)
			return true;
	return false;
}

/* The return address at @slot of the copy; 0: it is not a plausible one. */
static u64 return_address(const struct ascent *w, u64 slot)
{
	struct unwind_code code;
	u64 ip;

	if (slot % word_size(w) || !in_copy(w->stack, slot, word_size(w)))
		return 0;
	ip = copied_word(w, slot);
	if (!ip || !w->u->ops->find(w->stack->process, ip - 1, &code) || !is_behind_call(w, ip))
		return 0;
	return ip;
}

/*
 * The return address's distance from rsp in code without rules, if the instruction at rip shows it; -1: it does not.
 * The interrupted function has no frame of its own at these instructions:
 *
 *	at its start		push %rbp; endbr64, push %rbp	return address at rsp
 *	in a stub of the PLT	jmp *slot(%rip)			at rsp
 *	after the push		mov %rsp,%rbp			at rsp + a word, the caller's rbp at rsp
 *	at its end		ret				at rsp
 *
 * i386 has endbr32, jmp *slot or jmp *slot(%ebx), and mov %esp,%ebp without the prefix 48.
 */
static int frameless_offset(const struct ascent *w)
{
	static const u8 endbr[] = { 0xf3, 0x0f, 0x1e }, move[] = { 0x48, 0x89, 0xe5 };
	const struct unwind_ops *ops = w->u->ops;
	bool narrow = w->stack->narrow;
	u8 before[6], b[8], *at = b;

	if (!w->exact || !ops->read ||
	    !ops->read(w->stack->process, w->regs[CFI_RIP], sizeof(b), b))
		return -1;
	/* The start of a lazy PLT is a push, then this jump. */
	if (ops->read(w->stack->process, w->regs[CFI_RIP] - sizeof(before), sizeof(before),
		      before) &&
	    before[0] == 0xff && (before[1] == 0x35 || (narrow && before[1] == 0xb3)))
		return -1;
	if (!memcmp(at, move + narrow, sizeof(move) - narrow))
		return (int)word_size(w);
	if (!memcmp(at, endbr, sizeof(endbr)) && at[3] == (narrow ? 0xfb : 0xfa))
		at += sizeof(endbr) + 1;
	at += *at == 0xf2; /* bnd */
	return *at == 0x55 || *at == 0xc3 ||
			       (at[0] == 0xff && (at[1] == 0x25 || (narrow && at[1] == 0xa3)))
		       ? 0
		       : -1;
}

/* The caller's rbp is at rbp, and the return address is in the word after it. All other registers become unknown. */
static bool frame_pointer_step(struct ascent *w)
{
	u64 regs[CFI_NR_REGS] = { 0 }, rbp = w->regs[CFI_RBP], ip, word = word_size(w);
	int offset = frameless_offset(w);

	if (offset >= 0) {
		u64 slot = w->regs[CFI_RSP] + (u64)offset;

		ip = return_address(w, slot);
		if (!ip)
			return false;
		regs[CFI_RBP] = offset ? copied_word(w, slot - word) : rbp;
		regs[CFI_RSP] = slot + word;
	} else {
		if (!(w->known & BIT(CFI_RBP)) || rbp < w->regs[CFI_RSP])
			return false;
		if (w->guided && !rbp)
			return stop(w, UNWIND_ROOT, w->regs[CFI_RIP]);
		ip = return_address(w, rbp + word);
		if (!ip)
			return false;
		regs[CFI_RBP] = copied_word(w, rbp);
		regs[CFI_RSP] = rbp + 2 * word;
	}
	regs[CFI_RIP] = ip;
	if (!move_up(w, regs, FAST & (w->known | BIT(CFI_RIP)), false))
		return false;
	w->cut = 0;
	w->guided = true;
	w->u->stats.guided++;
	return true;
}

static bool full_step(struct ascent *w, struct cfi *cfi, const struct cfi_rule *rule)
{
	u64 regs[CFI_NR_REGS], cfa;
	u32 known = w->known & (w->stack->narrow ? KEPT_NARROW : KEPT);

	if (!find_cfa(w, cfi, rule, &cfa))
		return false;
	memcpy(regs, w->regs, sizeof(regs));
	regs[CFI_RSP] = cfa;
	if (!(rule->set & BIT(CFI_RIP)))
		return stop(w, UNWIND_BAD_RULE, w->regs[CFI_RIP]);
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
	return move_up(w, regs, known, rule->signal);
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

/*
 * Is @address in the first instructions of a program, such as the dynamic linker's? They have no call-frame information
 * and no caller, but they call functions that have it.
 */
static bool is_entry(const struct unwind_code *code, u64 address)
{
	return code->entry && address - code->bias - code->entry < ENTRY_BYTES;
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
		return stop(w, UNWIND_UNMAPPED, w->regs[CFI_RIP]);
	/* A 64-bit process may jump to 32-bit code and back. */
	if (code.cfi && cfi_is_narrow(code.cfi) != w->stack->narrow)
		code.cfi = NULL;
	found->cfi = code.cfi;
	found->rule = code.cfi ? cfi_find(code.cfi, address - code.bias) : NULL;
	if (!found->rule && is_entry(&code, address))
		return stop(w, UNWIND_ROOT, w->regs[CFI_RIP]);
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
		stop(w, UNWIND_ROOT, w->regs[CFI_RIP]);
		w->end.zero = known.rule->set & BIT(CFI_RSP);
		return false;
	}
	if (known.rule)
		return full_step(w, known.cfi, known.rule);
	stop(w, UNWIND_NO_CFI, w->regs[CFI_RIP]);
	return frame_pointer_step(w);
}

static u32 walk(struct ascent *w, struct unwind_frame *frames, u32 max)
{
	const struct unwind_stack *s = w->stack;
	u32 nr = 0;

	memcpy(w->regs, s->regs, sizeof(w->regs));
	for (u32 i = 0; s->narrow && i < CFI_NR_REGS; i++)
		w->regs[i] = (u32)w->regs[i];
	w->known = s->known & (BIT(CFI_NR_REGS) - 1);
	w->exact = true;
	w->dropped = false;
	w->guided = false;
	w->turns = 0;
	w->cut = 0;
	if (~w->known & (BIT(CFI_RIP) | BIT(CFI_RSP))) {
		stop(w, UNWIND_NO_REGISTER, w->regs[CFI_RIP]);
		return 0;
	}
	do {
		if (nr == max) {
			stop(w, UNWIND_LIMIT, w->regs[CFI_RIP]);
			return nr;
		}
		frames[nr++] =
			(struct unwind_frame){ w->regs[CFI_RIP], w->regs[CFI_RSP], w->exact };
		if (w->full || s->narrow || (w->known & FAST) != FAST)
			continue;
		do
			nr = fast_steps(w, frames, nr, max);
		while (nr < max && learn(w));
	} while (step(w));
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
	};

	return texts[why];
}
