/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by pages of types and pages of code: which events are side by side. */
#ifndef PAGES_ANNOTATE_PRIVATE_H
#define PAGES_ANNOTATE_PRIVATE_H

#include "pages/code/annotate_pages.h"

#define ANNOTATED_LINE_SIZE 64 /* default size of a cache line in bytes */

/* A page: one profile, for the events @first to @first + @nr - 1. */
struct annotated {
	void *profile; /* struct type_profile or code_profile */
	u32 first, nr;
};

/* The columns of a page's events, without those that have no sample. */
struct annotated_events {
	u32 *events;
	u64 *whole; /* by part: what shares are of */
	bool hits;  /* shares of the number of samples, not of their periods */
	u32 nr;
};

/*
 * Goes to the next events that share a page: those of a group, or one. @a is { 0 } before the first call. False: there are
 * no more.
 */
bool annotated_next(const struct annotate_pages_options *o, u32 nr_events, struct annotated *a);

/* The event of a page, or those of its group. To be freed. */
char *annotated_event(const struct annotate_pages_options *o, const struct annotated *a);

/*
 * Makes a page with the names of its events. @e is complete except for the base of shares (annotated_whole()). Free
 * it with annotated_release().
 */
struct page *annotated_page(const struct annotate_pages_options *o, const struct annotated *a,
			    char *title, struct annotated_events *e);

/* The base for shares of @part: @local (the page's subject) or @all samples, as @o says. */
void annotated_whole(const struct annotate_pages_options *o, struct annotated_events *e, u32 part,
		     struct type_count local, struct type_count all);
void annotated_release(struct annotated_events *e);

/* The cell of a column of values: even columns have shares, odd ones samples. */
void annotated_cell(const struct annotated_events *e, u32 column, u32 part, struct type_count value,
		    struct cell *out);

/* Copies @columns; those of values get one part per event. */
struct rows_column *annotated_columns(const struct rows_column *columns, u32 nr,
				      const struct annotated_events *e);

/* True if @options select the type. */
bool annotated_is_wanted(const struct annotate_pages_options *o,
			 const struct type_profile *profile);

/* Appends the type's name, full or short as in the options. */
void annotated_type(const struct annotate_pages_options *o, const char *name, GString *out);

/* "read", "write", "read, write"; "": neither */
const char *annotated_roles(u8 roles);

void annotated_remark(const struct annotate_pages_options *o, struct notes *notes);

bool annotated_below_limit(const struct annotate_pages_options *o, u64 period,
			   const struct type_count *all);

#endif
