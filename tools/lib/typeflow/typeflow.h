/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The type of the data that an instruction accesses, and the offset in it.
 *
 * A function is analysed at its first look-up; later look-ups are a binary search in its table. Every answer rests on
 * the debug information. An operand without an answer has a reason instead.
 *
 * Threads: one thread at a time may call functions with one typeflow: the caller has the lock (resolve/data.h). Several
 * typeflows may analyse one dso at the same time, each by its own thread. The fields of an access and of its struct type
 * are read without a lock; for functions of dwarf/types.h, which read parts at the first question, hold type_lock().
 */
#ifndef TYPEFLOW_TYPEFLOW_H
#define TYPEFLOW_TYPEFLOW_H

#include <glib.h>

#include "dso/dso.h"
#include "dwarf/types.h"
#include "insn/fusion.h"

/* Source of the type. From ACCESS_STACK_OP on: pseudo types, with a name in parentheses. */
enum access_how {
	ACCESS_UNKNOWN,	 /* no type: see @why */
	ACCESS_VARIABLE, /* through a variable that the debug information places there */
	ACCESS_LOCAL,	 /* a variable on the stack itself */
	ACCESS_GLOBAL,	 /* a variable with static storage, by address */
	ACCESS_TLS,	 /* a thread-local variable */
	ACCESS_FLOW,	 /* through a value that was tracked from its typed source */
	ACCESS_CALL,	 /* through a call's result */
	ACCESS_INFERRED, /* through a value whose type its later uses tell */
	ACCESS_KEPT,	 /* a value that the compiler spilled to a slot of the frame */
	ACCESS_STACK_OP, /* push, pop, call, ret: "(stack operation)" */
	ACCESS_CANARY,	 /* the stack protector's value: "(stack canary)" */
	ACCESS_VTABLE,	 /* a C++ class's table of functions: "(vtable)" */
	ACCESS_GOT,	 /* a slot of the global offset table: "(GOT slot)" */
	ACCESS_SWITCH,	 /* a switch statement's jump table: "(switch table)" */
	ACCESS_CONSTANT, /* read-only data without a variable: "(constant)" */
	ACCESS_SPILL,	 /* an untyped slot of the compiler: "(stack spill)" */
	ACCESS_SAVE,	 /* a callee-saved register's slot: "(register save)" */
	ACCESS_VARARGS,	 /* the register save area of a variadic function: "(varargs save area)" */
	ACCESS_PERCPU,	 /* the offset of this CPU's data: "(per-cpu offset)" */
	ACCESS_ENTRY,	 /* between a call and the callee's first instruction: "(function entry)" */
	ACCESS_RETURN,	 /* on the kernel's way back to the program: "(return from kernel)" */
	ACCESS_MASKED,	 /* in code that switched interrupts off: "(interrupts were off)" */
	ACCESS_SEVERAL,	 /* one of several instructions, with different data: "(one of several)" */
	NR_ACCESS_HOW,
};

/* How strong the source of a type is, strongest last; for --type-min. */
enum access_rank {
	ACCESS_RANK_INFERRED, /* from later uses */
	ACCESS_RANK_FLOW,     /* tracked forward, also through calls */
	ACCESS_RANK_VARIABLE, /* the debug information of the operand itself */
};

enum access_why {
	ACCESS_WHY_NONE,     /* it has a type */
	ACCESS_NO_SYMBOL,    /* no function is known at the address */
	ACCESS_NO_CODE,	     /* the bytes of the code cannot be read */
	ACCESS_NO_INSN,	     /* no instruction starts at the address */
	ACCESS_NO_MEMORY,    /* the instruction touches no memory */
	ACCESS_NO_DEBUGINFO, /* the object has no debug information */
	ACCESS_NO_UNIT,	     /* the debug information does not cover the address */
	ACCESS_NO_FUNCTION,  /* the debug information has no function there */
	ACCESS_NO_VARIABLE,  /* no variable is in the operand's register or stack slot */
	ACCESS_NO_GLOBAL,    /* no variable is known at the operand's address */
	ACCESS_NO_TLS,	     /* no thread-local is known at the operand's offset */
	ACCESS_UNREACHED,    /* no path leads to the instruction */
	ACCESS_NO_SOURCE,    /* the source of the register's value is not known */
	ACCESS_CLOBBERED,    /* a call may have changed the register */
	ACCESS_UNTYPED_CALL, /* the value is a call's result of unknown type */
	ACCESS_COMPUTED,     /* the value was computed in a way that is not tracked */
	ACCESS_UNTYPED_LOAD, /* the value was loaded from memory without a type */
	ACCESS_MERGED,	     /* the paths that join there have different values */
	ACCESS_NO_POINTER,   /* the value in the register has a type that is not a pointer */
	ACCESS_NO_TYPE,	     /* it points to void, a function or an incomplete type */
	ACCESS_OUTSIDE,	     /* the offset lies outside the type */
	ACCESS_AMBIGUOUS,    /* several answers fit, and they contradict each other */
	ACCESS_UNSUPPORTED,  /* this form of operand is not tracked (gather, gs:) */
	ACCESS_TOO_WEAK,     /* there is a type, but a weaker one than was asked for */
	ACCESS_NO_WAY, /* the way by which control came to the sampled instruction is not known */
	NR_ACCESS_WHY,
};

struct access {
	const struct type *type; /* NULL: none; owned by the typeflow */
	s64 offset;		 /* bytes into @type, or TYPE_OFFSET_ANY */
	u16 width;		 /* bytes that the instruction accesses there */
	u8 how;			 /* enum access_how */
	u8 why;			 /* enum access_why */
	u8 roles;		 /* enum insn_access bits: read, written */
};

/* What was executed just before an instruction (waits.h). */
enum waited_how {
	WAITED_UNKNOWN, /* not known: no code is readable, or no known path leads to the instruction */
	WAITED_HERE,	/* the instruction itself: `rep movs` is interrupted between its steps */
	WAITED_BEFORE, /* the instruction at vaddr */
	WAITED_ENTRY,  /* the call or jump that entered the function, which begins at vaddr */
	WAITED_RETURN, /* the return of a function; the call is at vaddr */
	WAITED_KERNEL, /* the return from a system call; the instruction of the call is at vaddr */
	WAITED_MASKED, /* kernel code without interrupts, up to the instruction at vaddr, which allows them */
	NR_WAITED_HOW,
};

/* One way by which control comes to an instruction. */
struct waited_way {
	enum waited_how how;
	u64 vaddr;
	u64 from; /* start of the basic block of @vaddr */
};

struct typeflow;

/*
 * @fusion: of the processor that took the samples. @folder: keeps the answers of objects with a build-id for later
 * runs (store.h); NULL: they are not kept.
 */
struct typeflow *typeflow_new(enum insn_fusion fusion, const char *folder);
void typeflow_free(struct typeflow *flow);

/*
 * Before the first look-up: announces that @vaddr will be looked up, or if @before, that typeflow_waited() will be called
 * for it and what comes before it looked up. Then only the part of its function that leads to announced addresses may be
 * analysed. Other addresses can be looked up too.
 */
void typeflow_expect(struct typeflow *flow, struct dso *dso, u64 vaddr, bool before);

/*
 * Before the first look-up: announces that typeflow_waited() will be called, so that the instructions before the
 * announced ones are analysed too.
 */
void typeflow_expect_waited(struct typeflow *flow);

/* How many of the announced addresses are from @low to @high, both included. */
u32 typeflow_expected(struct typeflow *flow, struct dso *dso, u64 low, u64 high);

/*
 * After all announcements and before the first look-up: analyses the announced addresses with up to @nr_threads
 * threads. One thread for each @lane_code bytes of code in their functions; 0: a default size. The answers do not
 * depend on it.
 */
void typeflow_prepare(struct typeflow *flow, u32 nr_threads, u32 lane_code);

/*
 * Fills @out (struct waited_way) with all ways by which control comes to the instruction at @vaddr of @dso: at least
 * one. @data: typeflow_lookup() will be called for one of them, so the function is analysed; otherwise it is only decoded.
 * One thread at a time.
 */
void typeflow_waited(struct typeflow *flow, struct dso *dso, u64 vaddr, bool data, GArray *out);

/*
 * The data that the instruction at @vaddr of @dso accesses. Always fills @out. True if it has a type or a pseudo
 * type.
 */
bool typeflow_lookup(struct typeflow *flow, struct dso *dso, u64 vaddr, struct access *out);

/* The name to show: the type's, a pseudo type's such as "(stack operation)", "(no memory access)" or "(unknown)". */
const char *access_type_name(const struct access *access);

/* The strength of the answer. Also ACCESS_RANK_INFERRED if there is no type. */
enum access_rank access_rank(const struct access *access);

/* Parses "variable", "flow", "inferred". False: another text. */
bool access_rank_parse(const char *text, enum access_rank *rank);

/* The source of the type: a short line for people, and a short word for tables ("flow"). */
const char *access_how_text(enum access_how how);
const char *access_how_word(enum access_how how);

/* The reason as a short line: "no variable in the register". */
const char *access_why_text(enum access_why why);

/* The reason as a short word for tables, like upstream's counters: "no_var". */
const char *access_why_word(enum access_why why);

/* Receives the steps of an explanation in order. @text is one line, valid during the call. */
struct explain_sink {
	void (*step)(void *data, u64 vaddr, const char *text);
	void *data;
};

/*
 * Explains the answer for the instruction at @vaddr: the steps from the value's source to the operand, each with the
 * address of its instruction. The last step is the answer, or the reason why there is none. Returns the same as
 * typeflow_lookup().
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
