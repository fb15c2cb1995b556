/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses how many bytes of a thread's stack to copy: a power of two that is enough for its recent stacks. The size
 * grows as soon as a stack is cut. It shrinks if none of the last SIZES_WINDOW stacks needed it. For the threads of one
 * worker.
 */
#ifndef LIVE_SIZES_H
#define LIVE_SIZES_H

#include "base/types.h"

#define SIZES_WINDOW 256u

struct stack_sizes;

/* Sizes are from @least to @most. A thread starts with @most, so nothing is cut before its need is known. */
struct stack_sizes *stack_sizes_new(u32 least, u32 most);
void stack_sizes_free(struct stack_sizes *s);

struct stack_need {
	u32 copied; /* the copy's size: may be an older size, or less if the mapping ends */
	u64 bytes;  /* bytes needed; if @cut, at least that many */
	bool cut;   /* the copy ended too early */
};

/* Notes the need of a stack of @tid. Returns the thread's new size; 0: not changed. */
u32 stack_sizes_take(struct stack_sizes *s, u32 tid, const struct stack_need *need);

#endif
