/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does a step from this address take? The answers that an unwinder has got so far. Only unwind.c includes this.
 *
 * Processes have an object at different addresses, and the rules are the object's. So an answer belongs to an object and an
 * address in it, and each process has ranges that say which object is where:
 *
 *	ranges	process 1: 7f10'00000000, 2 MB: libc	process 2: 7f55'80000000, 2 MB: libc
 *	steps	libc 2a1b3: CFA is rsp + 48, ...
 *
 * An answer is found by a key, a number of 64 bits: 47 of the address, the object's number and a 1 above them. Where no range is
 * known, they are the process's address and the number of the process (unwind_stack.space), with a 0.
 */
#ifndef UNWIND_LEARNED_H
#define UNWIND_LEARNED_H

#include <glib.h>

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

/* Addresses [start, start + size) of a process have the keys from @key on. */
struct learned_range {
	u64 start, size; /* 0: free */
	u64 key;
	u16 space;
};

struct learned {
	u32 nr;	       /* of both, a power of 2 */
	u32 nr_pushed; /* answers pushed out since then */
	struct learned_step *steps;
	struct learned_rule *rules;
	GHashTable *objects; /* struct cfi * -> number */
	struct learned_range ranges[LEARNED_RANGES];
	struct unwind_code codes[LEARNED_RANGES]; /* of the range at the same place */
};

void learned_init(struct learned *l);
void learned_release(struct learned *l);
void learned_forget(struct learned *l);

/* Notes what is known of the address with @key. */
void learned_add(struct learned *l, u64 key, const struct learned_rule *rule);

/* Notes which object is at @address, if @code says so of a range. */
void learned_note_range(struct learned *l, u16 space, u64 address, const struct unwind_code *code);

/* The entry of @key in bytes, of which the lower ones count: as many as there are entries. */
static inline u64 learned_hash(u64 key)
{
	return key * 0x9e3779b97f4a7c15ull >> 32;
}

static inline u32 learned_place(const struct learned *l, u64 key)
{
	return (u32)(learned_hash(key) / sizeof(struct learned_step)) & (l->nr - 1);
}

static inline u32 learned_range_place(u16 space, u64 address)
{
	return ((u32)(address >> 21) + space * 31u) * 0x9e3779b1u >> 25;
}

/* What is known of @address: a range, or that address alone. */
static inline struct learned_range learned_range(const struct learned *l, u16 space, u64 address)
{
	const struct learned_range *r = &l->ranges[learned_range_place(space, address)];

	if (address - r->start < r->size && r->space == space)
		return *r;
	return (struct learned_range){ address, 1, (u64)space << LEARNED_ADDRESS_BITS | address,
				       space };
}

/* What is mapped at @address; NULL: no range is known. */
static inline const struct unwind_code *learned_code(const struct learned *l, u16 space,
						     u64 address)
{
	u32 at = learned_range_place(space, address);
	const struct learned_range *r = &l->ranges[at];

	return address - r->start < r->size && r->space == space ? &l->codes[at] : NULL;
}

/* 0: nothing can be noted. */
static inline u64 learned_key(const struct learned *l, u16 space, u64 address)
{
	struct learned_range r;

	if (address >> LEARNED_ADDRESS_BITS)
		return 0;
	r = learned_range(l, space, address);
	return address - r.start + r.key;
}

#endif
