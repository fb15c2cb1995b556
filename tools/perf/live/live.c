// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The records of one round of the recorder form a job. All events in a job happened before the next round began. When
 * the next round has ended, all mappings up to then are known. So the job is unwound then: first the side records up to
 * the job's newest time go to the workers' machines, in order of time; then the workers get the job.
 *
 *	round       1      2          3               4
 *	job 1    filled   complete   unwound         put
 *	job 2             filled     complete        unwound
 */
#include "live/live.h"

#include <linux/perf_event.h>
#include <string.h>

#include "chains/objects.h"
#include "live/late.h"
#include "live/worker.h"
#include "perfdata/abi.h"
#include "perfdata/write/encode.h"
#include "record/stack_source.h"

#define MAX_SPARE   4u
#define PROGRESS_US 500000

/* A side record that the machines do not have yet. */
struct pending_fact {
	u64 time, number; /* records of equal time are sorted by number */
	struct perf_event_header *record;
};

struct live {
	struct stage stage;
	struct consumer consumer;
	struct live_options options;
	struct live_shared shared;
	struct perfdata_decoder *decoder; /* for input */
	GPtrArray *evsels;		  /* struct evsel *: for output */
	struct live_worker **workers;	  /* NULL: before describe() */
	struct live_counts counts;

	struct live_job *filled; /* the present round's job */
	GQueue given;		 /* struct live_job *: jobs of earlier rounds, oldest first */
	u32 nr_waiting;		 /* the last jobs in @given that the workers do not have yet */
	u64 waiting_bytes;	 /* of given */
	GPtrArray *spare;	 /* struct live_job * */
	GPtrArray *facts;	 /* struct pending_fact * */
	u64 nr_facts;
	bool ended;	/* last round of a file: hold nothing back until the next sample */
	bool begun;	/* the consumer has the records of what existed at the start */
	gint64 told_us; /* last call of options.progress */
};

static void job_free(gpointer job)
{
	live_job_free(job);
}

static bool is_fact(u32 type)
{
	return type == PERF_RECORD_MMAP || type == PERF_RECORD_MMAP2 || type == PERF_RECORD_COMM ||
	       type == PERF_RECORD_FORK || type == PERF_RECORD_EXIT;
}

static void fact_free(gpointer p)
{
	struct pending_fact *f = p;

	g_free(f->record);
	g_free(f);
}

static void keep_fact(struct live *l, const struct event *event)
{
	struct pending_fact *f;

	if (!is_fact(event->type))
		return;
	f = g_new(struct pending_fact, 1);
	*f = (struct pending_fact){ event->id.time, l->nr_facts++,
				    g_memdup2(event->raw, event->size) };
	g_ptr_array_add(l->facts, f);
}

static gint by_time(gconstpointer a, gconstpointer b)
{
	const struct pending_fact *x = *(const struct pending_fact *const *)a;
	const struct pending_fact *y = *(const struct pending_fact *const *)b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* Moves the side records up to the job's newest time into the job. */
static void give_facts(struct live *l, struct live_job *job)
{
	u32 nr = 0;

	g_ptr_array_sort(l->facts, by_time);
	while (nr < l->facts->len) {
		const struct pending_fact *f = g_ptr_array_index(l->facts, nr);

		if (f->time > job->newest)
			break;
		g_byte_array_append(job->facts, (const void *)f->record, f->record->size);
		nr++;
	}
	if (nr)
		g_ptr_array_remove_range(l->facts, 0, nr);
}

static struct live *of_stage(struct stage *st)
{
	return container_of(st, struct live, stage);
}

static void take_stack_away(const struct live *l, struct perf_event_attr *attr)
{
	attr->sample_type &= ~(u64)PERF_SAMPLE_STACK_USER;
	attr->sample_stack_user = 0;
	if (l->options.user_regs)
		return;
	attr->sample_type &= ~(u64)PERF_SAMPLE_REGS_USER;
	attr->sample_regs_user = 0;
}

/* Is it the event of late samples? */
static bool is_late(const struct live *l, const struct evsel *evsel)
{
	const struct evsel *late = l->options.late ? late_source_evsel(l->options.late) : NULL;

	return late && evsel->nr_ids && evsel->ids[0] == late->ids[0];
}

/* Makes the decoder for input records. Recordings whose events cannot be told apart were refused before. */
static void make_decoder(struct live *l, struct evsel *const *evsels, u32 nr)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new();
	const struct evsel *taken = l->options.stacks ? stack_source_evsel(l->options.stacks)
						      : NULL;
	bool found = false; /* the user's event comes first */

	for (u32 i = 0; i < nr; i++) {
		if (chainer_takes(evsels[i]) && !is_late(l, evsels[i]) && !found) {
			l->shared.taken_for = i;
			found = true;
		}
		g_ptr_array_add(all, evsels[i]);
	}
	l->shared.nr_evsels = nr;
	if (taken) {
		l->shared.stack_size = taken->attr.sample_stack_user;
		g_ptr_array_add(all, (void *)taken);
	}
	l->decoder = perfdata_decoder_new((struct evsel *const *)all->pdata, all->len, NULL);
}

static void live_describe(struct stage *st, struct evsel *const *evsels, u32 nr,
			  struct perfdata_info *info)
{
	struct live *l = of_stage(st);

	if (l->workers)
		return;
	make_decoder(l, evsels, nr);
	l->shared.decoder = l->decoder;
	for (u32 i = 0; i < nr; i++) {
		if (chainer_takes(evsels[i]) && !is_late(l, evsels[i]))
			take_stack_away(l, &evsels[i]->attr);
		g_ptr_array_add(l->evsels, evsel_copy(evsels[i]));
		if (is_late(l, evsels[i]))
			l->shared.late = l->evsels->pdata[i];
	}
	l->shared.evsels = (struct evsel *const *)l->evsels->pdata;
	perfdata_info_add_note(info, "callchains", "live");
	l->workers = g_new0(struct live_worker *, l->shared.nr_workers);
	for (u32 i = 0; i < l->shared.nr_workers; i++)
		l->workers[i] = live_worker_start(&l->shared, i);
}

static void add_record(struct live_job *job, const struct perf_event_header *record, u64 time)
{
	static const u8 zeros[8];
	u32 more = ALIGN_UP(record->size, 8u) - record->size;

	g_byte_array_append(job->records, (const void *)record, record->size);
	g_byte_array_append(job->records, zeros, more);
	if (time != UINT64_MAX)
		job->newest = MAX(job->newest, time);
}

/* Loss of samples that the BPF program writes is reported as loss of its event. */
static void pass_lost(struct live *l, struct event *event, struct outlet *next)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();

	live_own_event(&l->shared, event);
	if (!event_encode(event, event->evsel, bytes, NULL))
		return;
	if (l->ended)
		outlet_put(next, bytes->data, bytes->len);
	else
		add_record(l->filled, (const void *)bytes->data, event->id.time);
}

static void live_pass(struct stage *st, u32 ring, const struct perf_event_header *record,
		      struct outlet *next)
{
	struct live *l = of_stage(st);
	struct event event = { 0 };
	bool known = perfdata_decoder_decode(l->decoder, record, &event);

	if (known)
		keep_fact(l, &event);
	if (known && event.type == PERF_RECORD_LOST && l->shared.stack_size) {
		pass_lost(l, &event, next);
		return;
	}
	if (known && event.type == PERF_RECORD_SAMPLE && event.evsel &&
	    chainer_takes(event.evsel)) {
		struct live_sample sample = { l->filled->records->len,
					      event.id.pid % l->shared.nr_workers };

		g_array_append_val(l->filled->samples, sample);
		l->ended = false;
	}
	if (l->ended)
		outlet_put(next, record, record->size);
	else
		add_record(l->filled, record, known ? event.id.time : 0);
}

/* Puts out the job's records. Samples with stacks are replaced by the samples that the workers made. */
static void put_job(struct live *l, const struct live_job *job, struct outlet *next)
{
	g_autofree size_t *at = g_new0(size_t, l->shared.nr_workers);
	const struct perf_event_header *record;
	u32 nth = 0;

	for (size_t i = 0; i < job->records->len; i += ALIGN_UP((size_t)record->size, 8u)) {
		const struct live_sample *sample =
			nth < job->samples->len
				? &g_array_index(job->samples, struct live_sample, nth)
				: NULL;
		const struct perf_event_header *put;

		record = put = (const void *)(job->records->data + i);
		if (sample && sample->at == i) {
			put = (const void *)(job->made[sample->worker]->data + at[sample->worker]);
			at[sample->worker] += put->size;
			nth++;
		}
		outlet_put(next, put, put->size);
	}
}

static bool is_done(struct live *l, struct live_job *job, bool wait)
{
	bool done;

	pthread_mutex_lock(&l->shared.lock);
	while (wait && job->left)
		pthread_cond_wait(&l->shared.done, &l->shared.lock);
	done = !job->left;
	pthread_mutex_unlock(&l->shared.lock);
	return done;
}

/* Keep a spare job's memory: memory returned to the system costs page faults when it is used again. */
static void keep_spare(struct live *l, struct live_job *job)
{
	if (l->spare->len == MAX_SPARE) {
		live_job_free(job);
		return;
	}
	live_job_reset(job, l->shared.nr_workers);
	g_ptr_array_add(l->spare, job);
}

static struct live_job *take_spare(struct live *l)
{
	if (!l->spare->len)
		return live_job_new(l->shared.nr_workers);
	return g_ptr_array_steal_index_fast(l->spare, l->spare->len - 1);
}

/* Puts out the finished jobs in their order. @wait: waits for all jobs that the workers have. */
static void put_done(struct live *l, bool wait, struct outlet *next)
{
	while (l->given.length > l->nr_waiting) {
		struct live_job *job = g_queue_peek_head(&l->given);

		if (!is_done(l, job, wait))
			return;
		put_job(l, job, next);
		l->waiting_bytes -= job->records->len;
		keep_spare(l, g_queue_pop_head(&l->given));
	}
}

/* Gives the workers all complete jobs, except the last @keep ones. */
static void give_jobs(struct live *l, u32 keep)
{
	while (l->nr_waiting > keep) {
		struct live_job *job = g_queue_peek_nth(&l->given, l->given.length - l->nr_waiting);

		give_facts(l, job);
		job->late = l->waiting_bytes > l->options.waiting && !l->options.wait;
		for (u32 i = 0; i < l->shared.nr_workers; i++)
			live_worker_give(l->workers[i], job);
		l->nr_waiting--;
	}
}

static void end_round(struct live *l)
{
	struct live_job *job = l->filled;

	if (!job->records->len)
		return;
	l->waiting_bytes += job->records->len;
	g_queue_push_tail(&l->given, job);
	l->nr_waiting++;
	l->filled = take_spare(l);
}

static u64 live_position(const struct stage *st)
{
	struct live *l = of_stage((struct stage *)st);
	const struct live_job *oldest = g_queue_peek_head(&l->given);

	return oldest ? oldest->position : UINT64_MAX;
}

static void tell_progress(struct live *l, bool last)
{
	gint64 now = g_get_monotonic_time();
	u64 stacks, to_root;

	if (!l->options.progress || (!last && now < l->told_us + PROGRESS_US))
		return;
	l->told_us = now;
	pthread_mutex_lock(&l->shared.lock);
	stacks = l->shared.nr_stacks;
	to_root = l->shared.to_root;
	pthread_mutex_unlock(&l->shared.lock);
	l->options.progress(stacks, to_root, last);
}

static void live_round(struct stage *st, const struct stage_round *round, struct outlet *next)
{
	struct live *l = of_stage(st);
	bool empty = !l->filled->records->len;

	end_round(l);
	l->filled->position = round->position;
	/* A round without records is a complete round, too: no record can be younger than the waiting ones. */
	give_jobs(l, round->last || empty ? 0 : 1);
	put_done(l, round->last || (l->options.wait && l->waiting_bytes > l->options.waiting),
		 next);
	l->ended = round->last;
	tell_progress(l, round->last);
}

/* Records of what existed at the start go directly to the consumers. */
static void see_records(struct consumer *c, const void *records, size_t size)
{
	struct live *l = container_of(c, struct live, consumer);
	const struct perf_event_header *record;
	struct event event;

	for (size_t at = 0; !l->begun && at < size; at += record->size) {
		record = (const void *)((const u8 *)records + at);
		l->begun = record->type == PERFDATA_FINISHED_INIT;
		if (is_fact(record->type) && perfdata_decoder_decode(l->decoder, record, &event))
			keep_fact(l, &event);
	}
}

static bool begin(struct consumer *c, const struct consumer_about *about, GError **error)
{
	return true;
}

static enum consumer_wish flush(struct consumer *c)
{
	return CONSUMER_MORE;
}

static void close_consumer(struct consumer *c)
{
}

struct live *live_new(const struct live_options *options)
{
	static const struct stage_ops stage_ops = { .name = "live call chains",
						    .describe = live_describe,
						    .pass = live_pass,
						    .round = live_round,
						    .position = live_position };
	static const struct consumer_ops consumer_ops = { .name = "live call chains",
							  .begin = begin,
							  .records = see_records,
							  .flush = flush,
							  .close = close_consumer };
	struct live *l = g_new0(struct live, 1);

	l->stage.ops = &stage_ops;
	l->consumer.ops = &consumer_ops;
	l->options = *options;
	if (!l->options.waiting)
		l->options.waiting = LIVE_WAITING;
	l->shared.options = &l->options;
	l->shared.nr_workers = options->nr_workers;
	if (!l->shared.nr_workers)
		l->shared.nr_workers = CLAMP(g_get_num_processors() / 4, 2u, 8u);
	l->shared.dsos = dsos_new(options->dso);
	l->shared.objects = objects_new();
	objects_stay_local(l->shared.objects);
	pthread_mutex_init(&l->shared.lock, NULL);
	pthread_cond_init(&l->shared.done, NULL);
	l->filled = live_job_new(l->shared.nr_workers);
	g_queue_init(&l->given);
	l->spare = g_ptr_array_new_with_free_func(job_free);
	l->facts = g_ptr_array_new_with_free_func(fact_free);
	l->evsels = g_ptr_array_new_with_free_func((GDestroyNotify)evsel_free);
	return l;
}

void live_stop(struct live *l)
{
	for (u32 i = 0; l->workers && i < l->shared.nr_workers; i++)
		live_worker_join(l->workers[i], &l->counts);
	g_clear_pointer(&l->workers, g_free);
}

void live_free(struct live *l)
{
	if (!l)
		return;
	live_stop(l);
	g_queue_clear_full(&l->given, job_free);
	live_job_free(l->filled);
	g_ptr_array_unref(l->facts);
	g_ptr_array_unref(l->spare);
	g_ptr_array_unref(l->evsels);
	perfdata_decoder_free(l->decoder);
	objects_free(l->shared.objects);
	dsos_free(l->shared.dsos);
	pthread_mutex_destroy(&l->shared.lock);
	pthread_cond_destroy(&l->shared.done);
	g_free(l);
}

struct stage *live_stage(struct live *l)
{
	return &l->stage;
}

struct consumer *live_consumer(struct live *l)
{
	return &l->consumer;
}

struct live_counts live_counts(const struct live *l)
{
	return l->counts;
}
