/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The browser of code, or of types, of two recordings side by side (pages/code/beside_pages.h):
 *
 *	 Before     Now  before                      now
 *	 10.63%  34.29%  mov 0x10(%rax,%rdx,4),%esi | mov 0x80(%rax,%rdx,4),%esi
 *
 *	 Before     Now   before   offset     size  field
 *	  6.63%  25.41%     0x10     0x80     0x10  flags  moved, line 0 → 2
 *
 * Enter opens the browsers of annotate.h for the row, in the recording that has it.
 */
#ifndef VIEW_TUI_BESIDE_H
#define VIEW_TUI_BESIDE_H

#include "view/tui/annotate.h"

struct tui_beside {
	struct tui_annotate *before, *now;
	bool types; /* else code */
	const char
		*name; /* of the type, or of the function as in identity.h; NULL: the first one */
};

/*
 * Pushes a view, which owns @before and @now. If there is nothing to show, the last line says why, they are freed, and false is
 * returned.
 */
bool tui_open_beside(struct tui *tui, const struct tui_beside *beside);

#endif
