/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does a step from this address take? The answers that an unwinder has got so far. Only unwind.c includes this.
 *
 * An answer is kept under a number for the process and its mappings (unwind_stack.space), and the address behind the one asked for:
 * for a caller that is the return address, as it was read from the stack. Where the answer of an address is not there, it is not
 * asked what is mapped: ranges of addresses are known, too.
 */
#ifndef UNWIND_LEARNED_H
#define UNWIND_LEARNED_H

#include "unwind/unwind.h"

#define LEARNED_ADDRESS_BITS 47
#define LEARNED_RANGES	     128u

enum step_base {
	BASE_FULL, /* this address takes the full step */
	BASE_RSP,
	BASE_RBP,
};

/* Of 16 bytes: a cache line has four. */
struct learned_step {
	u64 key;  /* 0: free */
	s32 cfa;  /* - the register that @base names; 0 where there is no fast step */
	s16 slot; /* where rbp was saved, in words from the CFA; as the return address: it was not */
	u8 base;  /* enum step_base */
	bool saves_rbp;
};

/* What the full step needs of the same address. Without a rule: code that has none. */
struct learned_rule {
	struct cfi *cfi;
	const struct cfi_rule *rule;
};

/* What is mapped in a process at code.start and code.size bytes from there on; 0: free. */
struct learned_range {
	struct unwind_code code;
	u16 space;
};

struct learned {
	u32 nr;	       /* of both, a power of 2 */
	u32 nr_pushed; /* answers pushed out by others of the same process, since then */
	struct learned_step *steps;
	struct learned_rule *rules;
	struct learned_range ranges[LEARNED_RANGES];
};

void learned_init(struct learned *l);
void learned_release(struct learned *l);
void learned_forget(struct learned *l);

/* Notes what is known of the address in front of @next. */
void learned_add(struct learned *l, u16 space, u64 next, const struct learned_rule *rule);

/* What is mapped at @address, if a range around it was noted. NULL: that is not known. */
const struct unwind_code *learned_code(const struct learned *l, u16 space, u64 address);
/* Notes @code for its range, if it states one with call-frame information. */
void learned_note_code(struct learned *l, u16 space, u64 address, const struct unwind_code *code);

/* 0: nothing can be noted. */
static inline u64 learned_key(u16 space, u64 next)
{
	return next >> LEARNED_ADDRESS_BITS ? 0 : (u64)space << LEARNED_ADDRESS_BITS | next;
}

/* Processes of one program have the same addresses, but should not push out each other's answers. */
static inline u64 learned_salt(u16 space)
{
	return space * 0x9e3779b1u;
}

/* Of the answer, in bytes from the first one, behind & (nr - 1) * sizeof(struct learned_step). A walk waits for it at each frame. */
static inline u64 learned_offset(u64 salt, u64 next)
{
	u64 h = next + salt;

	return h << 4 ^ h >> 8;
}

#endif
