/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The browser of perf report: a profile's rows. Each row leads to further queries: a part of the samples (zooms are
 * views on the stack), other keys, activities as a tree, then types, fields and code.
 */
#ifndef VIEW_TUI_REPORT_H
#define VIEW_TUI_REPORT_H

#include "base/error.h"
#include "pages/explorer.h"
#include "view/tui/annotate.h"
#include "view/tui/critical.h"
#include "view/tui/tui.h"

/* For a running recording. All functions are called on the thread of tui_report_run(). */
struct tui_report_live {
	struct tui_clock clock;
	/* Text right of the path, instead of the number of samples. */
	void (*status)(void *arg, GString *out);
	/* Called for the keys 'z' and 'f'; returns the new state as text. */
	const char *(*toggle)(void *arg, u32 key);
	/* For the key 'w': the longest waits, a line each. */
	void (*waits)(void *arg, GString *out);
	void *arg;
};

/*
 * For the key 'w': what the requests of a span's name waited for, of perf report --critical. Fills @out, whose free_own() frees
 * what was made. False with @error.
 */
struct tui_report_requests {
	bool (*open)(void *arg, const char *span, struct tui_critical_options *out, GError **error);
	void *arg;
};

struct tui_report_options {
	struct explorer *explorer;
	const struct tui_report_requests *requests; /* NULL: the key does nothing */
	bool tree;				    /* begin with the activities */
	const char *title;			    /* of the first view; NULL: its own */
	const struct tui_report_live *live;	    /* NULL: nothing changes */
	/* Of the code that rows lead to: its look, and its percentages, syntax and sources (NULL: the defaults). */
	struct tui_annotate_look code;
	const struct annotate_pages_options *code_pages;
};

/*
 * Runs the browser until the user leaves it. False with @error if the first query fails. *@next: another file that
 * the user has chosen, to be freed; NULL: none.
 */
bool tui_report_run(struct screen *screen, const struct tui_report_options *options, char **next,
		    GError **error);

#endif
