/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Statistics of unwinding: how many stacks there were, how many reached the thread's first function, and why the
 * others did not. By process, and by the module of the last frame.
 */
#ifndef PASS_STACK_TALLY_H
#define PASS_STACK_TALLY_H

#include <stdio.h>

#include "chains/chainer.h"
#include "chains/ends.h"

struct machine;
struct stack_tally;

struct stack_tally *stack_tally_new(void);
void stack_tally_free(struct stack_tally *t);

/* @pid's stack was unwound to @chain, and ended in @last (NULL: unknown). */
void stack_tally_add(struct stack_tally *t, u32 pid, const struct unwound_chain *chain,
		     const struct dso *last);
/* Adds an unwinder's statistics for these stacks. */
void stack_tally_add_steps(struct stack_tally *t, const struct unwinder_stats *steps);
void stack_tally_merge(struct stack_tally *into, const struct stack_tally *from);

/* For people; @machine knows the names of processes. */
void stack_tally_print(const struct stack_tally *t, struct machine *machine, FILE *out);

/*
 * The lines that elfutils' eu-stacktrace prints at its end. Its "lost" is a stack of up to two frames.
 */
void stack_tally_print_elfutils(const struct stack_tally *t, struct machine *machine, FILE *out);

#endif
