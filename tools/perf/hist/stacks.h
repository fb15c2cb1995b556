/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interns call chains: equal chains get equal numbers.
 *
 * Two frames are the same if their `same` numbers are equal. The caller decides whether that is by function, address or
 * source line. The first code that came with a number represents it.
 *
 * With @suffixes each suffix of a chain is a chain with a number too. Chains are then kept as a
 * tree that grows from each chain's last frame towards its first: the number of a chain stands for
 * its first frame, the parent of that number for the chain from the second frame on. So
 * `--children`, which charges each function on a chain with the rest of that chain, walks parents
 * instead of copying chains. Without @suffixes, a chain is an array, which costs one look-up and not
 * one for each frame.
 */
#ifndef HIST_STACKS_H
#define HIST_STACKS_H

#include "base/types.h"
#include "resolve/place.h"

struct stack_frame {
	const struct code *code;
	u64 same;
};

struct stacks;

struct stacks *stacks_new(bool suffixes);
void stacks_free(struct stacks *stacks);

/* The number of the chain @frames; 0 for the empty chain. */
u32 stacks_id(struct stacks *stacks, const struct stack_frame *frames, u32 nr);

/* Adds the chain @id of @from to @to. Returns its number in @to. */
u32 stacks_take(struct stacks *to, const struct stacks *from, u32 id);

/* The frames of a chain, from the first one: stacks_walk(), then stack_next() until NULL. */
struct stack_walk {
	const struct stacks *stacks;
	u32 id, at;
};
struct stack_walk stacks_walk(const struct stacks *stacks, u32 id);
const struct stack_frame *stack_next(struct stack_walk *walk);

/*
 * With suffixes and an @id that is not 0: the first frame, the chain from the second frame on, the length.
 */
const struct stack_frame *stacks_first(const struct stacks *stacks, u32 id);
u32 stacks_rest(const struct stacks *stacks, u32 id);
u32 stacks_depth(const struct stacks *stacks, u32 id);

#endif
