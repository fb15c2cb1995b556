/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How do several threads turn the events of one file into text? The caller's thread reads the
 * records and puts them in order. It hands them out in batches; each thread decodes, resolves and
 * prints whole batches; the caller's thread writes the texts in the order of the batches. So what
 * is written does not depend on how many threads there are.
 */
#ifndef SESSION_WORKERS_H
#define SESSION_WORKERS_H

#include "session/session.h"

/*
 * Who prints, and what becomes of the text. open(), close() and write() are called by the caller's
 * thread alone; print() by several at a time, each with a printer of its own.
 */
struct session_text {
	u32 needs; /* enum place_need */
	bool by_time;
	/*
	 * A printer for one thread. @view is a session for it alone: the same file, machine and
	 * dsos, with a resolver and filters of its own. It lives until close(). NULL with @error.
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
 * Whether session_print_events() may be called: several threads are wanted, the file is no pipe
 * (its machine changes as it is read), and nothing is asked that threads cannot share: fields of
 * tracepoints as keys.
 */
bool session_can_print(const struct session *session, u32 needs);
/* Every event that session_each_event() would hand out, in the same order. */
bool session_print_events(struct session *session, const struct session_text *text, GError **error);

#endif
