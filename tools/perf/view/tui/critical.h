/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The browser of perf report --critical: what the time of the slow requests went to.
 *
 *	paths	Enter -> of a function its code, of a member the instructions that touch it; else unfolds
 *		c     -> the code of the function at or above the row
 *		s     -> the answer in one sentence, and what it rests on
 *		Tab   -> other pages; of one request, its threads over time and the steps of its path
 */
#ifndef VIEW_TUI_CRITICAL_H
#define VIEW_TUI_CRITICAL_H

#include "pages/code/annotator.h"
#include "pages/critical/critical_pages.h"
#include "view/tui/tui.h"

struct tui_critical_options {
	struct pages *pages; /* of critical_pages_new(); borrowed */
	/* Of the code and the types that rows lead to. */
	struct annotator_options annotator;
	/* Called when the view is freed, with @own: of who has made the pages. NULL: nothing is called. */
	void (*free_own)(void *own);
	void *own;
};

/* A view for a stack of others. Copies @options. */
struct tui_view *tui_critical_new(const struct tui_critical_options *options);

/* Runs the browser until the user leaves it. */
void tui_critical_run(struct screen *screen, const struct tui_critical_options *options);

#endif
