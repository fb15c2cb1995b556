/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pages of `perf report`: one per event, or group of events, of a profile. */
#ifndef PAGES_REPORT_PAGES_H
#define PAGES_REPORT_PAGES_H

#include "fields/columns.h"
#include "hist/profile.h"
#include "pages/base/page.h"
#include "session/session.h"

struct report_pages_options {
	const struct session_options *session; /* the notes mention its filters */
	struct columns
		*columns; /* the profile's; columns that a filter makes constant are hidden */
	bool hierarchy;
	bool relative; /* percentages of the samples that match the filters */
	double least;  /* percent: entries with less are left out */
	u32 top; /* maximum number of rows of the first level, plus one for the others; 0: all */
	u32 sort_member;   /* --group-sort-idx */
	bool all_events;   /* also events without samples */
	const char *order; /* memory profiles: the keys, for the heading; NULL: it has none */
	bool symbol_first; /* the first key of -s is the symbol */
	bool with_header;  /* the file's header is shown, so there is no hint about it */
	bool by_host;	   /* a column has hosts */
	bool fold_idle;	   /* waits for work are joined to one row */
	bool even_empty;   /* make a page even without samples */
	bool ends;	   /* include how stacks ended */
};

/* @profile and the objects in @options belong to the caller and must outlive the pages. */
struct pages *report_pages_new(const struct profile *profile,
			       const struct report_pages_options *options);

/*
 * Changes the base of percentages, and which rows are left out, for these pages and for @page, which is one of them.
 * The order of the rows stays.
 */
void report_pages_look(struct pages *pages, struct page *page, bool relative, double least);

/* The event, or the group, that page @i is about. Events without samples have no page. */
const struct profile_event *report_pages_event(const struct pages *pages, u32 i);

#endif
