/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What changes records on their way: joins what two of them say, drops some, replaces what is in
 * samples. Any number of stages stand in order between the queue and the consumers: what the first
 * puts, the second gets, and what the last puts is the recording (see recording.stages).
 *
 * All of a stage's functions but describe() run in the collector's thread (collector.h), never in the one that
 * empties the rings: while a stage is slow, the queue fills, and what then finds no room in the rings is
 * counted by the kernel.
 */
#ifndef RECORD_STAGE_H
#define RECORD_STAGE_H

#include "record/base/source.h"

struct stage;

/* The sources have been emptied once. */
struct stage_round {
	u64 began_ns; /* CLOCK_MONOTONIC: what was there by then has passed */
	bool last;    /* of this file: nothing may be held back */
};

struct stage_ops {
	const char *name;
	/*
	 * Main thread; may be NULL. @evsels are the events as the stage before leaves them, which is how
	 * the records come in; a stage that adds fields to samples or takes them away says so in
	 * them.
	 */
	void (*describe)(struct stage *st, struct evsel *const *evsels, u32 nr,
			 struct perfdata_info *info);
	/*
	 * One record, 8-aligned, valid during the call. It goes on by being put into @next, changed or not,
	 * now or with a later one; several may be put for one. @ring: the index in recording.rings, or
	 * OUTLET_NO_RING for what other sources and the recorder itself have put.
	 */
	void (*pass)(struct stage *st, u32 ring, const struct perf_event_header *record,
		     struct outlet *next);
	/* May be NULL. Some times a second, also when no record has come. */
	void (*round)(struct stage *st, const struct stage_round *round, struct outlet *next);
};

struct stage {
	const struct stage_ops *ops;
};

#endif
