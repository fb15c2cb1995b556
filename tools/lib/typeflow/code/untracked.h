/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Variables that gcc does not track: their debug information names one register for the whole scope, also where the
 * register holds other values.
 */
#ifndef TYPEFLOW_UNTRACKED_H
#define TYPEFLOW_UNTRACKED_H

#include "dwarf/vars.h"
#include "typeflow/code/cfg.h"

/* Registers that a call may change: all but rbx, rbp, rsp, r12 to r15. */
#define CALLER_SAVED (~(u64)0xf0c8)

struct untracked {
	const struct cfg *cfg;
	u32 *calls; /* the number of calls before each instruction; allocated on first use */
	u32 entry;  /* the first instruction; set with @calls */
};

/*
 * True if @location, of optimized code, is a register for a whole scope and cannot be right: the scope contains a
 * call that may change the register, or the function's entry, where the register belongs to the caller.
 */
bool untracked_location(struct untracked *untracked, const struct func_vars *vars,
			const struct location *location);
void untracked_free(struct untracked *untracked);

#endif
