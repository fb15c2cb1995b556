/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A report of what differs between recordings: perf diff, and perf report --baseline.
 *
 * As text, as many recordings are read at once as there are threads, and at least two, and closed again before the next ones are opened. What
 * is kept of them are the sums of their rows, by thread. In the browser, all recordings stay open (pages/compared.h).
 */
#ifndef REPORT_COMPARED_REPORT_H
#define REPORT_COMPARED_REPORT_H

#include "compare/compare.h"
#include "pages/code/annotate_pages.h"
#include "pages/compare/compare_pages.h"
#include "session/session.h"
#include "view/view.h"

/* Recordings that are compared as one. */
struct compared_side {
	GPtrArray *paths; /* char * */
	const char *time; /* --time for them; NULL: all */
};

struct compared_report_options {
	const struct session_options *session; /* of each recording, but for input and time */
	const GPtrArray *
		sides; /* struct compared_side *; with @split_key the only one has all recordings */
	/* Without keys and split, which are found. */
	struct compare_options compare;
	const char *sort, *split_key;
	const char *critical; /* whose requests the keys class and critical compare, ... */
	double slowest;	      /* ... as in struct critical_options; NULL: all */
	bool short_types, quiet;
	bool fair; /* say what is not the same on both sides */
	struct compare_view look;
	const struct view *view;
	struct view_options print;
	const struct annotate_pages_options
		*code_pages; /* of the browser's code; NULL: the defaults */
};

struct compared_report;

/* @options must outlive it. */
struct compared_report *compared_report_new(const struct compared_report_options *options);
void compared_report_free(struct compared_report *r);

/* Reads all recordings, and judges the differences. */
bool compared_report_read(struct compared_report *r, GError **error);
/* When it was read: what was compared. */
const struct comparison *compared_report_comparison(const struct compared_report *r);
bool compared_report_print(const struct compared_report *r, GError **error);

struct screen;

/* The browser. @screen NULL: the terminal, when the recordings have been opened. */
bool compared_report_browse(const struct compared_report_options *options, struct screen *screen,
			    GError **error);

/* "old.data and 4 more, 10%-20%": the name of a side, to be freed. */
char *compared_side_label(const struct compared_side *side);
void compared_side_free(void *side);

#endif
