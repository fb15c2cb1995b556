/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What did the program do between the branches of a branch stack? -F brstackinsn and its kin: a
 * branch stack says from where to where the last branches went, so each instruction between the
 * target of one and the start of the next was executed. They are read from the files.
 */
#ifndef VIEW_SCRIPT_BLOCKS_H
#define VIEW_SCRIPT_BLOCKS_H

#include <glib.h>

#include "base/types.h"

struct insn_decoder;
struct place;

/*
 * A line per instruction, oldest first, for each run between two branches and from the last branch to
 * the sample; of the newest @max_blocks runs where that is not 0. Nothing where the sample has no
 * branches. @decoder may be NULL: then there are only bytes' addresses of branches to show.
 */
void script_print_blocks(struct insn_decoder *decoder, const struct place *place, u64 wanted,
			 u32 max_blocks, GString *out);

#endif
