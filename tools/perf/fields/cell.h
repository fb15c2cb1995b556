/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is in one cell of a table? A cell is typed: its kind, its number and its share are there
 * without a text being made, so that a view can draw a bar, a file format can write a number, and
 * only what is shown is formatted.
 */
#ifndef FIELDS_CELL_H
#define FIELDS_CELL_H

#include "base/types.h"

enum cell_kind {
	CELL_TEXT,    /* words; there is no number */
	CELL_NONE,    /* absent: this row has no such cell, or its value is not known */
	CELL_COUNT,   /* a number of what the column's unit says: samples, events, cycles */
	CELL_ID,      /* a number that names something: a cpu, a process */
	CELL_AVERAGE, /* real */
	CELL_SHARE,   /* real: percent, -1 where the whole is 0; number: the part, as CELL_COUNT */
	CELL_TIME,    /* ns */
	CELL_ADDRESS,
	CELL_BYTES, /* a size, an offset */
	CELL_NR_KINDS,
};

struct cell {
	enum cell_kind kind;
	bool is_signed; /* number is an s64 */
	u64 number;
	double real;
};

/* "text", "count", ...: as Documentation/formats/rows.md has them. */
const char *cell_kind_name(enum cell_kind kind);

/* "percent", "ns", "bytes"; NULL: the kind says nothing of it. */
const char *cell_kind_unit(enum cell_kind kind);

#endif
