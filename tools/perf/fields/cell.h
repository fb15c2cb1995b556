/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A typed cell of a table: its kind, number and share are available without text. So a view can draw a bar, a file
 * format can write a number, and only shown cells are formatted.
 */
#ifndef FIELDS_CELL_H
#define FIELDS_CELL_H

#include "base/types.h"

enum cell_kind {
	CELL_TEXT,    /* words; there is no number */
	CELL_NONE,    /* absent: the row has no such cell, or its value is unknown */
	CELL_COUNT,   /* a number in the column's unit: samples, events, cycles */
	CELL_ID,      /* a number that is a name: a cpu, a process */
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

/* "percent", "ns", "bytes"; NULL: no unit */
const char *cell_kind_unit(enum cell_kind kind);

#endif
