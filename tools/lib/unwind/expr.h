/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DWARF expressions of call-frame information (DWARF 5, section 2.5): postfix arithmetic on registers and
 * memory. Only unwind/unwind.c includes this.
 *
 * The one in every dynamically linked file is the PLT's (procedure linkage table), whose entries push a word
 * at their 11th byte:  CFA = rsp + 8 + ((rip & 15) >= 11) * 8
 */
#ifndef UNWIND_EXPR_H
#define UNWIND_EXPR_H

#include "base/types.h"

/* What an expression may read. */
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
	EXPR_GARBLED,	  /* or an operation that call-frame information cannot have */
	EXPR_NO_REGISTER, /* reads one that is not known */
	EXPR_NO_MEMORY,	  /* read() said no */
};

/* @stack0: pushed before the first operation, or NULL. */
enum expr_result expr_eval(const u8 *bytes, size_t size, const struct expr_input *input,
			   const u64 *stack0, u64 *result);

#endif
