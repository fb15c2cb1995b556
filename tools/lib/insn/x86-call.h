/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recognizes the bytes before a return address: is the last instruction a call? */
#ifndef INSN_X86_CALL_H
#define INSN_X86_CALL_H

#include <stddef.h>

#include "base/types.h"

#define X86_MAX_CALL 7u /* bytes of the longest call, without prefixes */

#define X86_MAX_LANDING 10u
#define X86_NR_LANDINGS 2u

/*
 * True if the X86_MAX_CALL bytes at @before can end in a near call, of x86-64 or i386. Far calls, which compilers do
 * not use, do not count.
 */
bool x86_ends_in_call(const u8 *before);

/*
 * Code of the C library to which functions return, although no call is before it: the kernel or makecontext() puts its
 * address on the stack.
 */
struct x86_landing {
	const char *name;
	const char *exported; /* a function that libraries with this code export */
	u8 size;	      /* bytes by which it is recognized */
	u8 bytes[X86_MAX_LANDING];
};

/* __restore_rt, where signal handlers return to; __start_context, where the function of a context returns to. */
extern const struct x86_landing x86_landings[X86_NR_LANDINGS];

/* The landing whose first byte is at @at; @left: readable bytes. NULL: there is none. */
const struct x86_landing *x86_landing_at(const u8 *at, size_t left);

#endif
