/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stage changes records between the queue and the consumers: it joins records, drops records, or replaces fields of
 * samples. There may be several stages in a row. The output of each is the input of the next. The output of the last
 * one is the recording (see recording.stages).
 *
 * All functions of a stage except describe() run in the collector's thread (collector.h), not in the thread that drains
 * the rings. If a stage is slow, the queue fills, then the rings; further records are lost, and counted by the kernel.
 */
#ifndef RECORD_STAGE_H
#define RECORD_STAGE_H

#include "record/base/source.h"

struct stage;

/* A round has ended: all sources have been drained once. */
struct stage_round {
	u64 began_ns; /* CLOCK_MONOTONIC: all records that existed then have passed */
	bool last;    /* the last round of this file: all records must be put */
	/* a lower bound for the times of later records of the sources that have one (source.h) */
	u64 position;
};

struct stage_ops {
	const char *name;
	/*
	 * Main thread; may be NULL. @evsels describe the records that this stage gets: the output of the previous
	 * stage. A stage that adds or removes fields of samples changes @evsels accordingly.
	 */
	void (*describe)(struct stage *st, struct evsel *const *evsels, u32 nr,
			 struct perfdata_info *info);
	/*
	 * Passes one record, 8-aligned, valid during the call. The stage puts it into @next, changed or not, now or
	 * later. It may put several records for one, or none. @ring: index in recording.rings, or OUTLET_NO_RING for
	 * records of other sources and of the recorder.
	 */
	void (*pass)(struct stage *st, u32 ring, const struct perf_event_header *record,
		     struct outlet *next);
	/* May be NULL. Called some times a second, also if no record has come. */
	void (*round)(struct stage *st, const struct stage_round *round, struct outlet *next);
	/*
	 * After round(); may be NULL. For stages that hold records for several rounds: the position of the round before
	 * the oldest record that is held, UINT64_MAX if none is. A reader is not told to release newer records.
	 */
	u64 (*position)(const struct stage *st);
};

struct stage {
	const struct stage_ops *ops;
};

#endif
