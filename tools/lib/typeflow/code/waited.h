/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How control came to an instruction: the words of an answer. waits.h finds it. */
#ifndef TYPEFLOW_WAITED_H
#define TYPEFLOW_WAITED_H

#include "base/types.h"

/* What was executed just before an instruction (waits.h). */
enum waited_how {
	WAITED_UNKNOWN, /* not known: no code is readable, or no known path leads to the instruction */
	WAITED_HERE, /* the instruction itself: `rep movs` is interrupted between its steps; `1: jmp 1b` */
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

#endif
