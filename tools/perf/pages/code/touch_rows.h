/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The touches of types as rows: selected by field, and grouped by type, code or key. */
#ifndef PAGES_TOUCH_ROWS_H
#define PAGES_TOUCH_ROWS_H

#include <glib.h>

#include "base/types.h"
#include "pages/code/annotate_private.h"
#include "pages/code/touch_pages.h"

struct touch_row {
	GPtrArray *touches;	     /* const struct touch *, at least one */
	struct access_count *counts; /* by part */
	u64 period;		     /* sum of all parts */
};

/*
 * The touches of a type that a page shows: those of bytes, or of fields by path. A path also matches array elements.
 */
struct touch_selection {
	u64 offset, size; /* @size 0: all */
	const char *path;
};

/* The selection that @o makes in the type of @profile. False: the type does not have the field. */
bool touch_select(const struct touch_pages_options *o, const struct type_profile *profile,
		  struct touch_selection *out);
bool touch_is_selected(const struct touch_selection *s, const struct touch *touch);

struct touch_rows;

/* @events: those that count. They must outlive the rows. */
struct touch_rows *touch_rows_new(enum touches_by by, const struct annotated_events *events);
void touch_rows_free(struct touch_rows *r);

/* Adds the selected touches of the type, if they have samples. */
void touch_rows_add(struct touch_rows *r, const struct type_profile *profile,
		    const struct touch_pages_options *o);

/* Sorts by period; after that touch_rows_at() has the rows in this order. */
void touch_rows_sort(struct touch_rows *r);

u32 touch_rows_nr(const struct touch_rows *r);
const struct touch_row *touch_rows_at(const struct touch_rows *r, u32 i);

#endif
