// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/worker.h"

#include <string.h>

#include "chains/chainer.h"
#include "chains/objects.h"
#include "live/sizes.h"
#include "live/stitch.h"
#include "machine/machine.h"
#include "perfdata/offcpu.h"
#include "perfdata/write/encode.h"
#include "record/stack_source.h"

#define FRAMES_MAX 255u

struct live_worker {
	struct live_shared *shared;
	u32 number;
	GThread *thread;      /* NULL: there may be no more threads, so the giver does the jobs */
	pthread_mutex_t lock; /* protects jobs and ended */
	pthread_cond_t given;
	GQueue jobs; /* struct live_job * */
	bool ended;
	struct machine *machine;
	struct chainer *chainer;
	struct stitcher *stitcher;
	struct stack_sizes *sizes; /* NULL: all copies have the same size */
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

bool live_own_event(const struct live_shared *shared, struct event *event)
{
	const struct evsel *own = shared->evsels[shared->taken_for];
	struct sample *s = &event->sample;

	if (!event->evsel || event->evsel->idx != shared->nr_evsels)
		return false;
	if (event->type == PERF_RECORD_SAMPLE) {
		s->period = stack_source_period(s->raw, s->raw_size);
		s->more_stack = stack_source_more(s->raw, s->raw_size);
		s->id = own->nr_ids ? own->ids[0] : 0;
		s->raw = NULL;
		s->raw_size = 0;
	} else if (event->type == PERF_RECORD_LOST) {
		event->lost.id = own->nr_ids ? own->ids[0] : 0;
	}
	event->id.id = own->nr_ids ? own->ids[0] : 0;
	event->evsel = own;
	return true;
}

/* Adapts the size of the thread's next copies to the need of this stack. */
static void learn_size(struct live_worker *w, const struct event *event,
		       const struct unwound_chain *chain)
{
	struct stack_need need = { .copied = (u32)event->sample.user_stack.size,
				   .bytes = chain->needed,
				   .cut = chain->end.why == UNWIND_CUT };
	u32 size;

	w->counts.copied += need.copied;
	w->counts.sized++;
	if (!chain->nr_frames || event->sample.more_stack.size)
		return;
	if (!need.cut)
		need.bytes = chain->frames[chain->nr_frames - 1].sp - chain->frames[0].sp;
	/* The stack pointer may have moved to another stack (signal handler, coroutine). */
	need.bytes = MIN(need.bytes, w->shared->stack_size);
	size = stack_sizes_take(w->sizes, event->id.tid, &need);
	if (!size)
		return;
	w->counts.resized++;
	stack_source_resize(w->shared->options->stacks, event->id.tid, size);
}

/* The kernel's part, and the longer one of the two user parts. @sized: the copy had a size set for its thread. */
static void find_chain(struct live_worker *w, const struct event *event, bool sized,
		       struct unwound_chain *chain)
{
	bool stitched = false;

	chainer_unwind(w->chainer, event, chain);
	if (!chain->unwound) {
		w->counts.kept++;
		return;
	}
	chain_ends_add(&w->counts.ends, chain);
	if (sized)
		learn_size(w, event, chain);
	if (!w->shared->options->no_stitch)
		stitched = stitcher_take(w->stitcher, event->id.tid, chain);
	w->counts.stitched += stitched;
	w->counts.to_root += stitched || chain->end.why == UNWIND_ROOT;
}

/* Writes the sample unchanged, except that it belongs to the late event. */
static void make_late(struct live_worker *w, struct event *event, GByteArray *out)
{
	const struct evsel *evsel = w->shared->late;

	w->counts.late++;
	event->sample.id = evsel->ids[0];
	/* Cannot fail: the input record was as large. */
	event_encode(event, evsel, out, NULL);
}

/* A sample of a wait also has the chain in its raw data. */
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
	const struct evsel *evsel;
	struct unwound_chain chain = { .ips = event->sample.ips,
				       .nr_ips = (u32)event->sample.nr_ips };
	g_autoptr(GByteArray) raw = NULL;
	bool sized;

	sized = live_own_event(w->shared, event);
	evsel = w->shared->evsels[event->evsel->idx];
	if (late && w->shared->late && event->evsel->idx == w->shared->taken_for) {
		make_late(w, event, out);
		return;
	}
	if (late)
		w->counts.late++;
	else
		find_chain(w, event, sized, &chain);
	event->sample.ips = chain.ips;
	event->sample.nr_ips = chain.nr_ips;
	if (offcpu_is(event->evsel))
		raw = put_chain_into_raw(&event->sample);
	/* If the record would be too large, write it without the chain. That cannot fail. */
	if (event_encode(event, evsel, out, NULL))
		return;
	event->sample.nr_ips = 0;
	event_encode(event, evsel, out, NULL);
}

static void do_job(struct live_worker *w, struct live_job *job)
{
	struct live_shared *s = w->shared;
	const u64 stacks = w->counts.ends.stacks, to_root = w->counts.to_root;
	struct event event;

	tell_facts(w, job->facts);
	for (u32 i = 0; i < job->samples->len; i++) {
		const struct live_sample *sample =
			&g_array_index(job->samples, struct live_sample, i);

		if (sample->worker != w->number)
			continue;
		/* Cannot fail: it was decoded when it came. */
		perfdata_decoder_decode(s->decoder, (const void *)(job->records->data + sample->at),
					&event);
		make_sample(w, &event, job->late, job->made[w->number]);
	}
	pthread_mutex_lock(&s->lock);
	s->nr_stacks += w->counts.ends.stacks - stacks;
	s->to_root += w->counts.to_root - to_root;
	if (!--job->left)
		pthread_cond_signal(&s->done);
	pthread_mutex_unlock(&s->lock);
}

/* Waits for the next job. NULL: no more jobs will come. */
static struct live_job *next_job(struct live_worker *w)
{
	struct live_job *job;

	pthread_mutex_lock(&w->lock);
	while (!w->jobs.length && !w->ended)
		pthread_cond_wait(&w->given, &w->lock);
	job = g_queue_pop_head(&w->jobs);
	pthread_mutex_unlock(&w->lock);
	return job;
}

static gpointer run(gpointer arg)
{
	struct live_worker *w = arg;
	struct live_job *job;

	while ((job = next_job(w)))
		do_job(w, job);
	return NULL;
}

struct live_worker *live_worker_start(struct live_shared *shared, u32 number)
{
	struct live_worker *w = g_new0(struct live_worker, 1);

	w->shared = shared;
	w->number = number;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->given, NULL);
	g_queue_init(&w->jobs);
	w->machine = machine_new(shared->dsos);
	w->chainer = chainer_new(w->machine, shared->objects, FRAMES_MAX);
	w->stitcher = stitcher_new();
	if (shared->stack_size)
		w->sizes = stack_sizes_new(STACK_SIZE_LEAST, shared->stack_size);
	w->thread = g_thread_try_new("perf-unwinder", run, w, NULL);
	return w;
}

void live_worker_give(struct live_worker *w, struct live_job *job)
{
	if (!w->thread) {
		do_job(w, job);
		return;
	}
	pthread_mutex_lock(&w->lock);
	g_queue_push_tail(&w->jobs, job);
	pthread_cond_signal(&w->given);
	pthread_mutex_unlock(&w->lock);
}

void live_worker_join(struct live_worker *w, struct live_counts *counts)
{
	pthread_mutex_lock(&w->lock);
	w->ended = true;
	pthread_cond_signal(&w->given);
	pthread_mutex_unlock(&w->lock);
	if (w->thread)
		g_thread_join(w->thread);
	chain_ends_merge(&counts->ends, &w->counts.ends);
	counts->stitched += w->counts.stitched;
	counts->to_root += w->counts.to_root;
	counts->kept += w->counts.kept;
	counts->late += w->counts.late;
	counts->sized += w->counts.sized;
	counts->copied += w->counts.copied;
	counts->resized += w->counts.resized;
	pthread_mutex_destroy(&w->lock);
	pthread_cond_destroy(&w->given);
	stitcher_free(w->stitcher);
	stack_sizes_free(w->sizes);
	chainer_free(w->chainer);
	machine_free(w->machine);
	g_free(w);
}
