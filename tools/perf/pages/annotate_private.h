/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What pages of types and pages of code share: which events stand side by side. */
#ifndef PAGES_ANNOTATE_PRIVATE_H
#define PAGES_ANNOTATE_PRIVATE_H

#include "pages/annotate_pages.h"

#define ANNOTATED_LINE_SIZE 64 /* bytes of a cache line where the file does not say it */

/* A page: a profile's, for the events @first to @first + @nr - 1. */
struct annotated {
	void *profile; /* struct type_profile or code_profile */
	u32 first, nr;
};

/* The columns of a page's events, those without a sample left out. */
struct annotated_events {
	u32 *events;
	u64 *whole; /* by part: what shares are of */
	bool hits;  /* shares are of samples, not of their periods */
	u32 nr;
};

/* How many events from @first on go into one page: a group's, or one. */
u32 annotated_width(const struct annotate_pages_options *o, u32 first, u32 nr_events);

/*
 * A page with the names of its events; @e is filled but for what shares are of (annotated_whole()),
 * to be freed by annotated_release().
 */
struct page *annotated_page(const struct annotate_pages_options *o, const struct annotated *a,
			    char *title, struct annotated_events *e);

/* Shares of @part are of @local, of what the page is about, or of @all samples, as @o wants it. */
void annotated_whole(const struct annotate_pages_options *o, struct annotated_events *e, u32 part,
		     struct type_count local, struct type_count all);
void annotated_release(struct annotated_events *e);

/* The cell of a column of values: shares are in the even ones, samples in the odd ones. */
void annotated_cell(const struct annotated_events *e, u32 column, u32 part, struct type_count value,
		    struct cell *out);

/* Copies @columns with as many parts in those of values as there are events. */
struct rows_column *annotated_columns(const struct rows_column *columns, u32 nr,
				      const struct annotated_events *e);

/* Whether @options ask for the type. */
bool annotated_is_wanted(const struct annotate_pages_options *o,
			 const struct type_profile *profile);

/* Appends the type's name, as the options want names. */
void annotated_type(const struct annotate_pages_options *o, const char *name, GString *out);

/* "read", "write", "read, write"; "" for an access that is neither. */
const char *annotated_roles(u8 roles);

void annotated_remark(const struct annotate_pages_options *o, struct notes *notes);

bool annotated_below_limit(const struct annotate_pages_options *o, u64 period,
			   const struct type_count *all);

#endif
