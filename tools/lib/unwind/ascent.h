/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One walk up a stack: its state, and the steps that unwind.c chooses from. */
#ifndef UNWIND_ASCENT_H
#define UNWIND_ASCENT_H

#include <string.h>

#include "unwind/cfi.h"
#include "unwind/learned.h"
#include "unwind/unwind.h"

#define BIT(reg) (1u << (reg))

/* The registers that fast steps follow. */
#define FAST (BIT(CFI_RBP) | BIT(CFI_RSP) | BIT(CFI_RIP))

/* Registers that a called function preserves (System V ABI, AMD64 supplement, figure 3.4). */
#define KEPT (BIT(CFI_RBX) | BIT(CFI_RBP) | BIT(CFI_RSP) | 0xfu << CFI_R12 | BIT(CFI_RIP))

struct unwinder {
	const struct unwind_ops *ops;
	struct unwinder_stats stats;
	struct learned learned;
	struct insn_decoder *decoder; /* NULL: not needed yet, or there is none */
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
	bool landed;  /* rip is a landing (insn/x86-call.h) */
	bool exits;   /* ascent_return_step(): the thread ends after this function */
	u32 turns;
	struct unwind_end end;
	u32 cut; /* one bit per register that is unknown because the copy ends before its slot */
	u64 slots[CFI_NR_REGS]; /* the slots of the registers in @cut */
};

static inline bool ascent_stop(struct ascent *w, enum unwind_why why, u64 address)
{
	w->end = (struct unwind_end){ why, address, false };
	return false;
}

static inline bool ascent_in_copy(const struct unwind_stack *s, u64 address, u32 size)
{
	return (s->size >= size && address - s->address <= s->size - size) ||
	       (s->more.size >= size && address - s->more.address <= s->more.size - size);
}

/* The bytes of @address, which is in a copy. */
static inline const u8 *ascent_copied(const struct unwind_stack *s, u64 address)
{
	return address - s->address < s->size ? s->bytes + (address - s->address)
					      : s->more.bytes + (address - s->more.address);
}

/* Why @address is in no copy: it is above one, or below. */
static inline enum unwind_why ascent_missing(const struct unwind_stack *s, u64 address)
{
	return address >= s->address || (s->more.size && address >= s->more.address)
		       ? UNWIND_CUT
		       : UNWIND_BAD_MEMORY;
}

static inline u32 ascent_word_size(const struct ascent *w)
{
	return w->stack->narrow ? 4 : 8;
}

/* Addresses and registers of 32-bit code wrap around at 4 GiB. */
static inline u64 ascent_fit(const struct ascent *w, u64 value)
{
	return w->stack->narrow ? (u32)value : value;
}

static inline u64 ascent_copied_word(const struct ascent *w, u64 address)
{
	u64 v = 0;

	memcpy(&v, ascent_copied(w->stack, address), ascent_word_size(w));
	return v;
}

/*
 * Makes the caller's registers the present ones. False: the walk ends, because there is no caller or the stack pointer
 * does not move up.
 */
bool ascent_move_up(struct ascent *w, const u64 *regs, u32 known, bool signal);

/* Steps by a rule of any kind. False: the walk ends. */
bool ascent_rule_step(struct ascent *w, struct cfi *cfi, const struct cfi_rule *rule);

/*
 * Steps through code without rules: the caller's rbp is at rbp, and the return address is in the word after it. All
 * other registers become unknown. False: there is no plausible return address, and the walk ends.
 */
bool ascent_frame_step(struct ascent *w);

/* The landing that begins at @address (insn/x86-call.h); NULL: there is none. */
const struct x86_landing *ascent_landing(const struct ascent *w, u64 address);

/* The return address at @slot of the copy: mapped code behind a call, or a landing. 0: it is none. */
u64 ascent_return_address(const struct ascent *w, u64 slot);

/*
 * Steps through code without rules: follows its instructions to the return. False: they do not show where it is, or there
 * is no plausible return address, or the copy ends before it (the end says so).
 */
bool ascent_return_step(struct ascent *w);

/* After the steps failed: is this the thread's first function? Only with evidence for it. */
bool ascent_is_first(struct ascent *w);

/*
 * Is @address in the first instructions of a program, such as the dynamic linker's? They have no call-frame information
 * and no caller, but they call functions that have it.
 */
bool ascent_is_entry(const struct unwind_code *code, u64 address);

#endif
