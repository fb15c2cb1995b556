/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state at one point of a function: the values of the registers, and the values stored into the frame's slots. A
 * slot has eight bytes and is found by its offset from the CFA.
 */
#ifndef TYPEFLOW_STATE_H
#define TYPEFLOW_STATE_H

#include <glib.h>

#include "insn/insn.h"
#include "typeflow/layout/value.h"

#define STATE_REGS  (X86_XMM15 + 1)
#define STATE_SLOTS 512

/* Larger offsets count from a realigned stack pointer, whose distance from the CFA is not known. */
#define STATE_REALIGNED ((s64)1 << 40)

/* A slot has eight bytes. A narrow slot holds a number of a known smaller type and has that type's size. */
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
	u64 escaped; /* bits of flow.escaped: the memory whose address other code may know */
	struct stack_slot *slots; /* by offset; room for STATE_SLOTS in a working state */
	u32 nr_slots;
	u32 nr_regs;	     /* the first nr_regs registers are tracked */
	struct value regs[]; /* STATE_REGS in a working state, else nr_regs */
};

/* A working state, which the functions below change. */
struct state *state_new(u32 nr_regs);
void state_free(struct state *state);
/* Copies @from into the working state @to. */
void state_copy(struct state *to, const struct state *from);

/* Memory for states that are freed together. Set to zero at first. */
struct state_pool {
	struct state_chunk *chunks;
	size_t left; /* unused bytes of the first chunk */
};

/* A copy without unused room; it lives until the pool is cleared. */
struct state *state_keep(struct state_pool *pool, const struct state *from);
void state_pool_clear(struct state_pool *pool);

/* The value in the eight bytes at CFA + @offset; NULL: not known. */
const struct value *state_slot(const struct state *state, s64 offset);
void state_set_slot(struct state *state, s64 offset, const struct value *value);
/* The same for a number whose type is smaller than eight bytes. */
const struct value *state_narrow_slot(const struct state *state, s64 offset);
void state_set_narrow_slot(struct state *state, s64 offset, const struct value *number);
/* Forgets all slots that overlap [offset, offset + size). */
void state_drop_slots(struct state *state, s64 offset, u64 size);

#endif
