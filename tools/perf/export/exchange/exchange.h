/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf data convert --to=FORMAT: samples in the formats of other tools, with all that a report knows about them:
 * functions, inlined calls, lines, threads, spans, data types, states and waits.
 *
 * The engine (exchange.c) reads the recording once, in order of time, and gives each sample to a writer as numbers of
 * tables (tables.h). A format is a row of exchange_formats and one file (format.h).
 */
#ifndef EXPORT_EXCHANGE_EXCHANGE_H
#define EXPORT_EXCHANGE_EXCHANGE_H

#include "base/error.h"
#include "base/types.h"

struct session_options;

struct exchange_options {
	const char *format;
	const struct session_options *session;
	const char *output; /* NULL: perf.FORMAT; "-": standard output */
	const char *
		table; /* of a format with tables, the only one that is written; NULL: all, in the folder @output */
};

struct exchange_counts {
	u64 samples;	    /* written */
	const char *output; /* the file's name; valid as long as the options */
	const char *
		without_wall; /* what the output lacks because the recording does not tell the time of day; NULL: nothing */
};

/* False: there is no such format. */
bool exchange_is_format(const char *name);

/* Has the format tables, and is @table one of them? */
bool exchange_has_tables(const char *name);
bool exchange_is_table(const char *table);
/* "samples, stacks, ...": with g_free(). */
char *exchange_table_names(void);

/* "pprof, folded, ...": with g_free(). */
char *exchange_names(void);

/*
 * False with @error: the recording cannot be read, the output cannot be written, or this build lacks a library for the
 * format (PERF_ERROR_UNSUPPORTED). Then there is no output file.
 */
bool exchange_write(const struct exchange_options *options, struct exchange_counts *counts,
		    GError **error);

#endif
