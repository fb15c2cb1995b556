/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An observer sees side records while they are recorded: mappings, forks, execs, exits. Side records are all records
 * except samples. Each is decoded once, after all stages (stage.h), as it will be in the file. Then it is passed to
 * each observer of its type. See recording.observers.
 */
#ifndef RECORD_OBSERVER_H
#define RECORD_OBSERVER_H

#include "record/base/source.h"

#define OBSERVES(type) (G_GUINT64_CONSTANT(1) << (type)) /* PERF_RECORD_*, below 64 */

struct observer {
	u64 types; /* OBSERVES() of the types that it sees */
	/*
	 * Runs in the collector's thread, in the order of the file. @ev is valid during the call. Records put into
	 * @out are written before @ev, and before up to one buffer of records that precede @ev.
	 */
	void (*see)(struct observer *ob, const struct event *ev, struct outlet *out);
};

#endif
