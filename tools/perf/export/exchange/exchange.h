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

#include <glib.h>
#include <stdio.h>

#include "base/error.h"
#include "base/types.h"

struct session_options;
struct row_mask;

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

/* One block of ClickHouse's format Native in a push. */
struct exchange_block {
	u32 table;	  /* enum row_table */
	u32 rows;	  /* at least 1; of samples, all of one day */
	u64 offset, size; /* bytes in the push's stream */
};

/* A recording as blocks for a server: all tables, one block after the other. */
struct exchange_push {
	u64 id;		     /* of the push, in rows of all tables */
	s32 clock_offset_ms; /* these are in its row of pushes */
	u64 dropped_files, dropped_bytes;
	struct row_mask *mask; /* which texts may leave; NULL: all */
	FILE *out;	       /* blocks are written from its beginning on */
	GArray *blocks;	       /* struct exchange_block, which are added */
	u64 written;	       /* bytes so far */
	u64 first, last;       /* at the end: times of its samples */
};

/*
 * The blocks are the same whenever the same recording is written, if no option differs. False with @error: the recording cannot be
 * read. Errors of writing stay in @push->out (ferror()).
 */
bool exchange_write_push(const struct session_options *options, struct exchange_push *push,
			 GError **error);

#endif
