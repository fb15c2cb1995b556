// SPDX-License-Identifier: GPL-2.0-or-later
/* The passes over the records of a session's files that make a place for each sample. */
#include <stdio.h>

#include "base/progress.h"
#include "base/text.h"
#include "dso/buildid.h"
#include "perfdata/evsel.h"
#include "perfdata/read/samples.h"
#include "session/deferred.h"
#include "session/group_reads.h"
#include "session/private.h"
#include "stream/stream.h"

static void say_build_id(const struct info_build_id *id)
{
	const struct build_id bytes = build_id_of(id->build_id, id->size);
	g_autofree char *file = text_shown(id->filename);
	char hex[BUILD_ID_HEX];

	fprintf(stderr, "build id event received for %s: %s [%u]\n", file,
		build_id_hex(&bytes, hex), id->size);
}

void session_tell_build_ids(struct session *s)
{
	const GPtrArray *ids = perfdata_info(s->file->pd)->build_ids;

	for (; ids && s->file->nr_known_ids < ids->len; s->file->nr_known_ids++) {
		const struct info_build_id *id = g_ptr_array_index(ids, s->file->nr_known_ids);

		dsos_know_build_id(s->file->dsos, id->filename, id->build_id, id->size);
		if (s->options.verbose)
			say_build_id(id);
	}
}

#define PART_SIZE (1u << 20)

/* One event handed to whoever reads the session. */
struct reading {
	struct sink sink;
	struct session *session;
	struct progress progress;
	bool by_parts; /* which tell of progress */
	u32 needs;
	session_place_fn *place_fn; /* one of them */
	session_event_fn *event_fn;
	session_keep_fn *keep_fn;
	void *arg;
	GPtrArray *waiting; /* for a pipe: struct waiting_sample */
};

/*
 * A sample that waits for the user part of its chain. Parts of a sample are split before they wait: each counter is read
 * in the order of its values.
 */
struct waiting_sample {
	struct perf_event_header *raw;
	const struct evsel *evsel; /* of a part; NULL: it is a whole sample */
	u64 id, period;
};

void session_set_watch(struct session *s, const struct progress_watch *watch)
{
	s->set->watch = *watch;
}

void session_progress(const struct session *s, struct progress *p, const char *title)
{
	session_work(s, p, title, perfdata_size(s->file->pd));
}

void session_work(const struct session *s, struct progress *p, const char *title, u64 total)
{
	progress_start(p, title, total, s->options.show_progress);
	progress_set_watch(p, &s->set->watch);
}

bool session_is_stopped(const struct progress *p, GError **error)
{
	return p->stopped && !error_set(error, PERF_ERROR_STOPPED, "stopped");
}

static void reading_start(struct reading *r, const char *title)
{
	session_progress(r->session, &r->progress, title);
}

static void apply(struct session *s, const struct event *event)
{
	if (event->type == PERF_RECORD_LOST) {
		s->file->counts.lost_chunks++;
		s->file->counts.lost_events += event->lost.lost;
	} else if (event->type == PERF_RECORD_LOST_SAMPLES) {
		s->file->counts.lost_samples += event->lost.lost;
		if (event->evsel && evsel_has_side_records(event->evsel))
			s->file->counts.lost_mixed += event->lost.lost;
	}
	if (event->type == PERFDATA_EVENT_TYPE && event->ext.kind == PERFDATA_EXT_PASS) {
		s->file->counts.asleep += event->ext.pass.asleep;
		s->file->counts.estimated += event->ext.pass.estimated;
		s->file->counts.first_pass = s->file->counts.first_pass ?: event->ext.pass.time;
		s->file->counts.last_pass = event->ext.pass.time;
	}
	if (event->type == PERF_RECORD_CALLCHAIN_DEFERRED)
		deferred_add(s->file->deferred, event);
	machine_apply(s->file->machine, event);
	activities_apply(s->file->activities, event);
}

static void seal(struct session *s)
{
	if (s->file->unsealed)
		machine_seal(s->file->machine);
	s->file->unsealed = false;
}

/* Also a sample that is not shown is of use for others. */
static void take_beside(struct session *s, const struct event *event, u32 needs)
{
	const struct chain_ends ends = s->ends;
	struct activity activity;
	struct place place;

	if (!(needs & NEED_BESIDE) || !beside_takes(event))
		return;
	if (!s->beside)
		s->beside = beside_new();
	seal(s);
	session_place(s, event, NEED_SYMBOL | NEED_CHAIN | NEED_ACTIVITY, &place, &activity);
	beside_take(s->beside, &place);
	s->ends = ends; /* the sample is counted where it is handed out */
}

static bool hand_one(struct reading *r, const struct event *event, GError **error)
{
	struct session *s = r->session;
	struct activity activity;
	struct place place;
	struct event room;
	u32 filtered;

	take_beside(s, event, r->needs);
	event = session_counted(s, event, &room);
	if (!event)
		return true;
	seal(s);
	filtered = session_place(s, event, r->needs, &place, &activity);
	if (r->place_fn)
		return r->place_fn(&place, filtered, r->arg, error);
	return filtered || r->event_fn(event, &place, r->arg, error);
}

static void waiting_sample_free(void *p)
{
	struct waiting_sample *w = p;

	g_free(w->raw);
	g_free(w);
}

/* For a pipe: waits for the record with the user part. True: @sample was kept for later. */
static bool wait_for_user_part(struct reading *r, const struct event *sample, bool is_part)
{
	const struct sample *s = &sample->sample;
	struct waiting_sample *w;
	u32 nr;

	if (!perfdata_is_pipe(r->session->file->pd) || !(r->needs & (NEED_CHAIN | NEED_PARENT)) ||
	    !deferred_is(s->ips, s->nr_ips) ||
	    deferred_find(r->session->file->deferred, sample->id.tid, s->ips, s->nr_ips, &nr))
		return false;
	if (!r->waiting)
		r->waiting = g_ptr_array_new_with_free_func(waiting_sample_free);
	w = g_new(struct waiting_sample, 1);
	*w = (struct waiting_sample){ g_memdup2(sample->raw, sample->size),
				      is_part ? sample->evsel : NULL, sample->id.id, s->period };
	g_ptr_array_add(r->waiting, w);
	return true;
}

static bool decode_waiting(struct reading *r, const struct waiting_sample *w, struct event *out,
			   GError **error)
{
	if (!perfdata_decode(r->session->file->pd, w->raw, 0, out, error))
		return false;
	if (w->evsel)
		group_reads_make_part(out, w->evsel, w->id, w->period);
	return true;
}

static bool hand_sample(struct reading *r, const struct event *event, GError **error)
{
	u64 nr = r->session->options.unsplit ? 0 : group_reads_parts(event);
	struct event part;

	if (!nr)
		return wait_for_user_part(r, event, false) || hand_one(r, event, error);
	for (u64 i = 0; i < nr; i++)
		if (group_reads_take(r->session->file->group_reads, event, i, &part) &&
		    !wait_for_user_part(r, &part, true) && !hand_one(r, &part, error))
			return false;
	return true;
}

/* The samples that have waited for the record just read; at the @end, all. */
static bool hand_all_waiting(struct reading *r, bool end, GError **error)
{
	for (u32 i = 0; r->waiting && i < r->waiting->len;) {
		struct waiting_sample *w = g_ptr_array_index(r->waiting, i);
		struct event event;
		const struct sample *s = &event.sample;
		bool fine;
		u32 nr;

		if (!decode_waiting(r, w, &event, error))
			return false;
		if (!end && !deferred_find(r->session->file->deferred, event.id.tid, s->ips,
					   s->nr_ips, &nr)) {
			i++;
			continue;
		}
		g_ptr_array_steal_index(r->waiting, i);
		fine = hand_one(r, &event, error);
		waiting_sample_free(w);
		if (!fine)
			return false;
	}
	return true;
}

/* True if the sample matches --time and --cpu. */
static bool session_counts_sample(const struct session *s, const struct event *event)
{
	struct event room;

	return session_counted(s, event, &room);
}

static void keep_sample(struct reading *r, const struct event *event)
{
	if (session_counts_sample(r->session, event) && r->keep_fn(event, r->arg))
		kept_add(r->session->file->kept, event->raw);
}

static bool hand_event(struct sink *sink, const struct event *event, GError **error)
{
	struct reading *r = container_of(sink, struct reading, sink);
	struct session *s = r->session;

	if (!r->by_parts)
		progress_step(&r->progress, perfdata_position(s->file->pd));
	if (session_is_stopped(&r->progress, error))
		return false;
	if (event->type == PERF_RECORD_SAMPLE && r->keep_fn) {
		keep_sample(r, event);
		return true;
	}
	if (event->type == PERF_RECORD_SAMPLE)
		return hand_sample(r, event, error);
	if (perfdata_is_pipe(s->file->pd)) {
		apply(s, event);
		session_tell_build_ids(s);
		s->file->unsealed = true;
		if (event->type == PERF_RECORD_CALLCHAIN_DEFERRED &&
		    !hand_all_waiting(r, false, error))
			return false;
	}
	return !r->event_fn || r->event_fn(event, NULL, r->arg, error);
}

static void announce(struct sink *sink, const struct event *events, u32 nr)
{
	struct reading *r = container_of(sink, struct reading, sink);

	resolver_prefetch(r->session->resolver, events, nr,
			  !perfdata_is_pipe(r->session->file->pd));
}

/* The records that read_head() has read from the pipe. */
static bool replay_head(struct session *s, struct stream *stream, GError **error)
{
	struct event ev;

	for (u32 i = 0; s->file->head && i < s->file->head->len; i++)
		if (!perfdata_decode(s->file->pd, g_ptr_array_index(s->file->head, i), 0, &ev,
				     error) ||
		    !stream_take(stream, &ev, error))
			return false;
	return true;
}

static void step(u64 size, void *arg)
{
	struct reading *r = arg;

	progress_step(&r->progress, size);
}

/* Files whose side records were read are already in order. */
static bool run_parts(struct reading *r, const GArray *parts, const char *title, GError **error)
{
	struct stream *stream = stream_new(r->session->file->pd, true, &r->sink);
	bool ok;

	r->by_parts = true;
	reading_start(r, title);
	ok = stream_run_parts(stream, parts, step, r, error);
	progress_end(&r->progress);
	stream_free(stream);
	return ok;
}

static bool run(struct reading *r, enum perfdata_want want, bool by_time, const char *title,
		GError **error)
{
	g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(struct perfdata_part));
	struct session *s = r->session;
	struct stream *stream;
	bool ok;

	group_reads_restart(s->file->group_reads);
	beside_restart(s->beside);
	/* Not once more those of an earlier pass. */
	if (r->needs & (NEED_CHAIN | NEED_PARENT))
		s->ends = (struct chain_ends){ 0 };
	if (by_time && want == PERFDATA_WANT_ALL && perfdata_parts(s->file->pd, PART_SIZE, parts))
		return run_parts(r, parts, title, error);
	if (!session_start_pass(s, want, error))
		return false;
	/* A pipe must be in order for its machine. */
	stream = stream_new(s->file->pd, by_time || perfdata_is_pipe(s->file->pd), &r->sink);
	reading_start(r, title);
	ok = replay_head(s, stream, error) && stream_run(stream, error) &&
	     hand_all_waiting(r, true, error);
	g_clear_pointer(&r->waiting, g_ptr_array_unref);
	progress_end(&r->progress);
	stream_free(stream);
	return ok;
}

bool session_keep(struct session *s, size_t most_bytes, session_keep_fn *fn, void *arg,
		  GError **error)
{
	struct reading r = {
		.sink = { .push = hand_event }, .session = s, .keep_fn = fn, .arg = arg
	};

	s->file->kept = kept_new(most_bytes);
	return run(&r, PERFDATA_WANT_SAMPLES, false, "Processing samples", error);
}

static bool each_by_itself(struct reading *r, GError **error)
{
	r->sink = (struct sink){ .push = hand_event, .announce = announce };
	if (!session_expect_types(r->session, r->needs, error))
		return false;
	return run(r, PERFDATA_WANT_SAMPLES, false, "Processing samples", error);
}

bool session_each_kept(struct session *s, u64 from, u64 to, u32 needs, session_place_fn *fn,
		       void *arg, GError **error)
{
	struct kept_cursor c = kept_find(s->file->kept, from);
	const struct perf_event_header *raw;

	needs |= filter_needs(s->filter);
	seal(s);
	while (c.number < to && (raw = kept_next(&c))) {
		struct activity activity;
		struct place place;
		struct event event;
		u32 filtered;

		if (!perfdata_decode(s->file->pd, raw, 0, &event, error))
			return false;
		take_beside(s, &event, needs);
		filtered = session_place(s, &event, needs, &place, &activity);
		if (!fn(&place, filtered, arg, error))
			return false;
	}
	return true;
}

bool session_each_sample(struct session *s, u32 needs, session_place_fn *fn, void *arg,
			 GError **error)
{
	if (s->file->kept)
		return session_each_kept(s, 0, kept_end(s->file->kept), needs, fn, arg, error);
	for (u32 i = 0; i < session_nr_files(s); i++) {
		struct reading r = { .session = session_file(s, i), .place_fn = fn, .arg = arg };

		r.needs = needs | filter_needs(r.session->filter);
		if (!each_by_itself(&r, error))
			return false;
	}
	return true;
}

bool session_each_event(struct session *s, u32 needs, bool by_time, session_event_fn *fn, void *arg,
			GError **error)
{
	struct reading r = { .sink = { .push = hand_event, .announce = announce },
			     .session = s,
			     .event_fn = fn,
			     .arg = arg };

	r.needs = needs | filter_needs(s->filter);
	if (!session_expect_types(s, r.needs, error))
		return false;
	return run(&r, PERFDATA_WANT_ALL, by_time, "Processing events", error);
}

struct records {
	struct reading reading;
	session_record_fn *fn;
};

static bool hand_record(struct sink *sink, const struct perf_event_header *raw, u64 foff,
			bool stays, GError **error)
{
	struct records *r = container_of(sink, struct records, reading.sink);

	if (!r->reading.by_parts)
		progress_step(&r->reading.progress,
			      perfdata_position(r->reading.session->file->pd));
	if (session_is_stopped(&r->reading.progress, error))
		return false;
	return r->fn(raw, foff, stays, r->reading.arg, error);
}

bool session_each_record(struct session *s, bool by_time, session_record_fn *fn, void *arg,
			 GError **error)
{
	struct records r = {
		.reading = { .sink = { .push_raw = hand_record }, .session = s, .arg = arg },
		.fn = fn
	};

	return run(&r.reading, PERFDATA_WANT_ALL, by_time, "Processing events", error);
}

/*
 * On a pipe, events and features are records. Reads up to the first record of another kind, so that the caller knows
 * events and features before it reads samples.
 */
bool session_read_head(struct session *s, GError **error)
{
	struct event ev;
	int got;

	s->file->head = g_ptr_array_new_with_free_func(g_free);
	while ((got = perfdata_next(s->file->pd, &ev, error)) > 0) {
		g_ptr_array_add(s->file->head, g_memdup2(ev.raw, ev.size));
		if (ev.type < PERFDATA_USER_TYPE_START)
			break;
	}
	session_tell_build_ids(s);
	return got >= 0;
}

/* The first pass over a seekable file. */
bool session_read_sideband(struct session *s, bool quiet, GError **error)
{
	struct reading r = { .session = s };
	struct event ev;
	int got;

	perfdata_want(s->file->pd, PERFDATA_WANT_SIDEBAND);
	if (!quiet)
		reading_start(&r, "Reading threads and maps");
	while ((got = perfdata_next(s->file->pd, &ev, error)) > 0) {
		apply(s, &ev);
		if (!quiet)
			progress_step(&r.progress, perfdata_position(s->file->pd));
		if (session_is_stopped(&r.progress, error))
			break;
	}
	if (!quiet)
		progress_end(&r.progress);
	machine_seal(s->file->machine);
	return got == 0;
}
