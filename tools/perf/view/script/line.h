/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One event as the text of `perf script`: for a sample, a line of columns and the call chain below it; for any other
 * record, its line.
 */
#ifndef VIEW_SCRIPT_LINE_H
#define VIEW_SCRIPT_LINE_H

#include <glib.h>

#include "base/error.h"
#include "base/types.h"
#include "view/script/columns.h"

struct event;
struct place;
struct session;

struct script_line_options {
	bool ns;	/* times have nine decimals instead of six */
	bool reltime;	/* times are relative to the first printed line... */
	u64 first_time; /* ...or to this time, if it is not 0 */
	bool deltatime; /* times are relative to the previous sample */
	bool show_chain;
	bool kernel_path;      /* the kernel is named by its file */
	bool full_source_path; /* source files with their folders */
	u32 max_blocks;	       /* number of blocks that brstackinsn prints, newest first; 0: all */
	const char *stop_bt;   /* csv of symbols: a chain ends at the first of them; NULL: none */
};

struct script_printer;

/*
 * @columns and @session belong to the caller and must outlive the printer. Fails if -F names a column that no sample
 * has, or if it needs tracepoint formats that the file lacks.
 */
struct script_printer *script_printer_new(struct session *session,
					  const struct script_columns *columns,
					  const struct script_line_options *options,
					  GError **error);
void script_printer_free(struct script_printer *printer);

/* Appends a sample's line or lines; nothing if no column is selected for its event. */
void script_print_sample(struct script_printer *printer, const struct place *place, GString *out);

/* Appends "comm tid [cpu] time: ", the start of the line of any other record; nothing for the end of a round. */
void script_print_head(struct script_printer *printer, const struct event *event, GString *out);

/* The time of the first line that shows one; 0: no line does. */
u64 script_first_time(const struct script_printer *printer);

#endif
