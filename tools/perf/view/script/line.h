/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One event as the text that `perf script` prints for it: a line of columns and, below it,
 * the call chain; or the line of a record that is no sample.
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
	bool ns;	/* nine decimals in times, not six */
	bool reltime;	/* times since the first line printed... */
	u64 first_time; /* ...or since this one, where it is not 0 */
	bool deltatime; /* times since the sample before */
	bool show_chain;
	u32 max_blocks;	     /* of the runs of brstackinsn: the newest; 0: all */
	const char *stop_bt; /* csv of symbols: a chain ends with the first of them, NULL: none */
};

struct script_printer;

/*
 * @columns and @session stay the caller's and outlive the printer. Fails where -F states a
 * column that no sample has, or asks for tracepoints of a file without their formats.
 */
struct script_printer *script_printer_new(struct session *session,
					  const struct script_columns *columns,
					  const struct script_line_options *options,
					  GError **error);
void script_printer_free(struct script_printer *printer);

/* Appends a sample's line(s); nothing where no column is wanted of its event. */
void script_print_sample(struct script_printer *printer, const struct place *place, GString *out);

/* Appends "comm tid [cpu] time: ", what stands before any other record's description. */
void script_print_head(struct script_printer *printer, const struct event *event, GString *out);

/* The time of the first line that shows one; 0: none has. */
u64 script_first_time(const struct script_printer *printer);

#endif
