/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A thread that unwinds the stacks of some of the processes. Only live.c includes this. */
#ifndef LIVE_WORKER_H
#define LIVE_WORKER_H

#include <glib.h>
#include <pthread.h>

#include "live/live.h"
#include "perfdata/decoder.h"

struct objects;
struct event;

/* What all workers share. */
struct live_shared {
	const struct live_options *options;
	struct dsos *dsos;
	struct objects *objects;
	const struct perfdata_decoder *decoder; /* of records as they come in */
	struct evsel *const *evsels;		/* as they go out, by idx */
	u32 nr_evsels;		  /* samples of the next idx are taken in the name of... */
	u32 taken_for;		  /* ...this one, by options->stacks */
	u32 stack_size;		  /* of copies, at most */
	const struct evsel *late; /* whose late samples are, with their stacks; NULL: nobody's */
	u32 nr_workers;
	u64 nr_stacks, to_root; /* so far, under the lock */
	pthread_mutex_t lock;
	pthread_cond_t done; /* a job is */
};

/* A sample or loss of options->stacks as one of the event that it was taken for; false: it is another one. */
bool live_own_event(const struct live_shared *shared, struct event *event);

/* A sample with a stack: where in live_job.records it is, and whose it is. */
struct live_sample {
	u32 at, worker;
};

/* A round's records, and what has become of its samples with stacks. */
struct live_job {
	GByteArray *records; /* each at a multiple of 8 */
	GArray *samples;     /* struct live_sample, in order */
	GByteArray *facts;   /* side records to be told to the machines first, by time */
	u64 newest;	     /* time of any record in it */
	bool late;	     /* nothing is to be unwound */
	u32 left;	     /* workers that are not done with it; under the lock */
	GByteArray **made;   /* by worker: its samples in order, with chains */
};

struct live_job *live_job_new(u32 nr_workers);
void live_job_free(struct live_job *job);
/* As new, but the memory is kept. */
void live_job_reset(struct live_job *job, u32 nr_workers);

struct live_worker;

struct live_worker *live_worker_start(struct live_shared *shared, u32 number);
void live_worker_give(struct live_worker *w, struct live_job *job);
/* Ends the thread when it has done all jobs. */
void live_worker_join(struct live_worker *w, struct live_counts *counts);

#endif
