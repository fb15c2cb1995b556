/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In which order did events happen? A perf.data file has them ring by ring; a stream
 * pushes them by time into a sink.
 *
 * Order holds within what the recorder promises: an event is kept until the second
 * PERF_RECORD_FINISHED_ROUND after it (upstream's rule), so memory is bounded by rounds
 * and a pipe can be followed live. Records without a time (synthesized ones, tool
 * records) are pushed at once. Equal times keep the file's order. FINISHED_ROUND and the
 * records that only describe the file (ATTR, FEATURE, ...) are pushed as they come.
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
	/* One event, valid during the call. False with @error set ends the stream. */
	bool (*push)(struct sink *sink, const struct event *event, GError **error);

	/*
	 * May be NULL. The next @nr events, before push() gets the first of them: a chance to fetch
	 * memory ahead. Not all events are announced.
	 */
	void (*announce)(struct sink *sink, const struct event *events, u32 nr);

	/*
	 * Instead of both, for a sink that decodes records itself: those that push() would get. @raw is
	 * valid as long as the stream's perfdata if it @stays, else during the call.
	 */
	bool (*push_raw)(struct sink *sink, const struct perf_event_header *raw, u64 foff,
			 bool stays, GError **error);
};

/*
 * A stream of the records of @pd into @sink. With @by_time false nothing is held back and
 * events come in the file's order.
 */
struct stream *stream_new(struct perfdata *pd, bool by_time, struct sink *sink);
void stream_free(struct stream *stream);

/* One event that the caller has read from @pd already. */
bool stream_take(struct stream *stream, const struct event *event, GError **error);

/* Reads @pd from where it stands to its end, and pushes all that was held back. */
bool stream_run(struct stream *stream, GError **error);

/*
 * The same for a file that was walked to its end before and has parts (perfdata_parts()): without
 * another walk. @arg is told after each part how much was read.
 */
bool stream_run_parts(struct stream *stream, const GArray *parts, void (*read)(u64 size, void *arg),
		      void *arg, GError **error);

#endif
