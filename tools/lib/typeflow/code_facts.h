/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The debug information of a function's registers and frame, prepared for the analysis: for each instruction the registers
 * whose variable begins there, or begins again after a write; and the variables in the frame.
 *
 *	int sum(struct node *n)		DW_AT_location of n: %rdi in [0, 3), %rbx in [3, 20)
 *	0:  mov %rdi,%rbx		fact before 0: %rdi is ADDRESS(struct node, 0)
 *	3:  call next			fact before 3: %rbx is ADDRESS(struct node, 0)
 *
 * Computed once for each function, in one walk by address; all rounds use the result.
 */
#ifndef TYPEFLOW_CODE_FACTS_H
#define TYPEFLOW_CODE_FACTS_H

#include "typeflow/cfg.h"
#include "typeflow/value.h"

struct code_fact {
	u32 insn; /* the fact holds before it */
	u8 reg;
	/* The variable is in memory at the register. Use this type of the pointer only if no other is known. */
	bool weak;
	/* The variable points at a distance from the register: the type is of the object there only. */
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
	bool home; /* the variable's only place in all of its scope */
};

#define FACTS_CFA 0xfe

/*
 * Memory of the frame that no variable is in, but that a variable points to at [low, high). It begins at offset @at from the
 * stack or frame pointer and ends at the next variable (INT64_MAX: there is none).
 */
struct nameless {
	s64 at, end;
	u64 low, high;
	const struct type *type;
	u8 reg;
};

struct code_facts {
	const struct func_vars *vars; /* NULL: no debug information */
	struct code_fact *facts;      /* by insn */
	u32 nr;
	GArray *frame;		       /* struct frame_row, by reg, offset */
	GArray *nameless;	       /* struct nameless */
	u32 frame_first[INSN_NR_REGS]; /* first row of a register; CFG_NONE: none */
	u32 cfa_first;
	u64 frame_regs; /* bit set: the register has rows */
	bool optimized;
	bool beside; /* some fact is `beside` */
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
