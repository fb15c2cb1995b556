/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines beside a listing that show where jumps go. All jumps to one instruction share a line; short ones
 * stand next to the code, and a line that finds no room is left out.
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

/* @targets: by instruction, the number of its target instruction, or -1. */
struct jumps *jumps_new(const s32 *targets, u32 nr);
void jumps_free(struct jumps *jumps);

/* The width of at most @most lines side by side with arrow heads; 0: there are none. */
u32 jumps_width(const struct jumps *jumps, u32 most);

/* The number of jumps to the instruction. */
u32 jumps_sources(const struct jumps *jumps, u32 insn);

/*
 * Appends the lines for instruction @insn, at most @most of them; @above: for its source line above it.
 */
void jumps_append(const struct jumps *jumps, u32 insn, bool above, u32 most, GString *out);

#endif
