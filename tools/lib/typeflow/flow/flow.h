/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The analysis of one function: the data that its files share. analyse.c creates a flow, runs it, keeps the
 * table of answers, and frees the flow.
 *
 * Words: a transfer function says what one instruction does to the state (the values of registers and stack slots).
 * A join merges the states of two paths. A maker is the point that defines a value: an instruction, a register at
 * the function's entry, or a join (a phi). A round walks all blocks until no state changes.
 */
#ifndef TYPEFLOW_FLOW_H
#define TYPEFLOW_FLOW_H

#include "dwarf/protos.h"
#include "typeflow/code/clones.h"
#include "typeflow/code/code_facts.h"
#include "typeflow/flow/infer.h"
#include "typeflow/flow/prospects.h"
#include "typeflow/flow/state.h"

#define LOST_SLOTS  1024 /* those that have a bit in flow.lost */
#define MAX_ESCAPED 64	 /* bits of state.escaped */

/* Memory of the frame whose address escaped: it was passed to a call in a register. */
struct frame_extent {
	s64 low;
	u64 size;
};

/*
 * The return value of a function: a value of its own, its first argument, an address inside of the object that its
 * first argument points to, or one inside of the object that its second argument points to.
 */
enum returns { RETURNS_OWN, RETURNS_FIRST, RETURNS_INTO_FIRST, RETURNS_SECOND_INTO };

/* The function at an address that is called. */
struct callee {
	u64 target;
	u32 unit; /* asking unit, if the prototype comes from its declaration; 0 otherwise */
	const struct proto *proto; /* NULL: not known */
	const char *name;	   /* in the symbol table; NULL: indirect */
	bool altered;		   /* by the compiler: its parameters need not be the proto's */
	bool no_return;
	bool twice;  /* setjmp(): it returns again later */
	bool keeps;  /* it changes no register */
	u8 thunk;    /* retpoline thunk: the register it jumps through; INSN_NO_REG: no thunk */
	u8 returned; /* enum returns */
};

/* Size of the cache of callees that were looked up last; the address selects the slot. */
#define RECENT_CALLEES 256

struct object {
	struct dso *dso;
	struct debuginfo *debug; /* NULL: no debug information */
	struct data_image *image;
	GHashTable *callees; /* struct callee *, by target and unit: those looked up so far */
	struct callee **
		recent_callees; /* the cache: RECENT_CALLEES slots, for callees that are the same for all units */
	struct content_memo *contents; /* load.c's */
	struct header_memo *headers;   /* headers.c's */
	struct insn_decoder *decoder;
	struct clones *clones; /* callers.c's */
	bool kernel;
};

struct flow {
	const struct object *object;
	const struct cfg *cfg;
	const struct code_facts *facts;
	struct passed_objects *passed; /* NULL: none */
	GPtrArray *near;	       /* near.c's, const struct type *; NULL: not asked for yet */
	struct asker asker;	       /* the function */
	const struct proto *proto;     /* its own; NULL: not known */
	bool altered;		       /* by the compiler: its parameters need not be the proto's */
	bool of_go;	 /* compiled from Go; false: no rule of Go's applies, so none is tried */
	bool go;	 /* the same, with the calling convention ABIInternal */
	bool merged;	 /* identical code folding: several functions share the code (merged.c) */
	s64 this_offset; /* C++ thunk: bytes from the start of the object to `this` */
	s64 this_virtual; /* C++ thunk: offset in the virtual table where that distance is stored; else 0 */
	u32 this_table; /* maker of the virtual table's address; 0: not loaded yet */
	struct infer *infer;
	GArray *wanted; /* u32 instruction: rounds run until these have answers, too; NULL: none */
	bool part; /* others need no answer. After flow_run(): they have none (it may turn false) */
	u8 *settled; /* by instruction: no further round finds an answer; NULL: none is */
	struct prospects *prospects; /* by these it is found; NULL: not recorded */
	struct state **in;	     /* by block: the state at its start; NULL: not reached */
	struct state_pool pool;	     /* memory for these states */
	struct value *out; /* by block, INFER_REGS each: values at its end after the last walk */
	struct state
		*now; /* before the present instruction; transfer() changes it to the state after */
	u32 insn;     /* the present one */
	u64 vaddr; /* address for look-ups of variables: the instruction's, or the one behind it */
	u32 fact;  /* the first fact not yet applied */
	bool answering; /* the last walk over a block in a round */
	bool noting;	/* the last walk in a round over the whole function: uses are recorded */
	u64 lost[LOST_SLOTS / 64]; /* one bit for each slot: see lost.c */
	GArray *escaped;	   /* struct frame_extent, one for each bit of state.escaped */
	u32 unknown;		   /* memory operands without an answer so far */
	u64 walked;		   /* instructions, once for each walk over them */
	u32 round;		   /* the next one */
	bool more;		   /* another round may find answers */
	struct access
		*answers; /* by instruction; filled by the last walk; NULL: no answers wanted */
	const u8 *asked;  /* by instruction: an answer is wanted; NULL: of all */
	bool skips_rests; /* see is_dead_end() */
	bool widen;	  /* joins are in a loop: widen spans that grow to "no known end" */
	u8 *leading;	  /* by block: see cfg_leading(); NULL: all blocks are walked */
	u8 *ready;	  /* by block: its state is final in this round; NULL: none is */
	GArray *exits;	  /* struct block_exit: the paths from blocks that are ready to others */
	u32 group;	  /* the present one, in cfg.groups */
	struct frame_answer
		*frames; /* variable_at.c's cache of operand_frame(); NULL: not used yet */
	u32 nr_frames;
	u8 absent; /* enum access_why if there are no variables */
	bool (*ask_callers)(
		struct flow *flow); /* callers_decide(); NULL: its callers are not looked at */
};

/*
 * flow_open.c: reads the function of these @ranges (the first one has the entry) of flow->object. If its code was
 * read before, it is in flow->cfg, which flow_close() frees. False: its code cannot be read, then only flow_close() is
 * allowed. The caller then sets answers; flow_close() frees them.
 */
bool flow_open(struct flow *flow, const struct range *ranges, u32 nr_ranges);
void flow_close(struct flow *flow);

/* Needs object, cfg and facts. */
void flow_init(struct flow *flow);

/*
 * Runs at least one round, and more until instruction @until has an answer or no round can find one. CFG_NONE: one
 * round. The first answer that an instruction gets stays. With flow->part, a round ends as soon as the blocks that lead to
 * flow->wanted are walked, if all of these have an answer then.
 */
void flow_run(struct flow *flow, u32 until);

/* For flow_state_at() of the instructions that are @wanted (by instruction). Without answers, and no round may follow. */
void flow_walk_to(struct flow *flow, const u8 *wanted);

/*
 * The inferred types, so that a later flow of the function can continue at flow->round; NULL: no further round would
 * help.
 */
struct infer *flow_suspend(struct flow *flow);
void flow_resume(struct flow *flow, struct infer *infer, u32 round);

/* Frees all but the object, the cfg and the facts. */
void flow_release(struct flow *flow);

/* flow.c: sets flow->now to the state before instruction @insn, for --why. */
bool flow_state_at(struct flow *flow, u32 insn);

/* load.c: cache of the types that lie at an offset of a type. */
struct content_memo *content_memo_new(void);

/* headers.c: cache of the structures that begin with, or end in, a type. */
struct header_memo *header_memo_new(void);
void header_memo_free(struct header_memo *memo);

/* facts.c */
/* Applies the facts at the present instruction; flow->fact is the next one. */
void facts_step(struct flow *flow);

/* transfer.c: applies the transfer function of the present instruction to flow->now. */
void transfer(struct flow *flow, const struct insn *insn);
/* address.c: the address of a memory operand. */
struct value transfer_address(struct flow *flow, const struct insn *insn,
			      const struct insn_operand *op);
/* load.c: the value of the @width bytes at @address. */
struct value transfer_load(struct flow *flow, const struct value *address, u16 width, u32 maker);
/* The distance from the thread pointer to the variable that a GOT slot is for. */
struct value transfer_tls_gap(struct flow *flow, const struct reloc_slot *slot, u32 maker);
/* address.c: sets a register. If a type was inferred for the value's maker, the register gets that type. */
void transfer_set(struct flow *flow, u8 reg, struct value value);
/* load.c: the value of the @width bytes at @offset of an object of @type. */
struct value transfer_typed(struct flow *flow, const struct type *type, u64 offset, u16 width,
			    u8 how, u32 maker);

/* callee.c */
GHashTable *call_table_new(void);
/* The callee at @target by its definition alone, independent of the asking unit. */
const struct callee *callee_itself(const struct object *object, u64 target);
/* The function that @insn calls or jumps to. */
struct callee callee_find(struct flow *flow, const struct insn *insn);
bool call_no_return(void *object, const struct insn *insn);

/* calls.c */
void call_transfer(struct flow *flow, const struct insn *insn);
/* A tail call: records the arguments as uses. */
void call_tail(struct flow *flow, const struct insn *insn);
/* Sets parameter registers by the calling convention, if the debug information has no location for them. */
void call_entry(struct flow *flow, struct state *state);

/* go.c, go_known.c: rules of Go's calling convention and of its runtime, for functions of Go */
/* For flow->go. */
bool go_find(const struct flow *flow);
/* Sets the register of the goroutine. */
void go_enter(struct flow *flow, struct state *state);
/* After a call: sets the results' registers. @types: the values of the integer registers before it, by DWARF number. */
void go_set_results(struct flow *flow, const struct callee *callee, const struct value *before);
/* Before a call: records the arguments of the runtime's functions that handle memory of a type given at run time. */
void go_note_arguments(struct flow *flow, const struct callee *callee);
/*
 * A variable that the closure has captured, at @address, by the offset that the debug information states or by the variable that
 * @insn loads. False: @address is elsewhere, or the variable is not known.
 */
bool go_captured(struct flow *flow, const struct insn *insn, const struct insn_operand *op,
		 const struct value *address, struct access *out);
/* True for a function of the runtime that only reads the memory that it gets as an untyped pointer. */
bool go_only_reads(const struct callee *callee);
/* True if @address is in the closure that the function was called with. */
bool go_is_context(const struct flow *flow, const struct value *address);
/* The type of the thread's slot with the goroutine's address, if @mem is that slot; else NULL. */
const struct type *go_goroutine_slot(const struct flow *flow, const struct insn_mem *mem);
/* The type whose descriptor's address @value is, or NULL. */
const struct type *go_described(const struct flow *flow, const struct value *value);
/* True if @address is behind the first word of a closure: of any captured variable. */
bool go_is_closure(const struct flow *flow, const struct value *address);
/* Before a return: records the results. */
void go_note_results(struct flow *flow);
/* The runtime's functions that keep registers: those that fill or copy memory, or get more stack. True: @callee is one. */
bool go_keeps(struct flow *flow, const struct callee *callee);

/* go_cases.c: where a type switch or an assertion has compared an interface's first word */
struct go_case {
	u32 target;	    /* block of the jump's target */
	bool equal;	    /* the jump is taken if the words are equal */
	u32 maker;	    /* of the interface's second word */
	struct value value; /* the second word where they are equal */
};
/* Does @block, of which flow->now is the state at the end, end in such a comparison? */
bool go_find_case(struct flow *flow, const struct block *block, struct go_case *found);
/* Gives the second word its value in the state behind the jump. */
void go_enter_case(struct state *state, const struct go_case *found);

/* escape.c */
/*
 * The address @value escapes: from now on other code may write that memory of the frame. @reach: bytes there; 0: not known.
 */
void escape_address(struct flow *flow, const struct value *value, u64 reach);
/* The same for the addresses in the bytes of the frame that are read as a whole, or by an index. @width in bytes. */
void escape_read(struct flow *flow, const struct value *address, u16 width);
/* As escape_address(), in another state than flow->now. */
void escape_within(struct flow *flow, struct state *state, const struct value *value);
/* True if the address of the slot at @offset escaped. */
bool escape_has(const struct flow *flow, s64 offset);
/* Forgets the content of the memory that escaped and that may contain an object of @size bytes. */
void escape_drop(struct flow *flow, u64 size, bool by_type);

/* variable_at.c */
/* The frame's variable at CFA + @offset, or NULL. */
const struct variable *operand_frame(struct flow *flow, s64 offset, u16 width, s64 *into);
/*
 * The variable at a fixed address that contains @address. out: *@type; *@into: bytes into the variable; *@how: enum
 * access_how.
 */
bool operand_variable(struct flow *flow, const struct value *address, u16 width,
		      const struct type **type, s64 *into, u8 *how);
/* Turns an address in a variable into a pointer into the variable's type. False: no variable is known there. */
bool operand_as_typed(struct flow *flow, const struct value *address, struct value *typed);

/* operand.c: finds the type at the address; sets @out's type and offset, and how or why. */
void operand_resolve(struct flow *flow, const struct value *address, u16 width,
		     const struct insn_operand *op, struct access *out);
/*
 * kept.c: answers for the stack slot at CFA + @offset, which holds no variable at this instruction: the variable that
 * begins to live there with this store, else the type of the value in the slot (a spill). False: neither is known.
 */
bool kept_resolve(struct flow *flow, s64 offset, u16 width, const struct insn_operand *op,
		  struct access *out);
/*
 * next_best.c: if @out has no type, or lies outside of the type that @address points to, tries the weaker facts
 * about the address. False: none fits.
 */
bool answer_next_best(struct flow *flow, const struct value *address, u16 width,
		      const struct insn_operand *op, struct access *out);
/*
 * headers.c: the number of structures around the header that @address points outside of which have a number of @width
 * bytes and one of the kinds @numbers (enum type_number; 0: any) there. In the first round 0: the pointer may turn out to
 * be into an array. out: *@spot: the place in one of them; *@target: what all of them point to there, or NULL.
 */
struct spot;
u32 header_find(struct flow *flow, const struct value *address, u16 width, u8 numbers,
		struct spot *spot, const struct type **target);
/* bound.c: moves @address to its array, if accesses before it show that the index does not begin at 0. */
void bound_index(const struct flow *flow, const struct insn_operand *op, struct value *address);
/* answer.c: the type that the instruction accesses, a pseudo type, or the reason why there is none. */
void answer_access(struct flow *flow, const struct insn *insn, struct access *out);
/* The same for an instruction without a memory operand, which tells all by itself. False: it has one. */
bool answer_alone(const struct insn *insn, struct access *out);
/* Answers the question about instruction @insn, if no values of registers are needed for it. */
bool answer_fixed(struct flow *flow, u32 insn);

/*
 * shape.c: at the end of a round that found nothing: infers types from the set of accessed offsets. True: it found
 * one.
 */
bool shape_decide(struct flow *flow);
/* True if shape_decide() may yet infer a type from @shape. */
bool shape_may_tell(struct flow *flow, const struct shape *shape);

/*
 * callers.c: at the end of a round of a clone: infers types of its parameters from all call sites. True: it found one.
 */
bool callers_decide(struct flow *flow);
/* True if callers_decide() may yet infer types of the parameters. */
static inline bool callers_may_tell(const struct flow *flow)
{
	return flow->altered && flow->object->debug && !flow->infer->callers_asked;
}

/*
 * near.c: in a translation of BTF, the structures with a @part among those that the prototypes of the functions around this
 * one name. Returns their number, at most @max: one for each place of the part.
 */
u32 near_holders(struct flow *flow, const struct type *part, struct type_holder *holders, u32 max);

/* passed.c */
/*
 * In a translation of BTF: objects of the frame that are passed to typed parameters. NULL: none is looked for. It has all of
 * flow->facts->vars, and them as variables that are guessed.
 */
struct passed_objects *passed_objects_find(const struct flow *flow);
const struct func_vars *passed_objects_vars(const struct passed_objects *passed);
void passed_objects_free(struct passed_objects *passed);

/* thunk.c */
/* If @name, the function's symbol, is a C++ thunk: sets the prototype and this_* of @flow. */
void thunk_find(const struct object *object, const char *name, struct flow *flow);
/* True if @value is the `this` that the thunk was called with, perhaps with an offset. */
bool thunk_is_this(const struct flow *flow, const struct value *value);
/* If @address is the entry of the virtual table with the distance to the object: *@value is that distance. */
bool thunk_load_gap(struct flow *flow, const struct value *address, u16 width, u32 maker,
		    struct value *value);

/* merged.c */
/* True if the linker folded another function with equal code into the one at @symbol. */
bool merged_is(const struct object *object, const struct symbol *symbol, const struct proto *proto);
/* In such a function: drops the parts of the answer that may differ between the two. */
void merged_doubt(struct access *access);

/* lost.c */
/* The value in the slot at CFA + @offset is lost here; another round may keep it. */
void lost_add(struct flow *flow, s64 offset);
/* True if that happened anywhere in the function, or is not known. */
bool lost_has(const struct flow *flow, s64 offset);

/* join.c */
struct value join_values(struct flow *flow, const struct value *a, const struct value *b,
			 u32 maker);
/*
 * Joins @from into the state at @block's start; true if that state changed. Changes in @from only what escaped: addresses that
 * the join forgets.
 */
bool join_block(struct flow *flow, u32 block, struct state *from);

#endif
