/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who wants to know what happens while recording: which processes map, fork, execute, end?
 *
 * A side record (every record but a sample) is decoded once, behind all stages (stage.h), as it
 * will be in the file; then each observer that asked for its type is shown it. See recording.observers.
 */
#ifndef RECORD_OBSERVER_H
#define RECORD_OBSERVER_H

#include "record/base/source.h"

#define OBSERVES(type) (G_GUINT64_CONSTANT(1) << (type)) /* PERF_RECORD_*, below 64 */

struct observer {
	u64 types; /* OBSERVES() of each that it is shown */
	/*
	 * In the collector's thread, in the order of the file. @ev is valid during the call. What is put
	 * into @out is written in front of @ev, and of up to a buffer of records before it.
	 */
	void (*see)(struct observer *ob, const struct event *ev, struct outlet *out);
};

#endif
