/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known at one instruction: which variables lie in which register and at which
 * distance from the frame, and where the frame is.
 *
 * Today all of it comes from the debug information, which says so anew for every address,
 * so moving on means letting facts begin and end. Values that flow from one instruction to the
 * next (registers and stack slots as constants, addresses and typed values) belong beside
 * them in struct state, with these facts as what every transfer takes in first.
 */
#ifndef TYPEFLOW_STATE_H
#define TYPEFLOW_STATE_H

#include <glib.h>

#include "dwarf/debuginfo.h"
#include "insn/insn.h"

struct state {
	struct debuginfo *debug;
	const struct func_vars *vars; /* NULL: nothing is known */
	u64 vaddr;
	u32 next; /* first location that has not begun */
	/* Indices of locations that hold at vaddr, perhaps with some that have ended. */
	GArray *in_register[INSN_NR_REGS]; /* LOCATION_REG, LOCATION_REG_PLUS; NULL: none yet */
	GArray *at_register[INSN_NR_REGS]; /* LOCATION_MEM_REG */
	GArray *in_frame;		   /* LOCATION_MEM_CFA */
	/* CFA = cfa_reg + cfa_offset, for instructions at [cfa_low, cfa_high). */
	u64 cfa_low, cfa_high;
	s64 cfa_offset;
	u8 cfa_reg; /* INSN_NO_REG: not known there */
};

void state_init(struct state *state, struct debuginfo *debug, const struct func_vars *vars);
void state_release(struct state *state);

/* Moves on to the instruction at @vaddr, which is not before the last one. */
void state_move(struct state *state, u64 vaddr);

/*
 * The next location of @list (one of the arrays above; NULL: empty) that holds at the
 * present instruction, NULL after the last. @at counts and begins at 0.
 */
const struct location *state_next(const struct state *state, const GArray *list, u32 *at);

static inline const struct variable *state_variable(const struct state *state,
						    const struct location *location)
{
	return &state->vars->variables[location->variable];
}

#endif
