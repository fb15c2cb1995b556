/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One function under analysis: what its parts share. typeflow.c makes one, runs it and keeps
 * the table of answers; nothing of this outlives that.
 */
#ifndef TYPEFLOW_FLOW_H
#define TYPEFLOW_FLOW_H

#include "dwarf/protos.h"
#include "typeflow/code_facts.h"
#include "typeflow/infer.h"
#include "typeflow/state.h"

#define MAX_ESCAPED 64 /* bits of state.escaped */

/* Memory of the frame that somebody else has the address of. */
struct frame_extent {
	s64 low;
	u64 size;
};

/* What of what it was given a function returns. */
enum returns { RETURNS_OWN, RETURNS_FIRST, RETURNS_INTO_FIRST, RETURNS_SECOND_INTO };

/* Who is called at an address. */
struct callee {
	u64 target;
	u32 unit; /* that it was asked for in, where what it declares is all that is known; else 0 */
	const struct proto *proto; /* NULL: not known */
	const char *name;	   /* in the symbol table; NULL: indirect */
	bool altered;		   /* by the compiler: its parameters need not be the proto's */
	bool no_return;
	bool keeps;  /* changes no register */
	u8 thunk;    /* of a retpoline: the register that it jumps through; else INSN_NO_REG */
	u8 returned; /* what it returns of what it was given: enum returns */
};

/* Those that were looked up last, at a place by the address. */
#define RECENT_CALLEES 256

struct object {
	struct dso *dso;
	struct debuginfo *debug; /* NULL: no debug information */
	struct data_image *image;
	GHashTable *callees; /* struct callee *, by target and unit: those asked for so far */
	struct callee *
		*recent_callees; /* RECENT_CALLEES of those of no unit; NULL: none there yet */
	struct content_memo *contents; /* load.c's */
	bool kernel;
};

struct flow {
	const struct object *object;
	const struct cfg *cfg;
	const struct code_facts *facts;
	struct asker asker;	   /* the function */
	const struct proto *proto; /* its own; NULL: not known */
	bool altered;		   /* by the compiler: its parameters need not be the proto's */
	bool merged;		   /* it is several functions: merged.c */
	s64 this_offset;  /* a thunk's: the object that it is called on begins so far before */
	s64 this_virtual; /* the same, but the distance stands there in the virtual table; else 0 */
	u32 this_table;	  /* the maker of that table's address; 0: not loaded yet */
	struct infer *infer;
	struct state **in;	/* by block: what holds at its start; NULL: not reached */
	struct state_pool pool; /* where those are */
	struct value *out;	/* by block, INFER_REGS each: what a round's last walk ended with */
	struct state *now;	/* before (and, when transferred, after) the present instruction */
	u32 insn;		/* the present one */
	u64 vaddr;		/* where variables are looked up: its address, or behind a store */
	u32 fact;		/* the first fact not yet applied */
	bool answering;		/* the last walk over a block in a round */
	bool noting;		/* the same, of all of the function: uses are noted */
	GArray *escaped;	/* struct frame_extent: what state.escaped has bits for */
	u32 unknown;		/* memory operands without an answer so far */
	u32 round;		/* the next one */
	bool more;		/* another round may tell something of them */
	struct access *answers; /* by instruction; filled by the last walk; NULL: not wanted */
	const u8 *asked;	/* by instruction: it is to be answered; NULL: all are */
	bool widen;		/* values meet in a loop: what grows has no known end */
	u8 *leading;		/* by block: see cfg_leading(); NULL: all of it is walked */
	u8 absent;		/* enum access_why where there are no variables */
};

/* With object, code and its facts given, and answers, which are the caller's to fill and release's to free. */
void flow_init(struct flow *flow);

/*
 * Runs rounds, from flow->round on, until instruction @until has an answer, and at least one; the
 * first of several answers that an instruction gets stays. CFG_NONE: one only.
 */
void flow_run(struct flow *flow, u32 until);

/*
 * Answers the instructions of flow->asked alone, as flow_run()'s first round does: what leads to
 * none of them is not walked. False where that is no less work than all, or does not answer all of
 * them; flow_run() then begins anew.
 */
bool flow_run_asked(struct flow *flow);

/* What a later flow of the function takes to go on from flow->round; NULL: there is no more to know. */
struct infer *flow_suspend(struct flow *flow);
void flow_resume(struct flow *flow, struct infer *infer, u32 round);

/* Frees what a run made or was given to work on; not the object, the code and its facts. */
void flow_release(struct flow *flow);

/* flow.c: for --why, the state before instruction @insn, in flow->now. */
bool flow_state_at(struct flow *flow, u32 insn);

/* load.c: answers that are asked for again and again. */
struct content_memo *content_memo_new(void);

/* transfer.c: the present instruction on flow->now. */
void transfer(struct flow *flow, const struct insn *insn);
/* address.c: the address that a memory operand means. */
struct value transfer_address(struct flow *flow, const struct insn *insn,
			      const struct insn_operand *op);
/* load.c: what @width bytes at @address hold. */
struct value transfer_load(struct flow *flow, const struct value *address, u16 width, u32 maker);
/* The distance from the thread pointer of what a slot is for. */
struct value transfer_tls_gap(struct flow *flow, const struct reloc_slot *slot, u32 maker);
/* address.c: writes a register's value, what was inferred for its maker put in. */
void transfer_set(struct flow *flow, u8 reg, struct value value);
/* load.c: a value of the type @type, of which @width bytes at @offset are meant. */
struct value transfer_typed(struct flow *flow, const struct type *type, u64 offset, u16 width,
			    u8 how, u32 maker);

/* callee.c */
GHashTable *call_table_new(void);
/* What is known of the function itself at @target, whoever asks. */
const struct callee *callee_itself(const struct object *object, u64 target);
/* Whom @insn calls, or jumps to. */
struct callee callee_find(struct flow *flow, const struct insn *insn);
bool call_no_return(void *object, const struct insn *insn);

/* calls.c */
void call_transfer(struct flow *flow, const struct insn *insn);
/* A jump that leaves the function: what it passes is noted. */
void call_tail(struct flow *flow, const struct insn *insn);
/* What the calling convention puts into registers that no variable is said to be in. */
void call_entry(struct flow *flow, struct state *state);

/* variable_at.c */
/* The frame's variable at CFA + @offset, or NULL. */
const struct variable *operand_frame(struct flow *flow, s64 offset, u16 width, s64 *into);
/* The variable with a fixed address around @address: its type, and how far into it that is. */
bool operand_variable(struct flow *flow, const struct value *address, u16 width,
		      const struct type **type, s64 *into, u8 *how);
/* A pointer into a variable of known address, as a pointer into a type; false: none known. */
bool operand_as_typed(struct flow *flow, const struct value *address, struct value *typed);

/* operand.c: where the address lies; fills @out's type, offset, how or why. */
void operand_resolve(struct flow *flow, const struct value *address, u16 width,
		     const struct insn_operand *op, struct access *out);
/*
 * kept.c: of the slot at CFA + @offset, which is no variable's yet: the variable that it is once the
 * value is there, or else the type of the value that is put into, or lies in it; false: it is not known.
 */
bool kept_resolve(struct flow *flow, s64 offset, u16 width, const struct insn_operand *op,
		  struct access *out);
/*
 * next_best.c: where @out, of an @address, is nothing, or beside what the address is said to point to: fills it by
 * the next best that is known of the address; false: nothing fits.
 */
bool answer_next_best(struct flow *flow, const struct value *address, u16 width,
		      const struct insn_operand *op, struct access *out);
/* answer.c: what the instruction touches, the pseudo types and the reasons included. */
void answer_access(struct flow *flow, const struct insn *insn, struct access *out);

/* shape.c: ends a round that told nothing else; true where an object's shape told what it is. */
bool shape_decide(struct flow *flow);

/* thunk.c */
/* Fills @flow's prototype and this_* where @name, of its function, is a thunk's. */
void thunk_find(const struct object *object, const char *name, struct flow *flow);
/* The register that a thunk was given `this` in, as it was, and perhaps moved. */
bool thunk_is_this(const struct flow *flow, const struct value *value);
/* @address is where the table has the distance to the object: @value is that. */
bool thunk_load_gap(struct flow *flow, const struct value *address, u16 width, u32 maker,
		    struct value *value);

/* merged.c */
/* The function at @symbol, of which @proto is known, is also another with the same code. */
bool merged_is(const struct object *object, const struct symbol *symbol, const struct proto *proto);
/* Takes back of an answer in such a function what may differ between the two. */
void merged_doubt(struct access *access);

/* join.c */
struct value join_values(struct flow *flow, const struct value *a, const struct value *b,
			 u32 maker);
/* Merges @from into what holds at @block's start; true where that changed. */
bool join_block(struct flow *flow, u32 block, const struct state *from);

#endif
