/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The browser of perf report: a profile's rows, and from each row what can be asked next: a part
 * of the samples (zooms are views on the stack), other keys, activities as a tree, and then types,
 * fields and code.
 */
#ifndef VIEW_TUI_REPORT_H
#define VIEW_TUI_REPORT_H

#include "base/error.h"
#include "pages/explorer.h"
#include "view/tui/tui.h"

/* Of a recording that goes on. All functions are called on the thread of tui_report_run(). */
struct tui_report_live {
	struct tui_clock clock;
	/* Right of the path, instead of how many samples there are. */
	void (*status)(void *arg, GString *out);
	/* 'z' and 'f' have been pressed: what holds from now on, in words. */
	const char *(*toggle)(void *arg, u32 key);
	void *arg;
};

struct tui_report_options {
	struct explorer *explorer;
	bool tree;			    /* begin with the activities */
	const struct tui_report_live *live; /* NULL: nothing changes */
};

/*
 * Runs the browser until the user leaves it. False with @error where the first question has no answer.
 * *@next: another file that the user wants to see, to be freed; NULL: none.
 */
bool tui_report_run(struct screen *screen, const struct tui_report_options *options, char **next,
		    GError **error);

#endif
