/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Evaluates DWARF expressions in call-frame information (DWARF 5, section 2.5). They compute with registers and memory
 * in postfix order. Only unwind/unwind.c includes this.
 *
 * Example: every dynamically linked file has one for its PLT (procedure linkage table). A PLT entry pushes a word with
 * the instruction that ends at byte 11:
 *
 *	CFA = rsp + 8 + ((rip & 15) >= 11) * 8
 */
#ifndef UNWIND_EXPR_H
#define UNWIND_EXPR_H

#include "base/types.h"

/* The registers and the memory that an expression can read. */
struct expr_input {
	const u64 *regs;
	u32 known; /* one bit per register */
	u32 nr_regs;
	u32 word; /* bytes of an address: 4 or 8 */
	bool (*read)(void *arg, u64 address, u32 size, u64 *value);
	void *arg;
};

enum expr_result {
	EXPR_OK,
	EXPR_GARBLED,	  /* malformed, or an operation that call-frame information cannot have */
	EXPR_NO_REGISTER, /* it reads an unknown register */
	EXPR_NO_MEMORY,	  /* read() failed */
};

/* @stack0: initial value on the stack; NULL: the stack is empty at first. */
enum expr_result expr_eval(const u8 *bytes, size_t size, const struct expr_input *input,
			   const u64 *stack0, u64 *result);

#endif
