/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calling conventions: which register or stack slot holds which part of a parameter when a function is entered, and
 * which part of the result when it has returned? System V x86-64 ABI 1.0, section 3.2.3; for C++ also the Itanium C++
 * ABI, 3.1.2 and 3.1.4 (objects passed by reference).
 *
 *	struct point { long x, y; };
 *	long f(struct point *p, struct point q);	p: rdi; q.x: rsi (offset 0), q.y: rdx (offset 8); result: rax
 *
 * The answer is the same for the callee (at its first instruction) and the caller (before the call).
 */
#ifndef DWARF_ABI_H
#define DWARF_ABI_H

#include "dwarf/protos.h"

#define ABI_RESULT    UINT32_MAX /* abi_part.param: the function's result */
#define ABI_STACK     0xff	 /* abi_part.reg: on the stack, not in a register */
#define ABI_MAX_PARTS 64

struct abi_part {
	u32 param;	  /* index into proto.params, or ABI_RESULT */
	u32 offset, size; /* the bytes of the parameter that this part holds */
	/*
	 * ABI_STACK: position in bytes from the CFA. The CFA is rsp + 8 at the callee's first instruction, and rsp
	 * before the call instruction.
	 */
	s32 stack;
	u8 reg; /* DWARF number: rdi 5, rsi 4, rdx 1, rcx 2, r8 8, r9 9, rax 0, xmm0 17 ... */
	/* @reg or the stack slot has the parameter's address, not the parameter; @offset is 0. */
	bool address;
};

/*
 * The parts of all parameters in order, including the hidden address of a result in memory (ABI_RESULT, address).
 * Returns the number of filled @parts, at most @max. Stops before the first parameter whose class is not known, because
 * the places of later ones are then not known either.
 */
u32 abi_parameters(const struct proto *proto, struct abi_part *parts, u32 max);

/* The result's parts directly after the call: at most four. 0: no result, or not known, or Go's (abi_go.h). */
u32 abi_result(const struct proto *proto, struct abi_part parts[4]);

#endif
