/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws lines beside a listing, from jumps to their targets. All jumps to one instruction share a line. Short lines are
 * next to the code. If there is not enough room, a line is left out.
 *
 *	┌──>│ mov    0x8(%rsi),%rsi
 *	│   │ test   %rsi,%rsi
 *	│┌──│ je     58
 *	││  │ cmp    %rax,(%rsi)
 *	├┼──│ jne    40
 *	│└─>│ ...
 */
#ifndef VIEW_TUI_JUMPS_H
#define VIEW_TUI_JUMPS_H

#include <glib.h>

#include "base/types.h"

struct jumps;

/* @targets: for each instruction, the index of its target instruction, or -1. */
struct jumps *jumps_new(const s32 *targets, u32 nr);
void jumps_free(struct jumps *jumps);

/* The width in columns of at most @most lines side by side, with their arrow heads. 0: there are no lines. */
u32 jumps_width(const struct jumps *jumps, u32 most);

/* The number of jumps to the instruction. */
u32 jumps_sources(const struct jumps *jumps, u32 insn);

/*
 * Appends the lines for instruction @insn, at most @most of them. @above: for the source line that is shown above it.
 */
void jumps_append(const struct jumps *jumps, u32 insn, bool above, u32 most, GString *out);

#endif
