// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/worker.h"

#include <string.h>

#include "chains/chainer.h"
#include "chains/objects.h"
#include "live/stitch.h"
#include "machine/machine.h"
#include "perfdata/offcpu.h"
#include "perfdata/write/encode.h"

#define FRAMES_MAX 255u

struct live_worker {
	struct live_shared *shared;
	u32 number;
	GThread *thread;
	GAsyncQueue *jobs; /* struct live_job *; itself: the end */
	struct machine *machine;
	struct chainer *chainer;
	struct stitcher *stitcher;
	struct live_counts counts;
};

struct live_job *live_job_new(u32 nr_workers)
{
	struct live_job *job = g_new0(struct live_job, 1);

	job->records = g_byte_array_new();
	job->samples = g_array_new(FALSE, FALSE, sizeof(struct live_sample));
	job->facts = g_byte_array_new();
	job->left = nr_workers;
	job->made = g_new0(GByteArray *, nr_workers + 1);
	for (u32 i = 0; i < nr_workers; i++)
		job->made[i] = g_byte_array_new();
	return job;
}

void live_job_reset(struct live_job *job, u32 nr_workers)
{
	g_byte_array_set_size(job->records, 0);
	g_byte_array_set_size(job->facts, 0);
	g_array_set_size(job->samples, 0);
	for (u32 i = 0; i < nr_workers; i++)
		g_byte_array_set_size(job->made[i], 0);
	job->newest = 0;
	job->late = false;
	job->left = nr_workers;
}

void live_job_free(struct live_job *job)
{
	if (!job)
		return;
	g_byte_array_unref(job->records);
	g_array_unref(job->samples);
	g_byte_array_unref(job->facts);
	for (u32 i = 0; job->made[i]; i++)
		g_byte_array_unref(job->made[i]);
	g_free(job->made);
	g_free(job);
}

static void tell_facts(struct live_worker *w, const GByteArray *facts)
{
	const struct perf_event_header *record;
	struct event event;

	for (size_t at = 0; at < facts->len; at += record->size) {
		record = (const void *)(facts->data + at);
		if (perfdata_decoder_decode(w->shared->decoder, record, &event))
			machine_apply(w->machine, &event);
	}
	if (facts->len)
		machine_seal(w->machine);
}

/* With its kernel part, and the user part that leads further. */
static void find_chain(struct live_worker *w, const struct event *event,
		       struct unwound_chain *chain)
{
	bool stitched = false;

	chainer_unwind(w->chainer, event, chain);
	if (!chain->unwound) {
		w->counts.kept++;
		return;
	}
	chain_ends_add(&w->counts.ends, chain);
	if (!w->shared->options->no_stitch)
		stitched = stitcher_take(w->stitcher, event->id.tid, chain);
	w->counts.stitched += stitched;
	w->counts.to_root += stitched || chain->end.why == UNWIND_ROOT;
}

/* A sample of a wait has its chain there, too. */
static GByteArray *put_chain_into_raw(struct sample *sample)
{
	u32 size;
	const u8 *rest = offcpu_rest(sample, &size);
	GByteArray *raw = offcpu_raw(sample, rest, size);

	sample->raw = raw->data;
	sample->raw_size = raw->len;
	return raw;
}

static void make_sample(struct live_worker *w, struct event *event, bool late, GByteArray *out)
{
	const struct evsel *evsel = w->shared->evsels[event->evsel->idx];
	struct unwound_chain chain = { .ips = event->sample.ips,
				       .nr_ips = (u32)event->sample.nr_ips };
	g_autoptr(GByteArray) raw = NULL;

	if (late)
		w->counts.late++;
	else
		find_chain(w, event, &chain);
	event->sample.ips = chain.ips;
	event->sample.nr_ips = chain.nr_ips;
	if (offcpu_is(event->evsel))
		raw = put_chain_into_raw(&event->sample);
	/* A record that would be too large goes without its chain: that cannot fail. */
	if (event_encode(event, evsel, out, NULL))
		return;
	event->sample.nr_ips = 0;
	event_encode(event, evsel, out, NULL);
}

static void do_job(struct live_worker *w, struct live_job *job)
{
	struct live_shared *s = w->shared;
	struct event event;

	tell_facts(w, job->facts);
	for (u32 i = 0; i < job->samples->len; i++) {
		const struct live_sample *sample =
			&g_array_index(job->samples, struct live_sample, i);

		if (sample->worker != w->number)
			continue;
		/* It could be decoded when it came. */
		perfdata_decoder_decode(s->decoder, (const void *)(job->records->data + sample->at),
					&event);
		make_sample(w, &event, job->late, job->made[w->number]);
	}
	pthread_mutex_lock(&s->lock);
	if (!--job->left)
		pthread_cond_signal(&s->done);
	pthread_mutex_unlock(&s->lock);
}

static gpointer run(gpointer arg)
{
	struct live_worker *w = arg;
	void *job;

	while ((job = g_async_queue_pop(w->jobs)) != w)
		do_job(w, job);
	return NULL;
}

struct live_worker *live_worker_start(struct live_shared *shared, u32 number)
{
	struct live_worker *w = g_new0(struct live_worker, 1);

	w->shared = shared;
	w->number = number;
	w->jobs = g_async_queue_new();
	w->machine = machine_new(shared->dsos);
	w->chainer = chainer_new(w->machine, shared->objects, FRAMES_MAX);
	w->stitcher = stitcher_new();
	w->thread = g_thread_new("perf-unwinder", run, w);
	return w;
}

void live_worker_give(struct live_worker *w, struct live_job *job)
{
	g_async_queue_push(w->jobs, job);
}

void live_worker_join(struct live_worker *w, struct live_counts *counts)
{
	g_async_queue_push(w->jobs, w);
	g_thread_join(w->thread);
	chain_ends_merge(&counts->ends, &w->counts.ends);
	counts->stitched += w->counts.stitched;
	counts->to_root += w->counts.to_root;
	counts->kept += w->counts.kept;
	counts->late += w->counts.late;
	g_async_queue_unref(w->jobs);
	stitcher_free(w->stitcher);
	chainer_free(w->chainer);
	machine_free(w->machine);
	g_free(w);
}
