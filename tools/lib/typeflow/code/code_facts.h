/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The debug information of a function's registers and frame, prepared for the analysis. For each instruction: the
 * registers whose variable begins there, or continues after a write. And the variables in the frame.
 *
 *	int sum(struct node *n)		DW_AT_location of n: %rdi in [0, 3), %rbx in [3, 20)
 *	0:  mov %rdi,%rbx		fact before 0: %rdi is ADDRESS(struct node, 0)
 *	3:  call next			fact before 3: %rbx is ADDRESS(struct node, 0)
 *
 * Computed once for each function, in one walk by address; all rounds use the result.
 */
#ifndef TYPEFLOW_CODE_FACTS_H
#define TYPEFLOW_CODE_FACTS_H

#include "typeflow/code/cfg.h"
#include "typeflow/layout/value.h"

struct code_fact {
	u32 insn; /* the fact holds before it */
	u8 reg;
	/* The variable itself is in memory at the register's address. Use this type only if no other is known. */
	bool weak;
	/* The variable points at a distance from the register, so the fact is only about the object there. */
	bool beside;
	/* The variable may have been assigned just before. Use this type only if nothing is known of the register. */
	bool untracked;
	/* Another variable that points to the same object, as a structure that is no part of the last fact's. */
	bool other;
	u32 variable;
	struct value value;
};

/* A variable in memory at a register or the CFA, for instructions at [low, high). */
struct frame_row {
	s64 offset;
	s64 reach; /* the highest end of this row and all rows before it, of the same register */
	u64 low, high;
	u32 size, piece_offset;
	u32 variable;
	u8 reg;	   /* FACTS_CFA: the CFA */
	bool home; /* the variable has no other place in its scope */
};

/* A pointer variable of which only the parts are in registers, at [low, high): @base + @index * @scale + @offset. */
struct indexed {
	u64 low, high;
	const struct type *target; /* a structure */
	s64 offset;
	u8 base, index, scale;
};

#define FACTS_CFA 0xfe

/*
 * Memory of the frame that holds no variable, but to which a variable points at [low, high). It begins at offset @at
 * from the stack or frame pointer and ends at the next variable (INT64_MAX: there is none).
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
	u32 *first;		       /* by block: the first fact in it, or behind it */
	GArray *frame;		       /* struct frame_row, by reg, offset */
	GArray *nameless;	       /* struct nameless */
	GArray *indexed;	       /* struct indexed */
	u32 frame_first[INSN_NR_REGS]; /* first row of a register; CFG_NONE: none */
	u32 cfa_first;
	u64 frame_regs; /* bit set: the register has rows */
	bool moves;	/* a variable changes its place: the compiler optimized at least a little */
	bool optimized; /* more than one in five does */
	bool beside;	/* some fact has `beside` set */
};

/* Code that is not optimized: each variable is in memory. */
static inline bool code_facts_plain(const struct code_facts *facts)
{
	return !facts->moves && facts->frame->len;
}

struct code_facts *code_facts_new(const struct cfg *cfg, const struct func_vars *vars);
void code_facts_free(struct code_facts *facts);

/*
 * The variable in the frame that covers @at, an offset from @reg (or FACTS_CFA), at the instruction at @vaddr. Of
 * several: first one that contains all @width bytes, then the larger, then the inner scope's. out: *@offset: bytes
 * into it. NULL: none.
 */
const struct variable *code_facts_frame(const struct code_facts *facts, u8 reg, s64 at, u16 width,
					u64 vaddr, s64 *offset);

/* The register that holds all of @variable at @vaddr, or INSN_NO_REG. */
u8 code_facts_register(const struct code_facts *facts, const struct variable *variable, u64 vaddr);

/*
 * True if @vaddr is in the variable's scope. A location may cover more code than that: instructions of the caller lie
 * between instructions of an inlined function, whose `this` has a base class's type.
 */
bool code_facts_in_scope(const struct func_vars *vars, const struct variable *variable, u64 vaddr);

/*
 * The only variable of the function, in any scope, whose single place covers @at: compilers store a variable's first
 * value before its scope begins. In optimized code variables share memory, so there its scope must begin after @vaddr
 * and at or before @until. NULL: none, or more than one.
 */
const struct variable *code_facts_home(const struct code_facts *facts, u8 reg, s64 at, u16 width,
				       u64 vaddr, u64 until, s64 *offset);

/* The pointer variable at @vaddr whose value is the address of an operand without its displacement. NULL: none. */
const struct indexed *code_facts_indexed(const struct code_facts *facts, u64 vaddr,
					 const struct insn_mem *mem);

#endif
