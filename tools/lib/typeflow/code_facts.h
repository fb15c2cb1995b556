/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the debug information says of a function's registers and frame, made ready for the
 * analysis: per instruction the registers whose content begins to be known there, or is
 * said again after they were written, and the variables that lie in the frame.
 *
 * Worked out once for a function, in one walk by address; all rounds use it.
 */
#ifndef TYPEFLOW_CODE_FACTS_H
#define TYPEFLOW_CODE_FACTS_H

#include "typeflow/cfg.h"
#include "typeflow/value.h"

struct code_fact {
	u32 insn; /* holds before it */
	u8 reg;
	/* The value is in memory at the register: true of the pointer only where nothing else is known. */
	bool weak;
	/* The variable points to something beside what the register points to: of that alone it tells. */
	bool beside;
	u32 variable;
	struct value value;
};

/* A variable in memory at a register or the CFA, for instructions at [low, high). */
struct frame_row {
	s64 offset;
	s64 reach; /* the highest end of this row and those before it, of the same register */
	u64 low, high;
	u32 size, piece_offset;
	u32 variable;
	u8 reg;	   /* FACTS_CFA: the CFA */
	bool home; /* the variable is nowhere else, wherever it is in scope */
};

#define FACTS_CFA 0xfe

/*
 * Memory of the frame without a variable of its own, to which a variable points at [low, high): from
 * @at on, counted from the stack or the frame pointer, to where the next variable begins (INT64_MAX: there is none).
 */
struct nameless {
	s64 at, end;
	u64 low, high;
	const struct type *type;
	u8 reg;
};

struct code_facts {
	const struct func_vars *vars; /* NULL: nothing is said */
	struct code_fact *facts;      /* by insn */
	u32 nr;
	GArray *frame;		       /* struct frame_row, by reg, offset */
	GArray *nameless;	       /* struct nameless */
	u32 frame_first[INSN_NR_REGS]; /* first row of a register; CFG_NONE: none */
	u32 cfa_first;
	u64 frame_regs; /* of the registers below 64, which have rows */
	bool optimized;
	bool beside; /* some fact is */
};

struct code_facts *code_facts_new(const struct cfg *cfg, const struct func_vars *vars);
void code_facts_free(struct code_facts *facts);

/*
 * The variable of the frame that covers @at, counted from @reg (or FACTS_CFA), at the
 * instruction at @vaddr: the one that @width bytes fit in, then the larger, then the inner
 * one. *@offset is how far into it. NULL: none.
 */
const struct variable *code_facts_frame(const struct code_facts *facts, u8 reg, s64 at, u16 width,
					u64 vaddr, s64 *offset);

/*
 * The one variable of the function, in any scope, that has its only home around @at: compilers
 * store a variable's first value before its scope begins. In optimized code, where objects share
 * places, its scope must begin after @vaddr and not after @until. NULL: none, or more than one.
 */
const struct variable *code_facts_home(const struct code_facts *facts, u8 reg, s64 at, u16 width,
				       u64 vaddr, u64 until, s64 *offset);

#endif
