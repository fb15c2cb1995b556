/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the instructions executed between the branches of a branch stack (-F brstackinsn and similar columns). A
 * branch stack has source and target of the last branches. So each instruction from the target of one branch to the
 * source of the next was executed. The instructions are read from the files.
 */
#ifndef VIEW_SCRIPT_BLOCKS_H
#define VIEW_SCRIPT_BLOCKS_H

#include <glib.h>

#include "base/types.h"

struct insn_decoder;
struct place;

/*
 * Prints a line per instruction, oldest first, for each block between two branches, and from the last branch to the
 * sample. @max_blocks: only that many of the newest blocks; 0: all. A sample without branches has no lines. @decoder
 * NULL: prints only the addresses of the branches.
 */
void script_print_blocks(struct insn_decoder *decoder, const struct place *place, u64 wanted,
			 u32 max_blocks, GString *out);

#endif
