/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What becomes of a recording's events on their way into another file: a pass gets them one by one, and gives on
 * what it wants: the same event, a changed one, several, none, or some of them later. Passes stand in a row
 * (pass/pipeline.h); the last one writes.
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
	/* It decodes samples itself, if at all: they may come with type, misc, size, raw and foff only. */
	bool takes_raw_samples;
	/*
	 * Before the first event; may be NULL. @evsels (struct evsel *, by idx) say how records come in. A pass
	 * that changes samples changes the evsels too: the next pass gets them like that.
	 */
	bool (*begin)(struct pass *p, GPtrArray *evsels, GError **error);
	/*
	 * Of a file, where passes ask a machine: each record that it is told, before it is sealed and before begin(); may be
	 * NULL. A pass that will add mappings tells @machine of them now.
	 */
	bool (*foretell)(struct pass *p, const GPtrArray *evsels, const struct event *ev,
			 struct machine *machine, GError **error);
	/*
	 * One event, valid during the call: ev->raw has its bytes, in which its pointers lead. False with @error ends
	 * all.
	 */
	bool (*take)(struct pass *p, const struct event *ev, GError **error);
	/*
	 * Behind the last event, and before the pipeline's machine changes; may be NULL. What was held back has to be
	 * given on now.
	 */
	bool (*flush)(struct pass *p, GError **error);
	/* After the last flush; may be NULL. What the header says of the output: @info is the input's. */
	void (*conclude)(struct pass *p, struct perfdata_info *info);
	void (*free)(struct pass *p);
};

struct pass {
	const struct pass_ops *ops;
	struct pass *next;  /* NULL: the last one */
	GPtrArray *evsels;  /* how records leave it; set by the pipeline */
	GByteArray *record; /* pass_on_made()'s */
};

/* Gives @ev, whose raw has its bytes, to the next pass. */
bool pass_on(struct pass *p, const struct event *ev, GError **error);

/*
 * The same for an event that was changed or made here: its bytes are made from its fields, as
 * @evsel lays them out (NULL: a record without a trailer, such as the tool's own).
 */
bool pass_on_made(struct pass *p, const struct event *ev, const struct evsel *evsel,
		  GError **error);

/* The event, as it leaves this pass, of which @ev is: the first where the record does not say. */
const struct evsel *pass_evsel(const struct pass *p, const struct event *ev);

void pass_free(struct pass *p);

#endif
