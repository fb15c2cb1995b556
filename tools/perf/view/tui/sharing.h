/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The browser of perf c2c report: members on cache lines that threads share, and what hardware states about such lines.
 *
 *	shared lines	Enter -> the type as it lies in memory, then its fields and their code
 *			c     -> the instructions that touch the member
 *			A     -> who touches it, by thread
 *
 *	lines		Enter -> who accesses one of them, and where
 *	one line	Enter -> the code, there
 *			T     -> the type as it lies in memory
 */
#ifndef VIEW_TUI_SHARING_H
#define VIEW_TUI_SHARING_H

#include "pages/code/annotator.h"
#include "pages/sharing/sharing_pages.h"
#include "view/tui/tui.h"

struct tui_sharing_options {
	struct pages *pages;	   /* of sharing_pages_new(); borrowed */
	enum hitm_node_info nodes; /* as in these */
	/* Of the types and the code that rows lead to. */
	struct annotator_options annotator;
};

/* Runs the browser until the user leaves it. @options->pages has a page. */
void tui_sharing_run(struct screen *screen, const struct tui_sharing_options *options);

#endif
