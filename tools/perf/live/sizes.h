/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many bytes of a thread's stack are to be copied? A power of two that its last stacks would have fit into: more as soon as one was
 * cut, less when none of the last SIZES_WINDOW needed it. For one worker's threads.
 */
#ifndef LIVE_SIZES_H
#define LIVE_SIZES_H

#include "base/types.h"

#define SIZES_WINDOW 256u

struct stack_sizes;

/* Sizes from @least to @most, which a thread begins with: so that nothing is cut before something is known of it. */
struct stack_sizes *stack_sizes_new(u32 least, u32 most);
void stack_sizes_free(struct stack_sizes *s);

struct stack_need {
	u32 copied; /* bytes that there was room for: a size of before, or less where the mapping ends */
	u64 bytes; /* that were needed, or more... */
	bool cut;  /* ...where the copy ended before */
};

/* What a stack of @tid needed. The size from now on; 0: as before. */
u32 stack_sizes_take(struct stack_sizes *s, u32 tid, const struct stack_need *need);

#endif
