/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The columns of a line of `perf script`. There is one row per -F field, in their order on a line. It has the data that
 * a sample needs for the column, and the function that prints it. Defaults and syntax of -F are upstream's
 * (perf-script(1), 7.x). A name without a row is searched among the report's sort keys, so each of those (type,
 * typeoff, activity, ...) is a column, too.
 */
#ifndef VIEW_SCRIPT_COLUMNS_H
#define VIEW_SCRIPT_COLUMNS_H

#include <glib.h>

#include "base/error.h"
#include "base/types.h"

struct evsel;
struct field;

/* Kinds of events that -F can select ("sw:comm,ip"). */
enum script_class {
	SCRIPT_HW,
	SCRIPT_SW,
	SCRIPT_TRACE,
	SCRIPT_RAW,
	SCRIPT_BREAKPOINT, /* has no prefix: only a list without a prefix applies to it */
	SCRIPT_PMU,	   /* events of other PMUs; no prefix either */
	SCRIPT_WAIT,	   /* thread states and waits: software events with defaults of their own */
	NR_SCRIPT_CLASS,
};

/* In the order on a line. IP to SRCLINE are one block. */
enum script_column {
	COLUMN_COMM,
	COLUMN_PID,
	COLUMN_TID,
	COLUMN_CPU,
	COLUMN_MISC,
	COLUMN_TIME,
	COLUMN_TOD,
	COLUMN_PERIOD,
	COLUMN_EVENT,
	COLUMN_TRACE,
	COLUMN_ADDR,
	COLUMN_DATA_SRC,
	COLUMN_WEIGHT,
	COLUMN_INS_LAT,
	COLUMN_RETIRE_LAT,
	COLUMN_CGROUP,
	COLUMN_IP,
	COLUMN_SYM,
	COLUMN_SYMOFF,
	COLUMN_DSO,
	COLUMN_DSOFF,
	COLUMN_SRCLINE,
	COLUMN_IREGS,
	COLUMN_UREGS,
	COLUMN_BRSTACK,
	COLUMN_BRSTACKSYM,
	COLUMN_BRSTACKOFF,
	COLUMN_BPF_OUTPUT,
	COLUMN_INSNLEN,
	COLUMN_INSN,
	COLUMN_DISASM,
	COLUMN_BRSTACKINSN,
	COLUMN_BRSTACKINSNLEN,
	COLUMN_BRSTACKDISASM,
	COLUMN_PHYS_ADDR,
	COLUMN_DATA_PAGE_SIZE,
	COLUMN_CODE_PAGE_SIZE,
	COLUMN_TLS,
	NR_COLUMNS,
};

#define COLUMN_BIT(column) (1ULL << (column))

struct script_columns {
	u64 wanted[NR_SCRIPT_CLASS];  /* COLUMN_BIT()s */
	u64 asked[NR_SCRIPT_CLASS];   /* those named in -F: an error if the samples lack them */
	bool stated[NR_SCRIPT_CLASS]; /* -F names this class */
	/* const struct field *: columns that are sort keys */
	GPtrArray *fields[NR_SCRIPT_CLASS];
	GPtrArray *labels; /* struct field *: those in @fields made for label:KEY */
};

/* Sets the defaults. */
void script_columns_init(struct script_columns *columns);
void script_columns_release(struct script_columns *columns);

/*
 * Parses one -F argument: "comm,ip", "sw:comm,ip", "+addr,-cpu", "trace:". Further arguments for other classes add to
 * it.
 */
bool script_columns_parse(struct script_columns *columns, const char *text, GError **error);

enum script_class script_class_of(const struct evsel *evsel);

/* The columns for @evsel's samples. False with @error: -F names a column that the samples lack. */
bool script_columns_of(const struct script_columns *columns, const struct evsel *evsel, u64 *wanted,
		       GError **error);

/* The enum place_need bits that the columns need. */
u32 script_columns_needs(const struct script_columns *columns, bool chains);

/* "comm", "brstacksym", ... */
const char *script_column_name(enum script_column column);

/* All names, for messages and -h. Free with g_free(). */
char *script_columns_names(void);

#endif
