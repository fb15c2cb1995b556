/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known at one point of a function: the registers' values, and those that were
 * stored into slots of the frame, eight bytes each by their distance from the CFA.
 */
#ifndef TYPEFLOW_STATE_H
#define TYPEFLOW_STATE_H

#include <glib.h>

#include "insn/insn.h"
#include "typeflow/value.h"

#define STATE_REGS  (X86_XMM15 + 1)
#define STATE_SLOTS 512

/* Above this an offset counts from a realigned stack pointer, whose distance is not known. */
#define STATE_REALIGNED ((s64)1 << 40)

/* Eight bytes, or a narrow one: a number of a known type that is smaller, and of its size. */
struct stack_slot {
	s64 offset;
	struct value value;
};

#define SLOT_NARROW NR_ACCESS_WHY /* the detail of a narrow slot's value */

static inline bool slot_is_narrow(const struct stack_slot *slot)
{
	return slot->value.detail == SLOT_NARROW;
}

struct state {
	u64 escaped;		  /* bits: of flow.escaped, those whose address somebody may have */
	struct stack_slot *slots; /* by offset; room for STATE_SLOTS in a working state */
	u32 nr_slots;
	u32 nr_regs;	     /* that are followed: the first of all */
	struct value regs[]; /* STATE_REGS in a working state, else nr_regs */
};

/* A working state, which the functions below change. */
struct state *state_new(u32 nr_regs);
void state_free(struct state *state);
/* What @from says into the working state @to. */
void state_copy(struct state *to, const struct state *from);

/* Memory for states that are forgotten together; all zero at first. */
struct state_pool {
	struct state_chunk *chunks;
	size_t left; /* bytes of the first of them */
};

/* A copy of fitting size, which lives until the pool is cleared. */
struct state *state_keep(struct state_pool *pool, const struct state *from);
void state_pool_clear(struct state_pool *pool);

/* NULL: nothing is known of the eight bytes there. */
const struct value *state_slot(const struct state *state, s64 offset);
void state_set_slot(struct state *state, s64 offset, const struct value *value);
/* The same of a number, as large as its type, which is less. */
const struct value *state_narrow_slot(const struct state *state, s64 offset);
void state_set_narrow_slot(struct state *state, s64 offset, const struct value *number);
/* Forgets what overlaps [offset, offset + size). */
void state_drop_slots(struct state *state, s64 offset, u64 size);

#endif
