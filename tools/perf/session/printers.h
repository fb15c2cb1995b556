/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several threads format the events of one file as text. The caller's thread reads the records, sorts them, and hands
 * them out in batches. Each thread decodes, resolves and prints whole batches. The caller's thread writes the texts
 * in the order of the batches, so the output does not depend on the number of threads.
 */
#ifndef SESSION_PRINTERS_H
#define SESSION_PRINTERS_H

#include "session/session.h"

/*
 * The functions that print and write. Only the caller's thread calls open(), close() and write(). Several threads
 * call print() at the same time, each with its own printer.
 */
struct session_text {
	u32 needs; /* enum place_need */
	bool by_time;
	/*
	 * A printer for one thread. @view is a session only for this thread: the same file, machine and dsos, with
	 * its own resolver and filters. It lives until close(). NULL with @error.
	 */
	void *(*open)(struct session *view, void *arg, GError **error);
	/* Appends @event; @place as in session_event_fn. Must not depend on events before it. */
	void (*print)(void *printer, const struct event *event, const struct place *place,
		      GString *out);
	void (*close)(void *printer, void *arg);
	/* The next text; false with @error ends the reading. */
	bool (*write)(const GString *text, void *arg, GError **error);
	void *arg;
};

/*
 * True if session_print_events() may be called: there is more than one thread, the file is not a pipe (whose machine
 * changes while it is read), and no keys are used that threads cannot share (fields of tracepoints), or that refer to
 * samples before (session_beside()).
 */
bool session_can_print(const struct session *session, u32 needs);
/* Prints every event of session_each_event(), in the same order. */
bool session_print_events(struct session *session, const struct session_text *text, GError **error);

#endif
