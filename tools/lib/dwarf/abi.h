/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which part of which parameter is in which register when a function is entered, and which
 * part of its result when it has returned? System V x86-64 ABI 1.0, section 3.2.3; for C++
 * also the Itanium C++ ABI, 3.1.2 and 3.1.4 (objects that are passed by reference).
 *
 * The same rows serve a callee (at its first instruction) and a caller (before the call).
 */
#ifndef DWARF_ABI_H
#define DWARF_ABI_H

#include "dwarf/protos.h"

#define ABI_RESULT    UINT32_MAX /* abi_part.param: the function's result */
#define ABI_STACK     0xff	 /* abi_part.reg: in memory, not in a register */
#define ABI_MAX_PARTS 64

struct abi_part {
	u32 param;	  /* index into proto.params, or ABI_RESULT */
	u32 offset, size; /* the bytes of the parameter that this is for */
	/*
	 * ABI_STACK: where it lies, in bytes from the CFA, which is what rsp + 8 is at the
	 * callee's first instruction and rsp before the call instruction.
	 */
	s32 stack;
	u8 reg; /* DWARF number: rdi 5, rsi 4, rdx 1, rcx 2, r8 8, r9 9, rax 0, xmm0 17 ... */
	/* Not the parameter but its address is in @reg or on the stack; @offset is 0. */
	bool address;
};

/*
 * The parts of all parameters in order, the hidden address of a result in memory (ABI_RESULT,
 * address) included: the number of @parts filled, at most @max. Ends before the first
 * parameter whose class is not known, for then those after it are not known either.
 */
u32 abi_parameters(const struct proto *proto, struct abi_part *parts, u32 max);

/* Where the result is just after the call: at most four parts; 0: nothing, or not known. */
u32 abi_result(const struct proto *proto, struct abi_part parts[4]);

#endif
