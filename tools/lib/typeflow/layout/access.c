// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Texts for the results of typeflow: one row for each value of the two enums in access.h. A row needs a short word for
 * tables and counters (upstream's, where it has one) and a line for --why. A pseudo type needs a name in parentheses,
 * which no type of a program has, so users can filter by it.
 *
 *	type		how		why		access_type_name()	access_rank()
 *	struct node	FLOW		WHY_NONE	struct node		FLOW
 *	NULL		SPILL		WHY_NONE	(stack spill)		VARIABLE
 *	NULL		UNKNOWN		NO_MEMORY	(no memory access)	INFERRED
 *	NULL		UNKNOWN		CLOBBERED	(unknown)		INFERRED
 */
#include <string.h>

#include "typeflow/layout/access.h"

static const struct {
	const char *word, *text;
} whys[NR_ACCESS_WHY] = {
	[ACCESS_WHY_NONE] = { "ok", "typed" },
	[ACCESS_NO_SYMBOL] = { "no_sym", "no function is known at the address" },
	[ACCESS_NO_CODE] = { "no_code", "the code of the object is not available" },
	[ACCESS_NO_INSN] = { "no_insn", "no instruction starts at the address" },
	[ACCESS_NO_MEMORY] = { "no_mem_ops", "the instruction accesses no memory" },
	[ACCESS_NO_DEBUGINFO] = { "no_dbginfo", "the object has no debug information" },
	[ACCESS_NO_UNIT] = { "no_cuinfo", "the debug information does not cover the address" },
	[ACCESS_NO_FUNCTION] = { "no_func", "the debug information has no function there" },
	[ACCESS_NO_VARIABLE] = { "no_var", "no variable is in the operand's register or slot" },
	[ACCESS_NO_GLOBAL] = { "no_global", "no variable is known at the operand's address" },
	[ACCESS_NO_TLS] = { "no_tls", "no thread-local variable is known at the offset" },
	[ACCESS_UNREACHED] = { "unreached", "no path leads to the instruction" },
	[ACCESS_NO_SOURCE] = { "no_source", "the source of the register's value is not known" },
	[ACCESS_CLOBBERED] = { "clobbered", "a call may have changed the register" },
	[ACCESS_UNTYPED_CALL] = { "call",
				  "the value is the result of a call without a known type" },
	[ACCESS_COMPUTED] = { "computed", "the value was computed in a way that is not supported" },
	[ACCESS_UNTYPED_LOAD] = { "untyped_load",
				  "the value was loaded from memory without a type" },
	[ACCESS_MERGED] = { "merged", "the paths that join there have different values" },
	[ACCESS_NO_POINTER] = { "no_pointer", "the value in the register is not a pointer" },
	[ACCESS_NO_TYPE] = { "no_typeinfo", "the pointer's target type is void or unknown" },
	[ACCESS_OUTSIDE] = { "bad_offset", "the offset lies outside the type" },
	[ACCESS_AMBIGUOUS] = { "ambiguous", "more than one type fits what is known" },
	[ACCESS_UNSUPPORTED] = { "unsupported", "this form of operand is not supported" },
	[ACCESS_TOO_WEAK] = { "type_min", "less certain than --type-min requires" },
	[ACCESS_MACHINE] = { "other_machine",
			     "the code is not of x86-64, and only that is analysed" },
	[ACCESS_NO_WAY] = { "no_way",
			    "the instruction executed before the sampled one is not known" },
};

static const struct {
	const char *word, *text;
	const char *name; /* of a pseudo type, else NULL */
} hows[NR_ACCESS_HOW] = {
	[ACCESS_UNKNOWN] = { "unknown", "not known", NULL },
	[ACCESS_VARIABLE] = { "variable", "through a variable in the register", NULL },
	[ACCESS_LOCAL] = { "local", "a variable on the stack", NULL },
	[ACCESS_GLOBAL] = { "global", "a variable with static storage", NULL },
	[ACCESS_TLS] = { "tls", "a thread-local variable", NULL },
	[ACCESS_FLOW] = { "flow", "through a value followed from its source", NULL },
	[ACCESS_CALL] = { "call", "through the result of a call", NULL },
	[ACCESS_INFERRED] = { "inferred", "through a value whose later uses tell its type", NULL },
	[ACCESS_KEPT] = { "kept", "through a value in a slot of the compiler", NULL },
	[ACCESS_STACK_OP] = { "stack_op", "push, pop, call, ret", "(stack operation)" },
	[ACCESS_CANARY] = { "canary", "the stack protector's value", "(stack canary)" },
	[ACCESS_VTABLE] = { "vtable", "a class's table of functions", "(vtable)" },
	[ACCESS_GOT] = { "got", "a slot of the global offset table", "(GOT slot)" },
	[ACCESS_SWITCH] = { "switch", "a switch statement's jump table", "(switch table)" },
	[ACCESS_CONSTANT] = { "constant", "read-only data without a variable", "(constant)" },
	[ACCESS_SPILL] = { "spill", "a stack slot of the compiler", "(stack spill)" },
	[ACCESS_SAVE] = { "save", "a caller's register, saved", "(register save)" },
	[ACCESS_VARARGS] = { "varargs", "a variadic function's registers", "(varargs save area)" },
	[ACCESS_PERCPU] = { "percpu", "the offset of this CPU's data", "(per-cpu offset)" },
	[ACCESS_ENTRY] = { "entry", "the call of the function, by an unknown caller",
			   "(function entry)" },
	[ACCESS_RETURN] = { "kernel_return", "the kernel's way back to the program",
			    "(return from kernel)" },
	[ACCESS_MASKED] = { "masked", "kernel code that runs with interrupts off",
			    "(interrupts were off)" },
	[ACCESS_SEVERAL] = { "several", "one of several instructions, with different data",
			     "(one of several)" },
};

const char *access_type_name(const struct access *access)
{
	if (access->type)
		return type_shown_name(access->type);
	if (access->how < NR_ACCESS_HOW && hows[access->how].name)
		return hows[access->how].name;
	if (access->why == ACCESS_NO_MEMORY)
		return "(no memory access)";
	return "(unknown)";
}

enum access_rank access_rank(const struct access *access)
{
	switch (access->how) {
	case ACCESS_UNKNOWN:
	case ACCESS_INFERRED:
		return ACCESS_RANK_INFERRED;
	case ACCESS_FLOW:
	case ACCESS_CALL:
	case ACCESS_KEPT:
		return ACCESS_RANK_FLOW;
	default:
		return ACCESS_RANK_VARIABLE;
	}
}

static const char *const rank_names[] = {
	[ACCESS_RANK_VARIABLE] = "variable",
	[ACCESS_RANK_FLOW] = "flow",
	[ACCESS_RANK_INFERRED] = "inferred",
};

const char *access_rank_name(enum access_rank rank)
{
	return rank_names[rank];
}

bool access_rank_parse(const char *text, enum access_rank *rank)
{
	for (u32 i = 0; i < ARRAY_SIZE(rank_names); i++) {
		if (strcmp(text, rank_names[i]) != 0)
			continue;
		*rank = i;
		return true;
	}
	return false;
}

const char *access_how_text(enum access_how how)
{
	return how < NR_ACCESS_HOW ? hows[how].text : "";
}

const char *access_how_word(enum access_how how)
{
	return how < NR_ACCESS_HOW ? hows[how].word : "";
}

const char *access_why_text(enum access_why why)
{
	return why < NR_ACCESS_WHY ? whys[why].text : "";
}

const char *access_why_word(enum access_why why)
{
	return why < NR_ACCESS_WHY ? whys[why].word : "";
}
