/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who touches a type, or one of its fields? Lists made of the same touches (annotate/type.h), summed in
 * three ways:
 *
 *	TOUCHES_BY_TYPE	"types": a row per type, with its hottest field
 *	TOUCHES_BY_CODE	"field": a row per instruction, with symbol and source line
 *	TOUCHES_BY_KEY	"users": a row per activity, thread, ... that the annotation tells apart
 *
 * There is one page per event or group of events; of the two last ones one per type that is asked for.
 */
#ifndef PAGES_TOUCH_PAGES_H
#define PAGES_TOUCH_PAGES_H

#include "annotate/annotation.h"
#include "pages/annotate_pages.h"

enum touches_by { TOUCHES_BY_TYPE, TOUCHES_BY_CODE, TOUCHES_BY_KEY, TOUCHES_NR_BY };

/* Columns of all three, in this order; which of them a list has, rows_find_column() tells. */
enum {
	TOUCH_KEY = ANNOTATE_NR_VALUES, /* of the annotation's options->by */
	TOUCH_TYPE,
	TOUCH_SIZE,
	TOUCH_READS, /* shares */
	TOUCH_WRITES,
	TOUCH_ACCESS, /* "read", "write", "read, write" */
	TOUCH_SYMBOL,
	TOUCH_FILE,
	TOUCH_LINE,
	TOUCH_INSTRUCTION,
	TOUCH_ADDRESS,
	TOUCH_OFFSET,
	TOUCH_MEMBER, /* the field; in a row of several the hottest one */
	TOUCH_DSO,
	TOUCH_NR_COLUMNS,
};

struct touch_pages_options {
	enum touches_by by;
	const char
		*field; /* as type_find_line() or type_member_path() has it; NULL: the whole type */
	u64 offset, size; /* these bytes where there is no @field; @size 0: the whole type */
};

/* All arguments stay the caller's and outlive the pages. */
struct pages *touch_pages_new(const struct annotation *annotation,
			      const struct annotate_pages_options *options,
			      const struct touch_pages_options *touch);

#endif
