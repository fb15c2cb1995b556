/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of the frame: frame.c draws, dialog.c asks questions, tui.c handles keys. */
#ifndef VIEW_TUI_PRIVATE_H
#define VIEW_TUI_PRIVATE_H

#include "view/tui/tui.h"

struct tui {
	struct screen *screen;
	GPtrArray *views;	       /* struct tui_view *, the topmost last */
	const struct tui_key *keys;    /* of every view */
	const struct tui_clock *clock; /* NULL: nothing changes by itself */
	GString *message;
	enum ink message_ink;
	u32 nr_pops;
	bool quits;
	bool fresh; /* the topmost view has not been drawn yet */
};

struct tui_view *tui_top_view(const struct tui *tui);

/*
 * Draws everything, then @overlay above it, and waits for a key, or for the end, with tui->quits set.
 */
typedef void tui_overlay_fn(struct tui *tui, void *arg);
struct screen_input tui_input(struct tui *tui, tui_overlay_fn *overlay, void *arg);

#endif
