/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passes change a recording's events on their way into another file. A pass gets the events one by one. It gives on the
 * same event, a changed one, several, none, or some of them later. Passes form a pipeline (pass/pipeline.h); the last
 * one writes.
 *
 *	struct drop_odd { struct pass pass; };
 *
 *	static bool take(struct pass *p, const struct event *ev, GError **error)
 *	{
 *		return ev->id.time % 2 || pass_on(p, ev, error);
 *	}
 *
 * All functions run on one thread.
 */
#ifndef PASS_PASS_H
#define PASS_PASS_H

#include "base/error.h"
#include "perfdata/event.h"
#include "perfdata/info.h"

struct machine;
struct pass;

struct pass_ops {
	const char *name;
	/*
	 * It decodes samples itself, if at all: their other fields than type, misc, size, raw and foff may be unset.
	 */
	bool takes_raw_samples;
	/*
	 * Called before the first event; may be NULL. @evsels (struct evsel *, by idx) describe the incoming records.
	 * A pass that changes samples also changes the evsels, for the next pass.
	 */
	bool (*begin)(struct pass *p, GPtrArray *evsels, GError **error);
	/*
	 * For a file, if passes use a machine: called for each record that the machine gets, before it is sealed and
	 * before begin(); may be NULL. A pass that will add mappings adds them to @machine now.
	 */
	bool (*foretell)(struct pass *p, const GPtrArray *evsels, const struct event *ev,
			 struct machine *machine, GError **error);
	/*
	 * One event, valid during the call: ev->raw has its bytes, which its pointers point into. False with @error
	 * ends everything.
	 */
	bool (*take)(struct pass *p, const struct event *ev, GError **error);
	/*
	 * Called after the last event, and before the pipeline's machine changes; may be NULL. The pass must pass on
	 * what it holds back.
	 */
	bool (*flush)(struct pass *p, GError **error);
	/*
	 * Called after the last flush; may be NULL. @info is the input's header; the pass changes it for the output.
	 */
	void (*conclude)(struct pass *p, struct perfdata_info *info);
	void (*free)(struct pass *p);
};

struct pass {
	const struct pass_ops *ops;
	struct pass *next;  /* NULL: the last one */
	GPtrArray *evsels;  /* the format of outgoing records; set by the pipeline */
	GByteArray *record; /* pass_on_made()'s */
};

/* Passes @ev, whose raw has its bytes, to the next pass. */
bool pass_on(struct pass *p, const struct event *ev, GError **error);

/*
 * The same for a changed or new event: its bytes are encoded from its fields, in the format of @evsel (NULL: a record
 * without a trailer, such as perf's own).
 */
bool pass_on_made(struct pass *p, const struct event *ev, const struct evsel *evsel,
		  GError **error);

/* The outgoing evsel of @ev: the first one if the record does not state it. */
const struct evsel *pass_evsel(const struct pass *p, const struct event *ev);

void pass_free(struct pass *p);

#endif
