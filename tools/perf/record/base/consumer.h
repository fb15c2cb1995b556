/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A consumer receives the records of a recording: the file, or a session that shows them live. All consumers of a
 * recording get the same records in the same order, the order of the file. The functions are called by these threads,
 * in this order:
 *
 *   begin      main       events and info are final; nothing is recorded yet
 *   records    collector  repeatedly: whole records, after all stages
 *   flush      collector  after each buffer of the queue (at most some 40 ms of records): the records may
 *                         be shown now; returns the consumer's wish
 *   next_part  collector  --switch-output: a new file begins, with records of what exists then
 *   answer     collector  everything has come that was recorded when a reader asked (recorder_answer())
 *   end        collector  no more records follow
 *   close      main       the thread has ended
 *
 * Times are not in order: FINISHED_ROUND says which records may be sorted and released. Records of what exists at the
 * start come first, with time 0, up to FINISHED_INIT.
 *
 * One thread calls records() and flush() of all consumers. While a consumer works, the queue fills (64 buffers of
 * 256 KiB), then the rings; further records are lost, and counted by the kernel. So a consumer that does more than
 * store or sum up has its own queue and thread. If its queue is full, it either waits, or drops records and counts
 * them.
 */
#ifndef RECORD_CONSUMER_H
#define RECORD_CONSUMER_H

#include "base/error.h"
#include "base/types.h"
#include "perfdata/evsel.h"
#include "perfdata/info.h"

struct consumer;

/* As in the file. Valid until close(). */
struct consumer_about {
	struct evsel *const *evsels;
	u32 nr_evsels;
	/*
	 * The facts known at the start. When next_part() and end() are called, it also has the build-ids and the times
	 * of the first and last sample. Only the collector's thread writes to it.
	 */
	const struct perfdata_info *info;
};

/* Returned by flush(). */
enum consumer_wish {
	CONSUMER_MORE,
	CONSUMER_PART,	 /* a new part: next_part() is called */
	CONSUMER_ENOUGH, /* the recording may end; until it does, records still come */
	CONSUMER_FAILED, /* consumer.error says why; the recording ends as failed */
};

struct consumer_ops {
	const char *name;
	bool (*begin)(struct consumer *c, const struct consumer_about *about, GError **error);
	/* @size bytes of records, valid during the call. flush() reports failures. */
	void (*records)(struct consumer *c, const void *records, size_t size);
	enum consumer_wish (*flush)(struct consumer *c);
	/* False: it failed, or its output cannot have parts. NULL: the consumer ignores parts. */
	bool (*next_part)(struct consumer *c);
	/* @asked: the number of requests that are answered now. NULL: nobody asks this consumer. */
	void (*answer)(struct consumer *c, u64 asked);
	void (*end)(struct consumer *c); /* also after a failure; NULL: nothing to do */
	void (*close)(struct consumer *c);
};

struct consumer {
	const struct consumer_ops *ops;
	u64 wakes;     /* wake-ups of the drainer so far; set before next_part() and end() */
	GError *error; /* the first failure, or NULL; freed by the recorder */
};

#endif
