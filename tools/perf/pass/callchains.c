// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events are gathered in a batch. When it is full, the crew converts it: each job is a run of events, whose converted
 * samples go into the job's own buffer. Then all events are given on in the order in which they came:
 *
 *	batch	| m s s c s s | s s s s s s | ...	m, c: mappings, names; s: samples
 *	job	  0             1
 *
 * The machine must not change while a batch waits: the pipeline flushes before it does.
 */
#include "pass/callchains.h"

#include <string.h>

#include "base/crew.h"
#include "chains/objects.h"
#include "machine/machine.h"
#include "perfdata/decoder.h"
#include "perfdata/write/encode.h"

#define BATCH_EVENTS 4096
#define BATCH_BYTES  (8u << 20) /* of events: a reader keeps 16 MiB mapped behind it */
#define JOB_EVENTS   64
#define NOT_MADE     UINT32_MAX

struct batch_event {
	const struct perf_event_header *raw; /* NULL: at @at in the pass's copies */
	size_t at;
	u64 foff;
	u32 made; /* where in its job's buffer the converted sample is; NOT_MADE: it goes on as it is */
};

struct job {
	GByteArray *made;
	GError *error;
};

struct unwinding_worker {
	struct chainer *chainer;
	struct stack_tally *tally;
};

struct callchains_pass {
	struct pass pass;
	bool untimed; /* no event has times: the file's order counts */
	struct machine *machine;
	struct callchains_options options;
	struct stack_tally *tally;
	struct objects *objects;
	struct crew *crew;
	struct unwinding_worker *workers; /* crew_size() */
	struct perfdata_decoder *in, *out;
	GArray *batch;	    /* struct batch_event */
	GByteArray *copies; /* events whose bytes do not stay */
	size_t bytes;	    /* of all events in the batch */
	struct job jobs[BATCH_EVENTS / JOB_EVENTS];
};

static struct callchains_pass *callchains_pass(struct pass *p)
{
	return container_of(p, struct callchains_pass, pass);
}

static void describe_chain(struct evsel *evsel)
{
	evsel->attr.sample_type &= ~(u64)(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
	evsel->attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	evsel->attr.sample_regs_user = 0;
	evsel->attr.sample_stack_user = 0;
	evsel->attr.exclude_callchain_user = 0;
}

static bool begin(struct pass *p, GPtrArray *evsels, GError **error)
{
	struct callchains_pass *c = callchains_pass(p);
	struct evsel *const *all = (struct evsel *const *)evsels->pdata;
	bool any = false;

	c->untimed = true;
	c->in = perfdata_decoder_new(all, evsels->len, error);
	if (!c->in)
		return false;
	for (u32 i = 0; i < evsels->len; i++) {
		c->untimed &= !(all[i]->attr.sample_type & PERF_SAMPLE_TIME);
		if (!chainer_takes(all[i]))
			continue;
		describe_chain(all[i]);
		any = true;
	}
	if (!any)
		return error_set(error, PERF_ERROR_USAGE,
				 "--convert-callchain: no event has user registers and stacks: "
				 "record with --call-graph dwarf");
	c->out = perfdata_decoder_new(all, evsels->len, error);
	return c->out;
}

static const struct perf_event_header *raw_of(const struct callchains_pass *c,
					      const struct batch_event *e)
{
	return e->raw ? e->raw : (const void *)(c->copies->data + e->at);
}

static bool decode(const struct callchains_pass *c, const struct perfdata_decoder *decoder,
		   const struct perf_event_header *raw, u64 foff, struct event *ev)
{
	if (!perfdata_decoder_decode(decoder, raw, ev))
		return false;
	ev->foff = foff;
	if (c->untimed)
		ev->id.time = foff;
	return true;
}

/* False: it goes on as it is. */
static bool decode_stack(const struct callchains_pass *c, const struct batch_event *e,
			 struct event *ev)
{
	const struct perf_event_header *raw = raw_of(c, e);

	return raw->type == PERF_RECORD_SAMPLE && decode(c, c->in, raw, e->foff, ev) && ev->evsel &&
	       chainer_takes(ev->evsel);
}

static void convert(struct callchains_pass *c, struct unwinding_worker *w, struct batch_event *e,
		    struct event *ev, struct job *job)
{
	u32 before = job->made->len;
	struct unwound_chain chain;

	chainer_unwind(w->chainer, ev, &chain);
	stack_tally_add(w->tally, ev->id.pid, &chain, chainer_last_dso(w->chainer));
	ev->sample.ips = chain.ips;
	ev->sample.nr_ips = chain.nr_ips;
	if (event_encode(ev, g_ptr_array_index(c->pass.evsels, ev->evsel->idx), job->made,
			 job->error ? NULL : &job->error))
		e->made = before;
}

#define CACHE_LINE  64u
#define EXPECT_HEAD 6 /* events ahead: header, identity and registers */
#define EXPECT_TAIL 3 /* the number of copied bytes, stored after the copy */
#define HEAD_LINES  5

/* Prefetches what decoding needs of the events after the @k-th. */
static void expect_events(const struct callchains_pass *c, u32 k)
{
	const struct batch_event *e = &g_array_index(c->batch, struct batch_event, k);
	u32 left = c->batch->len - k;

	if (left > EXPECT_HEAD) {
		const u8 *raw = (const u8 *)raw_of(c, e + EXPECT_HEAD);

		for (u32 i = 0; i < HEAD_LINES; i++)
			__builtin_prefetch(raw + (size_t)i * CACHE_LINE);
	}
	if (left > EXPECT_TAIL) {
		const struct perf_event_header *raw = raw_of(c, e + EXPECT_TAIL);

		__builtin_prefetch((const u8 *)raw + raw->size - sizeof(u64));
	}
}

/* Prefetches the next stack while one is unwound. */
static void do_job(void *arg, u32 worker, u32 i)
{
	struct callchains_pass *c = arg;
	struct unwinding_worker *w = &c->workers[worker];
	u32 end = MIN(c->batch->len, (i + 1) * JOB_EVENTS);
	struct batch_event *waiting = NULL;
	struct event events[2];
	u32 turn = 0;

	for (u32 k = i * JOB_EVENTS; k < end; k++) {
		struct batch_event *e = &g_array_index(c->batch, struct batch_event, k);

		expect_events(c, k);
		if (!decode_stack(c, e, &events[turn]))
			continue;
		chainer_expect(w->chainer, &events[turn]);
		if (waiting)
			convert(c, w, waiting, &events[!turn], &c->jobs[i]);
		waiting = e;
		turn = !turn;
	}
	if (waiting)
		convert(c, w, waiting, &events[!turn], &c->jobs[i]);
}

static bool give(struct callchains_pass *c, const struct batch_event *e, const struct job *job,
		 GError **error)
{
	const struct perf_event_header *raw =
		e->made == NOT_MADE ? raw_of(c, e) : (const void *)(job->made->data + e->made);
	bool raw_will_do = raw->type == PERF_RECORD_SAMPLE && c->pass.next->ops->takes_raw_samples;
	struct event ev;

	/* Records that cannot be decoded have a type or an event that is unknown here. */
	if (raw_will_do || !decode(c, c->out, raw, e->foff, &ev))
		ev = (struct event){ .foff = e->foff,
				     .type = raw->type,
				     .misc = raw->misc,
				     .size = raw->size,
				     .raw = raw };
	return pass_on(&c->pass, &ev, error);
}

static bool give_batch(struct callchains_pass *c, GError **error)
{
	for (u32 k = 0; k < c->batch->len; k++) {
		struct job *job = &c->jobs[k / JOB_EVENTS];

		if (job->error) {
			g_propagate_error(error, g_steal_pointer(&job->error));
			return false;
		}
		if (!give(c, &g_array_index(c->batch, struct batch_event, k), job, error))
			return false;
	}
	return true;
}

static bool convert_batch(struct callchains_pass *c, GError **error)
{
	u32 nr_jobs = (c->batch->len + JOB_EVENTS - 1) / JOB_EVENTS;
	bool good;

	if (!nr_jobs)
		return true;
	crew_run(c->crew, nr_jobs, do_job, c);
	good = give_batch(c, error);
	for (u32 i = 0; i < nr_jobs; i++)
		g_byte_array_set_size(c->jobs[i].made, 0);
	g_array_set_size(c->batch, 0);
	g_byte_array_set_size(c->copies, 0);
	c->bytes = 0;
	return good;
}

static size_t copy(struct callchains_pass *c, const struct event *ev)
{
	static const u8 zeros[8];
	size_t at = c->copies->len;

	g_byte_array_append(c->copies, (const u8 *)ev->raw, ev->size);
	g_byte_array_append(c->copies, zeros, -ev->size % 8u);
	return at;
}

static bool take(struct pass *p, const struct event *ev, GError **error)
{
	struct callchains_pass *c = callchains_pass(p);
	struct batch_event e = { .foff = ev->foff, .made = NOT_MADE };

	if (c->options.stays)
		e.raw = ev->raw;
	else
		e.at = copy(c, ev);
	g_array_append_val(c->batch, e);
	c->bytes += ev->size;
	return (c->batch->len < BATCH_EVENTS && c->bytes < BATCH_BYTES) || convert_batch(c, error);
}

static bool flush(struct pass *p, GError **error)
{
	return convert_batch(callchains_pass(p), error);
}

static void conclude(struct pass *p, struct perfdata_info *info)
{
	struct callchains_pass *c = callchains_pass(p);

	for (u32 i = 0; i < crew_size(c->crew); i++) {
		struct unwinder_stats steps = chainer_stats(c->workers[i].chainer);

		stack_tally_merge(c->tally, c->workers[i].tally);
		stack_tally_add_steps(c->tally, &steps);
	}
}

static void free_callchains(struct pass *p)
{
	struct callchains_pass *c = callchains_pass(p);

	for (u32 i = 0; i < crew_size(c->crew); i++) {
		chainer_free(c->workers[i].chainer);
		stack_tally_free(c->workers[i].tally);
	}
	for (u32 i = 0; i < ARRAY_SIZE(c->jobs); i++) {
		g_byte_array_unref(c->jobs[i].made);
		g_clear_error(&c->jobs[i].error);
	}
	g_free(c->workers);
	crew_free(c->crew);
	objects_free(c->objects);
	perfdata_decoder_free(c->in);
	perfdata_decoder_free(c->out);
	g_array_unref(c->batch);
	g_byte_array_unref(c->copies);
	g_free(c);
}

static const struct pass_ops callchains_ops = {
	.name = "convert-callchain",
	.takes_raw_samples = true,
	.begin = begin,
	.take = take,
	.flush = flush,
	.conclude = conclude,
	.free = free_callchains,
};

struct pass *callchains_pass_new(struct machine *machine, const struct callchains_options *options,
				 struct stack_tally *tally)
{
	struct callchains_pass *c = g_new0(struct callchains_pass, 1);

	c->pass.ops = &callchains_ops;
	c->machine = machine;
	c->options = *options;
	c->tally = tally;
	c->objects = objects_new();
	c->crew = crew_new(options->threads);
	c->workers = g_new0(struct unwinding_worker, crew_size(c->crew));
	for (u32 i = 0; i < crew_size(c->crew); i++) {
		c->workers[i].chainer = chainer_new(machine, c->objects, options->max_stack);
		c->workers[i].tally = stack_tally_new();
	}
	for (u32 i = 0; i < ARRAY_SIZE(c->jobs); i++)
		c->jobs[i].made = g_byte_array_new();
	c->batch = g_array_new(FALSE, FALSE, sizeof(struct batch_event));
	c->copies = g_byte_array_new();
	return &c->pass;
}
