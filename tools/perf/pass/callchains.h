/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replaces the registers and the copy of the stack in samples by a call chain, which any perf reads, fast, and which
 * is much smaller. It unwinds on all cores; the order of the records stays.
 *
 * The kernel's part of a chain is kept. Inlined functions are not in a chain: readers find them by its addresses, as
 * for the input.
 */
#ifndef PASS_CALLCHAINS_H
#define PASS_CALLCHAINS_H

#include "pass/pass.h"
#include "pass/stack_tally.h"

struct machine;

struct callchains_options {
	u32 max_stack; /* frames of user code */
	u32 threads;   /* 0: as many as CPUs */
	bool stays;    /* the bytes of the events stay valid to the end */
};

/* @machine is the pipeline's. @tally must outlive the pass; it is complete at the end. */
struct pass *callchains_pass_new(struct machine *machine, const struct callchains_options *options,
				 struct stack_tally *tally);

#endif
