// SPDX-License-Identifier: GPL-2.0-or-later
/* Words for what typeflow found. */
#include "typeflow/typeflow.h"

static const struct {
	const char *word, *text;
} whys[NR_ACCESS_WHY] = {
	[ACCESS_WHY_NONE] = { "ok", "typed" },
	[ACCESS_NO_SYMBOL] = { "no_sym", "no function is known at the address" },
	[ACCESS_NO_CODE] = { "no_code", "the code of the object is not to be had" },
	[ACCESS_NO_INSN] = { "no_insn", "no instruction starts at the address" },
	[ACCESS_NO_MEMORY] = { "no_mem_ops", "the instruction touches no memory" },
	[ACCESS_NO_DEBUGINFO] = { "no_dbginfo", "the object has no debug information" },
	[ACCESS_NO_UNIT] = { "no_cuinfo", "the debug information does not cover the address" },
	[ACCESS_NO_FUNCTION] = { "no_func", "the debug information has no function there" },
	[ACCESS_NO_VARIABLE] = { "no_var", "no variable is in the operand's register or slot" },
	[ACCESS_NO_GLOBAL] = { "no_global", "no variable is known at the operand's address" },
	[ACCESS_NO_TLS] = { "no_tls", "no thread-local variable is known at the offset" },
	[ACCESS_NO_POINTER] = { "no_pointer", "the variable in the register is no pointer" },
	[ACCESS_NO_TYPE] = { "no_typeinfo", "the pointer's target type is void or unknown" },
	[ACCESS_OUTSIDE] = { "bad_offset", "the offset lies outside the type" },
	[ACCESS_AMBIGUOUS] = { "ambiguous", "what is known fits more than one answer" },
	[ACCESS_UNSUPPORTED] = { "unsupported", "this form of operand is not followed" },
};

const char *access_type_name(const struct access *access)
{
	switch (access->how) {
	case ACCESS_STACK_OP:
		return "(stack operation)";
	case ACCESS_CANARY:
		return "(stack canary)";
	default:
		return access->type ? access->type->name : "(unknown)";
	}
}

const char *access_why_text(enum access_why why)
{
	return why < NR_ACCESS_WHY ? whys[why].text : "";
}

const char *access_why_word(enum access_why why)
{
	return why < NR_ACCESS_WHY ? whys[why].word : "";
}
