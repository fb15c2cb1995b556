/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cache of an unwinder: which kind of step does an address need? Only unwind.c includes this.
 *
 * The key of an answer is a number for the process and its mappings (unwind_stack.space), and the address plus 1. For a
 * caller, address plus 1 is the return address, as read from the stack. Ranges of mapped addresses are cached, too. So
 * a new address in a known range needs no look-up of the mapping.
 */
#ifndef UNWIND_LEARNED_H
#define UNWIND_LEARNED_H

#include "unwind/unwind.h"

#define LEARNED_ADDRESS_BITS 47
#define LEARNED_RANGES	     128u

enum step_base {
	BASE_FULL, /* this address needs the full step */
	BASE_RSP,
	BASE_RBP,
};

/* 16 bytes: a cache line holds four. */
struct learned_step {
	u64 key; /* 0: free */
	s32 cfa; /* CFA - the register that @base names; 0: there is no fast step */
	/* where rbp was saved, in words from the CFA; if it equals the return address's slot: not saved */
	s16 slot;
	u8 base; /* enum step_base */
	bool saves_rbp;
};

/* The facts for a full step at the same address. @rule NULL: code without a rule. */
struct learned_rule {
	struct cfi *cfi;
	const struct cfi_rule *rule;
};

/* The mapping of a process at [code.start, code.start + code.size); code.size 0: free. */
struct learned_range {
	struct unwind_code code;
	u16 space;
};

struct learned {
	u32 nr; /* size of @steps and of @rules, a power of 2 */
	/* answers evicted by other answers of the same process, since @nr changed or learned_forget() */
	u32 nr_pushed;
	struct learned_step *steps;
	struct learned_rule *rules;
	struct learned_range ranges[LEARNED_RANGES];
};

void learned_init(struct learned *l);
void learned_release(struct learned *l);
void learned_forget(struct learned *l);

/* Adds what is known about the address before @next. */
void learned_add(struct learned *l, u16 space, u64 next, const struct learned_rule *rule);

/* The mapping at @address, if a range around it is cached. NULL: not cached. */
const struct unwind_code *learned_code(const struct learned *l, u16 space, u64 address);
/* Caches @code for its range, if @code states a range and has call-frame information. */
void learned_note_code(struct learned *l, u16 space, u64 address, const struct unwind_code *code);

/* The key; 0: the address cannot be cached. */
static inline u64 learned_key(u16 space, u64 next)
{
	return next >> LEARNED_ADDRESS_BITS ? 0 : (u64)space << LEARNED_ADDRESS_BITS | next;
}

/* Processes of the same program have the same addresses. The salt keeps them from evicting each other's answers. */
static inline u64 learned_salt(u16 space)
{
	return space * 0x9e3779b1u;
}

/*
 * Byte offset of the answer from the first one, before masking with (nr - 1) * sizeof(struct learned_step). A walk
 * computes it for each frame, so it must be fast.
 */
static inline u64 learned_offset(u64 salt, u64 next)
{
	u64 h = next + salt;

	return h << 4 ^ h >> 8;
}

#endif
