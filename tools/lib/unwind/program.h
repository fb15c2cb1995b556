/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs an FDE's program (DWARF 5, section 6.4.2): instructions that move through the function's addresses
 * and change the rule on the way. Only unwind/cfi.c includes this.
 */
#ifndef UNWIND_PROGRAM_H
#define UNWIND_PROGRAM_H

#include "unwind/cfi.h"
#include "unwind/entries.h"

/* Called for each address from which another rule holds, in order; @start is relative to the function's. */
typedef void (*program_row)(void *arg, u32 start, const struct cfi_rule *rule);

/* A program that is garbled ends with a row whose rule is NULL, from where it cannot be followed. */
void program_run(const struct frame_section *s, const struct fde *fde, program_row row, void *arg);

#endif
