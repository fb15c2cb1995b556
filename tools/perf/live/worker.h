/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A worker: a thread that unwinds the stacks of some of the processes. Only live.c includes this. */
#ifndef LIVE_WORKER_H
#define LIVE_WORKER_H

#include <glib.h>
#include <pthread.h>

#include "live/live.h"
#include "perfdata/decoder.h"

struct objects;
struct event;

/* Shared by all workers. */
struct live_shared {
	const struct live_options *options;
	struct dsos *dsos;
	struct objects *objects;
	const struct perfdata_decoder *decoder; /* of input records */
	struct evsel *const *evsels;		/* of output records, by idx */
	u32 nr_evsels;		  /* samples of the event with the next idx are output as... */
	u32 taken_for;		  /* ...samples of this event; see options->stacks */
	u32 stack_size;		  /* largest size of copies */
	const struct evsel *late; /* event of late samples with stacks; NULL: none is written */
	u32 nr_workers;
	u64 nr_stacks, to_root; /* sums so far; protected by the lock */
	pthread_mutex_t lock;
	pthread_cond_t done; /* a job is done */
};

/* Changes a sample or loss of options->stacks to the event that it was taken for. False: it is of another event. */
bool live_own_event(const struct live_shared *shared, struct event *event);

/* A sample with a stack: its position in live_job.records, and its process. */
struct live_sample {
	u32 at, worker;
};

/* The records of a round, and the results for its samples with stacks. */
struct live_job {
	GByteArray *records; /* each at a multiple of 8 */
	GArray *samples;     /* struct live_sample, in order */
	GByteArray *facts;   /* side records, by time, that the machines get before the samples */
	u64 newest;	     /* time of any record in it */
	u64 position;	     /* stage_round.position of the round before */
	bool late;	     /* too late: do not unwind */
	u32 left;	     /* number of workers that still work on it; protected by the lock */
	GByteArray **made;   /* by worker: its samples in order, with chains */
};

struct live_job *live_job_new(u32 nr_workers);
void live_job_free(struct live_job *job);
/* Empties the job, but keeps its memory. */
void live_job_reset(struct live_job *job, u32 nr_workers);

struct live_worker;

struct live_worker *live_worker_start(struct live_shared *shared, u32 number);
void live_worker_give(struct live_worker *w, struct live_job *job);
/* Waits until the thread has done all jobs, and ends it. */
void live_worker_join(struct live_worker *w, struct live_counts *counts);

#endif
