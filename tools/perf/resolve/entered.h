/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which instruction entered a function? A sample at the first instruction of a function belongs to it. The return address
 * tells: it is behind a call of the function, or of another one that ends with a jump to it (tail call):
 *
 *		mov  %rbx,%rdi
 *		call forward
 *		add  %rax,%rbp		the return address
 *	forward:
 *		jmp  *0x8(%rdi)		entered visit, and waits for its target
 *	visit:
 *		mov  0x10(%rdi),%rax	the sample
 */
#ifndef RESOLVE_ENTERED_H
#define RESOLVE_ENTERED_H

#include "insn/insn.h"
#include "resolve/place.h"

enum entered_how {
	ENTERED_UNKNOWN,
	ENTERED_BY, /* by this instruction */
	ENTERED_LIKELY, /* by this instruction, if the function that it calls is the sampled one, and did not jump to it */
};

/* Where a return address comes from. */
enum entered_evidence {
	ENTERED_FROM_STACK, /* it was on the top of the stack, or an unwinder found it */
	/*
	 * A chain by frame pointers. The function has not pushed its own yet, so the next frame is that of the caller's
	 * caller, and only a direct call of the function is believed.
	 */
	ENTERED_FROM_FRAMES,
};

/*
 * @entry: the first instruction of a function. @caller: the code at the return address, or at the last byte of the call,
 * which is what an unwinder in the recorder writes. out: @vaddr: the instruction, in the object of @caller.
 */
enum entered_how entered_find(struct insn_decoder *decoder, const struct code *entry,
			      const struct code *caller, enum entered_evidence evidence,
			      u64 *vaddr);

#endif
