/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Brings the events of a perf.data file into order of time. The file has the events ring by ring. A stream pushes them,
 * sorted by time, into a sink.
 *
 * An event is kept until the second PERF_RECORD_FINISHED_ROUND after it (upstream's rule). The order is correct if the
 * recorder keeps to that. So memory is bounded by two rounds, and a pipe can be read while it is written. Records
 * without a time (synthesized ones, tool records) are pushed at once. Events of equal time keep the file's order.
 *
 * FINISHED_ROUND, and records that only describe the file (ATTR, FEATURE, ...), are pushed as they come, so
 * FINISHED_ROUND is before the events that it releases.
 */
#ifndef STREAM_STREAM_H
#define STREAM_STREAM_H

#include <glib.h>

#include "base/error.h"
#include "base/types.h"

struct event;
struct perf_event_header;
struct perfdata;
struct stream;

struct sink {
	/* @event is valid during the call. False with @error set ends the stream. */
	bool (*push)(struct sink *sink, const struct event *event, GError **error);

	/*
	 * Called before push() gets the first of the next @nr events, so that the sink can prefetch memory. Not all
	 * events are announced. May be NULL.
	 */
	void (*announce)(struct sink *sink, const struct event *events, u32 nr);

	/*
	 * Replaces push() and announce() in a sink that decodes records itself. It gets the records that push() would
	 * get. @raw is valid as long as the stream's perfdata if it @stays, else during the call.
	 */
	bool (*push_raw)(struct sink *sink, const struct perf_event_header *raw, u64 foff,
			 bool stays, GError **error);
};

/* A stream of the records of @pd into @sink. @by_time false: pushes events at once, in the file's order. */
struct stream *stream_new(struct perfdata *pd, bool by_time, struct sink *sink);
void stream_free(struct stream *stream);

/* Takes one event that the caller has already read from @pd. */
bool stream_take(struct stream *stream, const struct event *event, GError **error);

/* Reads @pd from its present position to the end, and pushes all waiting events. */
bool stream_run(struct stream *stream, GError **error);

/*
 * As stream_run(), for a file that was already read once to its end and has parts (perfdata_parts()). The file is not
 * walked again. @read gets, after each part, the number of bytes read.
 */
bool stream_run_parts(struct stream *stream, const GArray *parts, void (*read)(u64 size, void *arg),
		      void *arg, GError **error);

#endif
