/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which columns does a line of `perf script` have? One row per -F field, in the order in
 * which they stand on a line, with what a sample must carry for it and the function that
 * prints it. The defaults and the syntax of -F are upstream's (perf-script(1), 7.x); a
 * word that names no row is looked up among the report's sort keys, so each of those
 * (type, typeoff, activity, ...) is a column too.
 */
#ifndef VIEW_SCRIPT_COLUMNS_H
#define VIEW_SCRIPT_COLUMNS_H

#include <glib.h>

#include "base/error.h"
#include "base/types.h"

struct evsel;
struct field;

/* Kinds of events that -F can tell apart ("sw:comm,ip"). */
enum script_class {
	SCRIPT_HW,
	SCRIPT_SW,
	SCRIPT_TRACE,
	SCRIPT_RAW,
	SCRIPT_BREAKPOINT, /* no prefix of its own: takes what is said for all */
	SCRIPT_PMU,	   /* events of other PMUs, as SCRIPT_BREAKPOINT */
	NR_SCRIPT_CLASS,
};

/* In the order of a line. IP..SRCLINE are one block. */
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
	u64 asked[NR_SCRIPT_CLASS];   /* of these, named by -F: what is absent then is an error */
	bool stated[NR_SCRIPT_CLASS]; /* -F says something about them */
	/* const struct field *: columns that are sort keys */
	GPtrArray *fields[NR_SCRIPT_CLASS];
	GPtrArray *labels; /* struct field *: those of label:KEY among them */
};

/* The defaults. */
void script_columns_init(struct script_columns *columns);
void script_columns_release(struct script_columns *columns);

/*
 * Takes one -F argument: "comm,ip", "sw:comm,ip", "+addr,-cpu", "trace:". A second one for
 * a type adds to what the first said of others.
 */
bool script_columns_parse(struct script_columns *columns, const char *text, GError **error);

enum script_class script_class_of(const struct evsel *evsel);

/*
 * What to print for @evsel's samples. False with the reason where -F states a column that
 * the samples do not carry.
 */
bool script_columns_of(const struct script_columns *columns, const struct evsel *evsel, u64 *wanted,
		       GError **error);

/* Which of enum place_need the columns ask of every place. */
u32 script_columns_needs(const struct script_columns *columns, bool chains);

/* Whether some of them are sort keys. */
bool script_columns_have_keys(const struct script_columns *columns);

/* "comm", "brstacksym". */
const char *script_column_name(enum script_column column);

/* The names, for messages and -h. g_free(). */
char *script_columns_names(void);

#endif
