// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The pass in which samples that are alike (gather.h) are resolved once. Records are read some time
 * ahead of their turn, so that memory arrives for many at once.
 */
#include "base/progress.h"
#include "perfdata/evsel.h"
#include "session/gather.h"
#include "session/private.h"

/* What a place asks for that two samples need not have in common. */
#define NEED_EACH (NEED_SAMPLE | NEED_ADDR | NEED_BRANCH | NEED_TRACE | NEED_PARALLELISM)

/* Events that are decoded before the first of them is looked at. */
#define AHEAD 16

/* Bytes of numbers that are kept of what was seen. */
#define MOST_BYTES (128ull << 20)

struct feeding {
	struct session *session;
	struct session_feed *feed;
	struct gather *gather;
	struct progress progress;
	u32 needs;
	u32 first_where, first_who; /* of this file: those before are of others */
	u32 nr_where, nr_who;	    /* that the feed was told of */
};

bool session_can_feed(struct session *s, u32 needs)
{
	for (u32 i = 0; i < session_nr_files(s); i++) {
		const struct session *file = session_file(s, i);

		if ((needs | filter_needs(file->filter)) & NEED_EACH ||
		    perfdata_is_pipe(file->pd) || file->options.resolver.ignored_callees ||
		    perfdata_evsels(file->pd)->len > UINT16_MAX)
			return false;
	}
	return true;
}

static void tell_new(struct feeding *f, const struct event *event, const struct gathered *new)
{
	bool where = new->where >= f->nr_where, who = new->who >= f->nr_who;
	struct activity activity;
	struct place place;
	u32 filtered;

	if (!where && !who)
		return;
	filtered = session_place(f->session, event, f->needs, &place, &activity);
	f->nr_where += where;
	f->nr_who += who;
	if (where)
		f->feed->where(f->feed, &place, filtered);
	if (who)
		f->feed->who(f->feed, &place);
}

static void take_samples(struct feeding *f, const struct event *const *samples, u32 nr)
{
	struct gathered gathered[AHEAD];
	struct session_share shares[AHEAD];

	gather_take(f->gather, samples, nr, gathered);
	for (u32 i = 0; i < nr; i++) {
		tell_new(f, samples[i], &gathered[i]);
		shares[i] = (struct session_share){ f->first_where + gathered[i].where,
						    f->first_who + gathered[i].who,
						    samples[i]->sample.period };
	}
	f->feed->add(f->feed, shares, nr);
}

static void take_events(struct feeding *f, const struct event *events, u32 nr)
{
	const struct event *samples[AHEAD];
	u32 nr_samples = 0;

	for (u32 i = 0; i < nr; i++)
		if (events[i].type == PERF_RECORD_SAMPLE &&
		    session_counts_sample(f->session, &events[i]))
			samples[nr_samples++] = &events[i];
	progress_step(&f->progress, perfdata_position(f->session->pd));
	take_samples(f, samples, nr_samples);
}

/* What comes out of a compressed record is gone with the next one. */
static bool lasts(const struct perfdata *pd)
{
	const u64 *seen = perfdata_counts(pd)->records;

	return !seen[PERFDATA_COMPRESSED] && !seen[PERFDATA_COMPRESSED2];
}

static void begin_anew(struct feeding *f)
{
	gather_empty(f->gather);
	f->feed->forget(f->feed);
	f->first_where = f->first_who = f->nr_where = f->nr_who = 0;
}

static bool read_all(struct feeding *f, GError **error)
{
	struct perfdata *pd = f->session->pd;
	struct event events[AHEAD];
	int got = 1;

	while (got > 0) {
		u32 nr = 0;

		do {
			got = perfdata_next(pd, &events[nr], error);
			nr += got > 0;
		} while (got > 0 && nr < AHEAD && lasts(pd));
		take_events(f, events, nr);
		if (gather_size(f->gather) > MOST_BYTES)
			begin_anew(f);
	}
	return got == 0;
}

static bool feed_file(struct feeding *f, GError **error)
{
	struct session *s = f->session;
	struct gather_options options = {
		.threads = f->needs & NEED_THREAD,
		.comms = f->needs & NEED_COMM,
		.cpus = f->needs & NEED_CPU,
		.chains = f->needs & (NEED_CHAIN | NEED_PARENT),
		.kernel_chains = f->needs & (NEED_CONTEXT | NEED_ACTIVITY),
		.activities = f->needs & (NEED_CONTEXT | NEED_ACTIVITY),
		.apart = filter_by_thread(s->filter),
	};
	bool ok;

	if (f->needs & NEED_DATA_TYPE && !session_expect_types(s, error))
		return false;
	if (!session_start_pass(s, PERFDATA_WANT_SAMPLES, error))
		return false;
	f->gather = gather_new(s->machine, s->activities, &options);
	progress_start(&f->progress, "Processing samples", perfdata_size(s->pd),
		       s->options.show_progress);
	ok = read_all(f, error);
	progress_end(&f->progress);
	gather_free(f->gather);
	return ok;
}

bool session_feed(struct session *s, struct session_feed *feed, GError **error)
{
	u32 first_where = 0, first_who = 0;

	for (u32 i = 0; i < session_nr_files(s); i++) {
		struct feeding f = { .session = session_file(s, i),
				     .feed = feed,
				     .first_where = first_where,
				     .first_who = first_who };

		f.needs = feed->needs | filter_needs(f.session->filter);
		if (!feed_file(&f, error))
			return false;
		first_where = f.first_where + f.nr_where;
		first_who = f.first_who + f.nr_who;
	}
	return true;
}
