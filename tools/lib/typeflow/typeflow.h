/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What type of data does the instruction at this address touch, and at which offset?
 *
 * A function is analysed once, at its first look-up; each later one is a binary
 * search in its table. Nothing is said that the debug information does not back: an
 * operand without an answer carries the reason.
 */
#ifndef TYPEFLOW_TYPEFLOW_H
#define TYPEFLOW_TYPEFLOW_H

#include "dso/dso.h"
#include "dwarf/types.h"
#include "insn/fusion.h"

/* How a type is known; from ACCESS_STACK_OP on these are pseudo types, with a name in parentheses. */
enum access_how {
	ACCESS_UNKNOWN,	 /* no type: see @why */
	ACCESS_VARIABLE, /* through a variable that the debug information places there */
	ACCESS_LOCAL,	 /* a variable on the stack itself */
	ACCESS_GLOBAL,	 /* a variable with static storage, by address */
	ACCESS_TLS,	 /* a thread-local variable */
	ACCESS_FLOW,	 /* through a value that was followed from its typed source */
	ACCESS_CALL,	 /* through a value that a call returned */
	ACCESS_INFERRED, /* through a value whose type its later uses tell */
	ACCESS_KEPT,	 /* a value that the compiler keeps in a slot of the frame */
	ACCESS_STACK_OP, /* push, pop, call, ret: "(stack operation)" */
	ACCESS_CANARY,	 /* the stack protector's value: "(stack canary)" */
	ACCESS_VTABLE,	 /* a C++ class's table of functions: "(vtable)" */
	ACCESS_GOT,	 /* a slot of the global offset table: "(GOT slot)" */
	ACCESS_SWITCH,	 /* a switch statement's jump table: "(switch table)" */
	ACCESS_CONSTANT, /* read-only data without a variable: "(constant)" */
	ACCESS_SPILL,	 /* a slot of the compiler's, untyped: "(stack spill)" */
	ACCESS_SAVE,	 /* a callee-saved register's slot: "(register save)" */
	ACCESS_VARARGS,	 /* where a variadic function keeps its registers: "(varargs save area)" */
	ACCESS_PERCPU,	 /* the offset of this CPU's data: "(per-cpu offset)" */
	NR_ACCESS_HOW,
};

/* How much a type rests on, best last: what --type-min tells apart. */
enum access_rank {
	ACCESS_RANK_INFERRED, /* from later uses */
	ACCESS_RANK_FLOW,     /* followed forward, through calls too */
	ACCESS_RANK_VARIABLE, /* the debug information says it of the operand itself */
};

enum access_why {
	ACCESS_WHY_NONE,     /* it has a type */
	ACCESS_NO_SYMBOL,    /* no function is known at the address */
	ACCESS_NO_CODE,	     /* the instruction's bytes are not to be had */
	ACCESS_NO_INSN,	     /* no instruction starts at the address */
	ACCESS_NO_MEMORY,    /* the instruction touches no memory */
	ACCESS_NO_DEBUGINFO, /* the object has no debug information */
	ACCESS_NO_UNIT,	     /* it has, but not for this address */
	ACCESS_NO_FUNCTION,  /* nor for the function there */
	ACCESS_NO_VARIABLE,  /* no variable is in the operand's register or stack slot */
	ACCESS_NO_GLOBAL,    /* nothing is known to lie at the operand's address */
	ACCESS_NO_TLS,	     /* no thread-local is known at the operand's offset */
	ACCESS_UNREACHED,    /* no path leads to the instruction */
	ACCESS_NO_SOURCE,    /* where the register's value comes from is not known */
	ACCESS_CLOBBERED,    /* a call may have changed the register */
	ACCESS_UNTYPED_CALL, /* the value is a call's result, whose type is not known */
	ACCESS_COMPUTED,     /* the value was computed in a way that is not followed */
	ACCESS_UNTYPED_LOAD, /* the value was loaded from memory without a type */
	ACCESS_MERGED,	     /* the paths that meet there bring different values */
	ACCESS_NO_POINTER,   /* the value in the register has a type that is no pointer's */
	ACCESS_NO_TYPE,	     /* it points to void, a function or an incomplete type */
	ACCESS_OUTSIDE,	     /* the offset lies outside the type */
	ACCESS_AMBIGUOUS,    /* several variables fit, with types that contradict */
	ACCESS_UNSUPPORTED,  /* a form of operand not followed (gather, gs:) */
	ACCESS_TOO_WEAK,     /* it is known, but less well than was asked for */
	NR_ACCESS_WHY,
};

struct access {
	const struct type *type; /* NULL without one; owned by the typeflow */
	s64 offset;		 /* bytes into @type, or TYPE_OFFSET_ANY */
	u16 width;		 /* bytes that the instruction touches there */
	u8 how;			 /* enum access_how */
	u8 why;			 /* enum access_why */
	u8 roles;		 /* enum insn_access bits: read, written */
	/*
	 * ACCESS_NO_MEMORY: so many bytes before the instruction begins the one whose access a late
	 * sample belongs to; 0: that cannot be told (skid.h).
	 */
	u8 back;
	bool skid; /* it is that access, not the instruction's own: typeflow_charge() */
};

struct typeflow;

/*
 * @fusion: of the processor that took the samples. @folder: where the answers of objects with a
 * build-id are kept from one run to the next (store.h); NULL: nowhere.
 */
struct typeflow *typeflow_new(enum insn_fusion fusion, const char *folder);
void typeflow_free(struct typeflow *flow);

/*
 * Says before the first look-up that @vaddr is one of those that will be asked for: of a function
 * only so much need be analysed as leads to those. Others can be asked for all the same.
 */
void typeflow_expect(struct typeflow *flow, struct dso *dso, u64 vaddr);

/* Before the first look-up: typeflow_charge() will be called, so more is to be analysed at once. */
void typeflow_expect_skid(struct typeflow *flow);

/*
 * Before the first look-up, and after all that was said to be expected: finds the answers for that with up to @nr_threads
 * threads. One thread for each @lane_code bytes of code in the functions; 0: as many as are worth a
 * thread. What is answered does not depend on it.
 */
void typeflow_prepare(struct typeflow *flow, u32 nr_threads, u32 lane_code);

/*
 * @out is what typeflow_lookup() found for @vaddr. If the instruction accesses no memory, replaces
 * it by the access just before, where only that one path leads there, and marks it (@out->skid).
 */
void typeflow_charge(struct typeflow *flow, struct dso *dso, u64 vaddr, struct access *out);

/*
 * What the instruction at @vaddr of @dso touches. Always fills @out; true where it has a
 * type or is one of the pseudo types. One thread at a time.
 */
bool typeflow_lookup(struct typeflow *flow, struct dso *dso, u64 vaddr, struct access *out);

/*
 * The name to show: the type's, a pseudo type's such as "(stack operation)", "(no memory access)" or
 * "(unknown)".
 */
const char *access_type_name(const struct access *access);

/* What the answer rests on; ACCESS_RANK_INFERRED also for one without a type. */
enum access_rank access_rank(const struct access *access);

/* "variable", "flow", "inferred"; false for any other text. */
bool access_rank_parse(const char *text, enum access_rank *rank);

/* How it is known: a short line for people and a short word for tables ("flow"). */
const char *access_how_text(enum access_how how);
const char *access_how_word(enum access_how how);

/* One short line for statistics and for people: "no variable in the register". */
const char *access_why_text(enum access_why why);

/* Short word for tables, like upstream's counters: "no_var". */
const char *access_why_word(enum access_why why);

/* Takes the steps of a derivation, in order; @text is one line that lives for the call. */
struct explain_sink {
	void (*step)(void *data, u64 vaddr, const char *text);
	void *data;
};

/*
 * How the answer for the instruction at @vaddr comes about: from the value's source to the
 * operand, each step with the address of the instruction that does it, the answer (or the
 * reason why there is none) last. Returns what typeflow_lookup() would.
 */
bool typeflow_explain(struct typeflow *flow, struct dso *dso, u64 vaddr,
		      const struct explain_sink *sink);

struct typeflow_counts {
	u32 functions;	  /* analysed */
	u64 instructions; /* decoded for that */
	u64 lookups;
};

void typeflow_counts(const struct typeflow *flow, struct typeflow_counts *out);

#endif
