/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists of accesses to a type or to one of its fields. They are made from the same touches (annotate/type.h), summed in
 * three ways:
 *
 *	TOUCHES_BY_TYPE	"types": a row per type, with its hottest field
 *	TOUCHES_BY_CODE	"field": a row per instruction, with symbol and source line
 *	TOUCHES_BY_KEY	"users": a row per activity, thread, ... by which the annotation is grouped
 *
 * There is one page per event or group of events. The last two lists have one page per requested type for each.
 */
#ifndef PAGES_TOUCH_PAGES_H
#define PAGES_TOUCH_PAGES_H

#include "annotate/annotation.h"
#include "pages/code/annotate_pages.h"

enum touches_by { TOUCHES_BY_TYPE, TOUCHES_BY_CODE, TOUCHES_BY_KEY, TOUCHES_NR_BY };

/* The columns of all lists, in this order. rows_find_column() tells which of them a list has. */
enum {
	TOUCH_KEY = ANNOTATE_NR_VALUES, /* the annotation's options->by */
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
	TOUCH_MEMBER, /* the field; if a row has several fields, the hottest one */
	TOUCH_DSO,
	TOUCH_NR_COLUMNS,
};

struct touch_pages_options {
	enum touches_by by;
	const char
		*field; /* a text of type_find_line() or type_member_path(); NULL: the whole type */
	u64 offset, size; /* the bytes, if there is no @field; @size 0: the whole type */
};

/* The caller owns all arguments. They must outlive the pages. */
struct pages *touch_pages_new(const struct annotation *annotation,
			      const struct annotate_pages_options *options,
			      const struct touch_pages_options *touch);

#endif
