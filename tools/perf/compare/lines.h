/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which source lines of two builds are the same? Those with the same contents, whatever was inserted above them:
 *
 *	before				now
 *	74	sum += order->flags;	79	sum += order->flags;	one row
 *	90	}			95	}			the same, if it is the third "}" of both files
 *
 * The contents must be those that were compiled: of a file in the recording (perf data pack --sources), or of one that is not newer than the program.
 * Where one of the recordings has no such file, its lines are compared by their numbers.
 */
#ifndef COMPARE_LINES_H
#define COMPARE_LINES_H

#include "fields/fields.h"

struct packed;
struct compare_lines;

struct compare_lines *compare_lines_new(void);
void compare_lines_free(struct compare_lines *lines);

/* The lines that are asked for next are of another recording. @packed: its files; NULL: none. It must outlive the next begin. */
void compare_lines_begin(struct compare_lines *lines, struct packed *packed);

/* What the line has in common with its like; NULL: it is compared by its number. To be freed. */
char *compare_lines_identity(struct compare_lines *lines, const struct line_place *place);

#endif
