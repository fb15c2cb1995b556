/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples with registers and a copy of the stack become samples with a call chain, which any perf reads, fast, and which
 * take a small part of the room. All cores unwind; the order of the records stays.
 *
 * The kernel's part of a chain is kept. Inlined functions are not in a chain: readers find them by its addresses, as they
 * do in the input.
 */
#ifndef PASS_CALLCHAINS_H
#define PASS_CALLCHAINS_H

#include "pass/pass.h"
#include "pass/stack_tally.h"

struct machine;

struct callchains_options {
	u32 max_stack; /* frames of user code */
	u32 threads;   /* 0: as many as CPUs */
	bool stays;    /* the bytes of events that are taken stay in place to the end */
};

/* @machine is the pipeline's; @tally, which must outlive the pass, is filled when all has been given on. */
struct pass *callchains_pass_new(struct machine *machine, const struct callchains_options *options,
				 struct stack_tally *tally);

#endif
