// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The source of --sample-tls, its stage, and its observer. They are one object because they share
 * the finder.
 *
 *	stage		sees each record of each ring: joins B and E, notes times of samples and losses
 *	observer	sees each side record, decoded: mappings, execs, forks, exits go to the finder
 *	source		opens, describes, writes the head of each file, tells the closing line
 *
 * Everything from finder on is used by the collector's thread alone. The exception is the map of
 * plans, which the sampling thread of --wall reads (tls_source_plan()): the kernel makes each
 * access to a map atomic for one entry.
 *
 * What the order of a round guarantees. A layout record says: "from time T on, the variable of
 * process P is at this place". Samples of the time before T had no bytes of it, because the program
 * did not know the place. Some of them may still be in the rings when the place is found:
 *
 *	round 5: drained at 100 ms	sample of 98 ms: no bytes
 *	round 5: end_round()		the library is found; the program gets the plan at 105 ms
 *	round 6: drained at 140 ms	sample of 103 ms: no bytes; sample of 110 ms: bytes
 *
 * Only when a round has passed whose draining began after the plan was sent (looked_ns), all
 * samples from before have passed. Then the newest time of samples so far is a safe T. See
 * TLS_SETTLED in tls/lookup.h.
 */
#include "record/tls/source.h"

#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "activity/layout.h"
#include "base/clock.h"
#include "perfdata/decoder.h"
#include "perfdata/evsel.h"
#include "perfevent/open.h"
#include "record/base/observer.h"
#include "record/base/options.h"
#include "record/base/stage.h"
#include "record/base/target.h"
#include "record/tls/finder.h"
#include "record/tls/losses.h"
#include "record/tls/mappings.h"

#define CLOCK_STEP 1000000 /* ns. A clock that is adjusted runs at another rate, but has no steps */

struct tls_sampler {
	struct source source;
	struct stage stage;
	struct observer observer;
	const struct record_options *opts;
	const struct kernel_paths *paths;
	struct recording *rec;
	GArray *asked;	     /* struct activity_layout */
	struct tls_bpf *bpf; /* NULL: the kernel reads the bytes */

	/* Used only by the collector's thread. */
	struct tls_finder *finder;
	struct tls_tally *tally;
	struct tls_losses *losses;
	struct perfdata_decoder *decoder; /* of the samples of other sources */
	struct tls_mappings *mappings;	  /* data mappings; or NULL */
	/* mappings of all processes, not only of the recorded ones */
	bool mappings_of_all;
	bool synthesized;
	u32 ring;	 /* of the passing record */
	u64 newest_time; /* of all passed samples */
	u64 polled_time; /* newest_time at the last poll of the facts */
	u64 looked_ns;	 /* CLOCK_MONOTONIC at the end of the last round of look-ups */
	s64 realtime;	 /* what CLOCK_REALTIME is before CLOCK_MONOTONIC; 0: not looked at yet */
};

static struct tls_sampler *tls_sampler(struct source *src)
{
	return container_of(src, struct tls_sampler, source);
}

/* All events get the fields from which the ids and times of records are read. */
static bool prepare(struct source *src, struct recording *rec, GError **error)
{
	struct tls_sampler *ts = tls_sampler(src);

	ts->rec = rec;
	if (!rec->events->specs->len)
		return error_set(error, PERF_ERROR_USAGE,
				 "--sample-tls needs an event that takes samples");
	g_ptr_array_add(rec->stages, &ts->stage);
	g_ptr_array_add(rec->observers, &ts->observer);
	for (u32 i = 0; i < rec->events->specs->len; i++) {
		struct evsel *evsel = event_list_at(rec->events, i)->evsel;

		if (~evsel->attr.sample_type & TLS_JOIN_SAMPLE_TYPE)
			return error_set(error, PERF_ERROR_USAGE,
					 "--sample-tls needs the time of each sample of event '%s'",
					 evsel->name);
		if (!ts->bpf) {
			evsel->attr.sample_type |= PERF_SAMPLE_TLS_USER;
			evsel->sample_tls_user = ACTIVITY_WINDOW_DEFAULT;
		}
	}
	return true;
}

/* Notes the time of a sample that passes from ring @ts->ring. */
static void take_time(struct tls_sampler *ts, u64 time)
{
	tls_losses_sample(ts->losses, ts->ring, time);
	ts->newest_time = MAX(ts->newest_time, time);
}

/* The joiner calls this for each sample, within pass(). */
static void on_sample(const struct tls_joined *sample, void *arg)
{
	struct tls_sampler *ts = arg;

	take_time(ts, sample->time);
	tls_tally_sample(ts->tally, sample);
}

/*
 * Another thread of the same process may publish for a recorded thread, so it is not enough to
 * follow single threads.
 */
static void open_mappings(struct tls_sampler *ts, const struct recording *rec)
{
	static const pid_t all = -1;
	const struct open_target *target = rec->target;
	const struct evsel *model = event_list_at(rec->events, 0)->evsel;

	ts->mappings_of_all = target_kind(ts->opts) > TARGET_PROCESSES ||
			      target->flags & PERF_FLAG_PID_CGROUP;
	ts->mappings = ts->mappings_of_all
			       ? tls_mappings_new(model, &all, 1, ts->paths)
			       : tls_mappings_new(model, target->tids, target->nr_tids, ts->paths);
}

static bool open_source(struct source *src, struct recording *rec, GError **error)
{
	struct tls_sampler *ts = tls_sampler(src);

	open_mappings(ts, rec);
	if (!ts->bpf)
		return true;
	if (!tls_bpf_attach(ts->bpf, rec, error))
		return false;
	tls_bpf_listen(ts->bpf, on_sample, ts);
	return true;
}

static void describe_samples(struct stage *st, struct evsel *const *evsels, u32 nr,
			     struct perfdata_info *info)
{
	struct tls_sampler *ts = container_of(st, struct tls_sampler, stage);
	u32 nr_sampled = ts->rec->events->specs->len;

	/* The event for side records writes no samples. */
	for (u32 i = 0; ts->bpf && i < nr && i < nr_sampled; i++) {
		evsels[i]->attr.sample_type |= PERF_SAMPLE_TLS_USER;
		evsels[i]->sample_tls_user = ACTIVITY_WINDOW_DEFAULT;
	}
	perfdata_decoder_free(ts->decoder);
	ts->decoder = perfdata_decoder_new(evsels, nr, NULL);
}

static void describe(struct source *src, struct evsel *const *evsels, u32 nr,
		     struct perfdata_info *info)
{
	struct tls_sampler *ts = tls_sampler(src);

	perfdata_info_add_note(info, "tls.source", ts->bpf ? "bpf" : "kernel");
	perfdata_info_add_note(info, "tls.layout", ts->opts->tls.layout);
	if (ts->bpf && tls_bpf_has_context(ts->bpf))
		perfdata_info_add_note(info, "tls.context", "counted");
}

/*
 * The collector's thread also finds the publishers. A publisher that is not found yet is not read.
 * So this thread must not wait for CPU time behind a thousand computing threads.
 */
static void go_before_others(void)
{
	setpriority(PRIO_PROCESS, (id_t)gettid(), -10);
}

/*
 * The head of a file. The first one looks at all processes that run; later ones repeat what is
 * known, so that each file can be read without the others.
 */
static void synthesize(struct source *src, struct outlet *out)
{
	struct tls_sampler *ts = tls_sampler(src);

	if (!ts->synthesized)
		go_before_others();
	tls_finder_begin(ts->finder, out);
	if (ts->synthesized)
		tls_finder_state_again(ts->finder);
	else
		tls_finder_state(ts->finder, ts->rec->target);
	ts->synthesized = true;
}

/*
 * If the recording's clock is CLOCK_REALTIME, somebody may set it back. Then samples come before
 * what was found of their processes, so it is told again, as of what existed at the start.
 *
 * It is noticed once a round, so samples of up to one round are before it. A step of less than
 * CLOCK_STEP is not one: NTP changes the rate of the clock.
 */
static void look_at_clock(struct tls_sampler *ts)
{
	s64 realtime, before = ts->realtime;

	if (!ts->opts->clock_given || ts->opts->clockid != CLOCK_REALTIME)
		return;
	realtime = (s64)(clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC));
	ts->realtime = realtime;
	if (before && realtime < before - CLOCK_STEP)
		tls_finder_state_again(ts->finder);
}

/*
 * Reads the rings of data mappings, which only this module has. If they lost records, the maps of
 * processes are read again; what is found so holds since the poll before.
 */
static void take_mappings(struct tls_sampler *ts)
{
	if (!tls_mappings_drain(ts->mappings, tls_finder_mapping, ts->finder))
		tls_losses_of_mappings(ts->losses, ts->polled_time);
	tls_losses_search(ts->losses, ts->finder, ts->bpf ? ts->tally : NULL, ts->mappings_of_all);
}

/*
 * A found variable is settled when all samples from before have passed. A round that was drained
 * before the last call began does not prove that: it may have waited in the queue.
 */
static void end_round(struct stage *st, const struct stage_round *round, struct outlet *next)
{
	struct tls_sampler *ts = container_of(st, struct tls_sampler, stage);

	if (ts->bpf)
		tls_bpf_flush(ts->bpf, next);
	if (round->began_ns < ts->looked_ns)
		return;
	tls_finder_begin(ts->finder, next);
	look_at_clock(ts);
	tls_finder_retry(ts->finder, clock_ns(CLOCK_MONOTONIC), ts->newest_time);
	take_mappings(ts);
	tls_finder_poll(ts->finder, clock_ns(CLOCK_MONOTONIC), ts->polled_time);
	ts->polled_time = ts->newest_time;
	ts->looked_ns = clock_ns(CLOCK_MONOTONIC);
}

/*
 * Notes the time of a sample. All samples of the user's events start with the same fields: see
 * TLS_JOIN_SAMPLE_TYPE.
 */
static void note_time(struct tls_sampler *ts, const struct perf_event_header *record)
{
	const size_t at = sizeof(*record) + 3 * sizeof(u64);
	u64 time;

	if (record->type != PERF_RECORD_SAMPLE || record->size < at + sizeof(time))
		return;
	memcpy(&time, (const u8 *)record + at, sizeof(time));
	take_time(ts, time);
}

/* Takes a sample that another source has made, with its activity: thread states, waits. */
static void take_made_sample(struct tls_sampler *ts, const struct perf_event_header *record)
{
	struct tls_joined sample;
	struct event ev;

	if (record->type != PERF_RECORD_SAMPLE || !ts->decoder ||
	    !perfdata_decoder_decode(ts->decoder, record, &ev))
		return;
	ts->newest_time = MAX(ts->newest_time, ev.sample.time);
	if (!ts->bpf)
		return;
	sample = (struct tls_joined){
		.pid = ev.sample.pid,
		.time = ev.sample.time,
		.data = ev.sample.tls.data,
		.size = ev.sample.tls.size,
		.dyn_size = ev.sample.tls.dyn_size,
		.absent = !(ev.sample.type & PERF_SAMPLE_TLS_USER),
	};
	tls_tally_sample(ts->tally, &sample);
}

static void pass(struct stage *st, u32 ring, const struct perf_event_header *record,
		 struct outlet *next)
{
	struct tls_sampler *ts = container_of(st, struct tls_sampler, stage);

	ts->ring = ring == OUTLET_NO_RING ? 0 : ring;
	if (record->type == PERF_RECORD_LOST)
		tls_losses_of_ring(ts->losses, ts->ring);
	if (ts->bpf && ring != OUTLET_NO_RING) {
		/*
		 * The ring also has the program's own records, which start with other fields. The
		 * joiner reports the samples (on_sample()).
		 */
		tls_bpf_pass(ts->bpf, ring, record, next);
		return;
	}
	if (ring == OUTLET_NO_RING)
		take_made_sample(ts, record);
	else
		note_time(ts, record);
	outlet_put(next, record, record->size);
}

static const struct stage_ops join_ops = {
	.name = "tls",
	.describe = describe_samples,
	.pass = pass,
	.round = end_round,
};

static void observe(struct observer *ob, const struct event *ev, struct outlet *out)
{
	struct tls_sampler *ts = container_of(ob, struct tls_sampler, observer);

	tls_finder_begin(ts->finder, out);
	tls_finder_event(ts->finder, ev);
}

static char *summary(struct source *src)
{
	const struct tls_sampler *ts = tls_sampler(src);
	struct tls_outcome outcome = { .asked = ts->asked, .tally = ts->tally, .bpf = ts->bpf };

	tls_finder_outcome(ts->finder, &outcome);
	return tls_summary(&outcome);
}

static void close_source(struct source *src)
{
	struct tls_sampler *ts = tls_sampler(src);

	tls_finder_free(ts->finder);
	tls_losses_free(ts->losses);
	tls_mappings_free(ts->mappings);
	tls_tally_free(ts->tally);
	perfdata_decoder_free(ts->decoder);
	tls_bpf_free(ts->bpf);
	if (ts->asked)
		g_array_unref(ts->asked);
	g_free(ts);
}

static const struct source_ops tls_ops = {
	.name = "tls",
	.prepare = prepare,
	.open = open_source,
	.describe = describe,
	.synthesize = synthesize,
	.summary = summary,
	.close = close_source,
};

/* Chooses who reads the bytes: the kernel or BPF. */
static bool pick_source(struct tls_sampler *ts, GError **error)
{
	bool by_kernel = ts->opts->tls.source != TLS_SOURCE_BPF && kernel_can(KERNEL_TLS_USER);

	if (by_kernel)
		return true;
	if (ts->opts->tls.source == TLS_SOURCE_KERNEL)
		return error_set(error, PERF_ERROR_UNSUPPORTED,
				 "--tls-source=kernel: this kernel has no PERF_SAMPLE_TLS_USER; "
				 "--tls-source=bpf works on stock kernels");
	ts->bpf = tls_bpf_load(ts->paths, error);
	if (!ts->bpf)
		g_prefix_error(error, "--sample-tls: %s",
			       ts->opts->tls.source == TLS_SOURCE_BPF
				       ? ""
				       : "this kernel has no PERF_SAMPLE_TLS_USER, and ");
	return ts->bpf;
}

bool tls_source_by_bpf(const struct source *tls)
{
	return container_of(tls, struct tls_sampler, source)->bpf;
}

int tls_source_plans_fd(const struct source *tls)
{
	const struct tls_sampler *ts = container_of(tls, struct tls_sampler, source);

	return ts->bpf ? tls_bpf_plans_fd(ts->bpf) : -1;
}

bool tls_source_plan(const struct source *tls, u32 pid, struct sample_tls_plan *plan)
{
	const struct tls_sampler *ts = container_of(tls, struct tls_sampler, source);

	return ts->bpf && tls_bpf_plan(ts->bpf, pid, plan);
}

struct source *tls_source_new(const struct record_options *opts, const struct kernel_paths *paths,
			      GError **error)
{
	struct tls_sampler *ts = g_new0(struct tls_sampler, 1);

	ts->source.ops = &tls_ops;
	ts->stage.ops = &join_ops;
	ts->observer.see = observe;
	ts->observer.types = OBSERVES(PERF_RECORD_MMAP) | OBSERVES(PERF_RECORD_MMAP2) |
			     OBSERVES(PERF_RECORD_COMM) | OBSERVES(PERF_RECORD_FORK) |
			     OBSERVES(PERF_RECORD_EXIT);
	ts->opts = opts;
	ts->paths = paths;
	ts->losses = tls_losses_new(paths);
	ts->tally = tls_tally_new(0);
	ts->asked = activity_layouts_parse(opts->tls.layout, TLS_PUBLISHERS, error);
	if (!ts->asked)
		g_prefix_error(error, "--sample-tls: ");
	if (!ts->asked || !pick_source(ts, error)) {
		close_source(&ts->source);
		return NULL;
	}
	ts->finder = tls_finder_new(opts, paths, ts->asked, ts->bpf, ts->tally);
	return &ts->source;
}
