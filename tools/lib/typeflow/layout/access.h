/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The answer for one memory operand: its type and offset, how they were found, or why they were not.
 */
#ifndef TYPEFLOW_ACCESS_H
#define TYPEFLOW_ACCESS_H

#include <stdbool.h>

#include "dwarf/types.h"

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
	ACCESS_MACHINE,	     /* the code is not x86-64's, and not analysed */
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
	u8 numbers;		 /* bits of enum type_number: what may be there; 0: any */
};

static inline struct type_use access_use(const struct access *access)
{
	return (struct type_use){ .width = access->width, .numbers = access->numbers };
}

/* The name to show: the type's, a pseudo type's such as "(stack operation)", "(no memory access)" or "(unknown)". */
const char *access_type_name(const struct access *access);

/* The strength of the answer. Also ACCESS_RANK_INFERRED if there is no type. */
enum access_rank access_rank(const struct access *access);

/* "variable", "flow", "inferred"; and what reads them. False: another text. */
const char *access_rank_name(enum access_rank rank);
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

#endif
