/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs an FDE's program (DWARF 5, section 6.4.2). Its instructions advance through the function's addresses and change
 * the rule. Only unwind/cfi.c includes this.
 */
#ifndef UNWIND_PROGRAM_H
#define UNWIND_PROGRAM_H

#include "dso/frame_entries.h"
#include "unwind/cfi.h"

/* Called in order, for each address at which the rule changes. @start is relative to the function's address. */
typedef void (*program_row)(void *arg, u32 start, const struct cfi_rule *rule);

/* If the program is malformed, the last row's rule is NULL, from the address where the error is. */
void program_run(const struct frame_section *s, const struct fde *fde, program_row row, void *arg);

#endif
