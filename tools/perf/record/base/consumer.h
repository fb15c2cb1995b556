/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who gets the records of a recording: the file, a session that looks at them while they come. All
 * consumers of a recording get the same records in the same order, which is that of the file. Who
 * calls what, in this order:
 *
 *   begin      main       the events and the info are settled; nothing is recorded yet
 *   records    collector  over and over: whole records, behind all stages
 *   flush      collector  after each buffer of the queue, at most some 40 ms of records: what was given
 *                         may be shown now; also says what the consumer wants next
 *   next_part  collector  --switch-output: what comes is for a new file, and begins with what exists then
 *   end        collector  nothing more will come
 *   close      main       the thread is gone
 *
 * Records, not times, are in order: FINISHED_ROUND says what may be sorted and let go of. What exists
 * when a recording begins comes first, with time 0, up to FINISHED_INIT.
 *
 * records() and flush() are called from the thread that feeds all consumers. While one of them works,
 * the queue fills (64 buffers of 256 KiB), then the rings, and what they have no room for the kernel counts as lost. A
 * consumer that does more than store or sum up has a queue and a thread of its own, and decides
 * itself what to do when that queue is full: wait here, or drop and count.
 */
#ifndef RECORD_CONSUMER_H
#define RECORD_CONSUMER_H

#include "base/error.h"
#include "base/types.h"
#include "perfdata/evsel.h"
#include "perfdata/info.h"

struct consumer;

/* As the file states them. Valid until close(). */
struct consumer_about {
	struct evsel *const *evsels;
	u32 nr_evsels;
	/*
	 * What is known from the start. By next_part() and end() it also has what was found out: build-ids and the
	 * times of the first and last sample. Written to by the collector's thread only.
	 */
	const struct perfdata_info *info;
};

/* What a consumer has to say after what it was given. */
enum consumer_wish {
	CONSUMER_MORE,
	CONSUMER_PART,	 /* a new part: next_part() is called */
	CONSUMER_ENOUGH, /* the recording may end; until it does, records still come */
	CONSUMER_FAILED, /* consumer.error says why; the recording ends as failed */
};

struct consumer_ops {
	const char *name;
	bool (*begin)(struct consumer *c, const struct consumer_about *about, GError **error);
	/* @size bytes of records that are valid during the call. Failures are told by flush(). */
	void (*records)(struct consumer *c, const void *records, size_t size);
	enum consumer_wish (*flush)(struct consumer *c);
	/* False: it failed, or there is nothing that could have parts. NULL: it goes on as if there were none. */
	bool (*next_part)(struct consumer *c);
	void (*end)(struct consumer *c); /* also after a failure; NULL: nothing to do */
	void (*close)(struct consumer *c);
};

struct consumer {
	const struct consumer_ops *ops;
	u64 wakes; /* how often the drainer was woken so far; set before next_part() and end() */
	GError *error; /* the first failure, or NULL; freed by the recorder */
};

#endif
