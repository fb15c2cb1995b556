// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/session.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "activity/label_ids.h"
#include "base/progress.h"
#include "machine/machine.h"
#include "perfdata/read/reader.h"
#include "resolve/activity.h"
#include "resolve/context.h"
#include "resolve/data.h"
#include "session/filter.h"
#include "session/named.h"
#include "spans/load.h"
#include "stream/stream.h"

#define EXPECTED_SAMPLES (1 << 16) /* they have nearly all places that the rest has */

struct session {
	struct session_options options;
	u32 index;
	struct session *first; /* itself, or the one that this is beside */
	GPtrArray *beside;     /* struct session *: the others, of the first one */
	s64 to_wall;	       /* from the file's clock to the time of day; 0 for a file alone */
	bool has_wall;
	struct perfdata *pd;
	struct dsos *dsos;
	struct machine *machine;
	struct resolver *resolver;
	struct spans *spans; /* NULL without files of them */
	struct filter *filter;
	struct activities *activities;
	struct contexts *contexts;
	struct data_types *data_types; /* made when first needed */
	GPtrArray *head; /* of a pipe: raw records read at opening, to be handed out again */
	bool passed;	 /* a pipe was read */
	bool unsealed;	 /* the machine has taken in something since the last look-up */
	struct session_counts counts;
	u32 nr_known_ids; /* build-ids of the header that the dsos were told */
};

struct perfdata *session_perfdata(struct session *s)
{
	return s->pd;
}

struct machine *session_machine(struct session *s)
{
	return s->machine;
}

struct dsos *session_dsos(struct session *s)
{
	return s->dsos;
}

struct resolver *session_resolver(struct session *s)
{
	return s->resolver;
}

const struct spans *session_spans(const struct session *s)
{
	return s->first->spans;
}

u32 session_nr_files(const struct session *s)
{
	return 1 + (s->beside ? s->beside->len : 0);
}

struct session *session_file(struct session *s, u32 i)
{
	return i ? g_ptr_array_index(s->beside, i - 1) : s;
}

u32 session_index(const struct session *s)
{
	return s->index;
}

bool session_has_wall(const struct session *s)
{
	return s->has_wall;
}

const char *session_host(const struct session *s)
{
	return perfdata_info(s->pd)->hostname ?: perfdata_path(s->pd);
}

const struct session_counts *session_counts(const struct session *s)
{
	return &s->counts;
}

void session_widen_symbols(struct session *s)
{
	for (u32 i = 0; i < session_nr_files(s); i++)
		filter_widen_symbols(session_file(s, i)->filter);
}

bool session_found_by_part(struct session *s)
{
	for (u32 i = 0; i < session_nr_files(s); i++)
		if (filter_found_by_part(session_file(s, i)->filter))
			return true;
	return false;
}

u32 session_filter_code(struct session *s, const struct code *code)
{
	return filter_code(s->filter, code);
}

/* The header's table of build-ids; on a pipe it grows as its records come by. */
static void tell_build_ids(struct session *s)
{
	const GPtrArray *ids = perfdata_info(s->pd)->build_ids;

	for (; ids && s->nr_known_ids < ids->len; s->nr_known_ids++) {
		const struct info_build_id *id = g_ptr_array_index(ids, s->nr_known_ids);

		dsos_know_build_id(s->dsos, id->filename, id->build_id, id->size);
	}
}

/* One event handed to whoever reads the session. */
struct reading {
	struct sink sink;
	struct session *session;
	struct progress progress;
	u32 needs;
	session_place_fn *place_fn; /* one of them */
	session_event_fn *event_fn;
	void *arg;
};

static void reading_start(struct reading *r, const char *title)
{
	progress_start(&r->progress, title, perfdata_size(r->session->pd),
		       r->session->options.show_progress);
}

static void apply(struct session *s, const struct event *event)
{
	if (event->type == PERF_RECORD_LOST) {
		s->counts.lost_chunks++;
		s->counts.lost_events += event->lost.lost;
	} else if (event->type == PERF_RECORD_LOST_SAMPLES) {
		s->counts.lost_samples += event->lost.lost;
	}
	machine_apply(s->machine, event);
	activities_apply(s->activities, event);
}

/* Switch records may come late or be lost: never below one, nor above the machine's CPUs. */
static u32 parallelism_at(const struct session *s, u64 time)
{
	u32 nr_cpus = perfdata_info(s->pd)->nrcpus_available;

	return (u32)CLAMP(machine_running(s->machine, time), 1, nr_cpus ? nr_cpus : INT32_MAX);
}

static struct data_types *types_of(struct session *s)
{
	if (!s->data_types)
		s->data_types = data_types_new(perfdata_info(s->pd)->cpuid, s->options.type_min,
					       s->options.skid);
	return s->data_types;
}

static bool note_is(const struct session *s, const char *key, const char *value)
{
	return g_strcmp0(perfdata_info_note(perfdata_info(s->pd), key), value) == 0;
}

static enum cpu_context context_of(struct session *s, const struct place *place)
{
	return contexts_find(s->contexts, s->resolver, place, note_is(s, "tls.source", "bpf"),
			     note_is(s, "tls.context", "counted"));
}

/* What the sample's bytes say, and what can be made of it. */
static void find_activity(struct session *s, const struct place *place, struct activity *activity)
{
	const struct activity_id_names names = { s->options.trace_names, s->options.span_names };

	activities_find(s->activities, place->sample, place->thread->pid, place->time, activity);
	activity_take_label_ids(activity, &names);
	named_complete(s->first->spans, activity);
	if (!s->options.charge_interrupts && cpu_context_interrupts(place->context))
		activity_interrupt(activity);
}

/* What the resolver leaves to the other files of its room. */
static void complete(struct session *s, u32 needs, struct place *place, struct activity *activity)
{
	if (needs & NEED_DATA_TYPE)
		place->access =
			data_types_find(types_of(s), place->ip, data_types_late(place->evsel));
	if (needs & NEED_PARALLELISM)
		place->parallelism = parallelism_at(s, place->time);
	if (needs & (NEED_CONTEXT | NEED_ACTIVITY))
		place->context = context_of(s, place);
	if (needs & NEED_ACTIVITY) {
		find_activity(s, place, activity);
		place->activity = activity;
	}
}

static bool hand_sample(struct reading *r, const struct event *event, GError **error)
{
	struct session *s = r->session;
	struct activity activity;
	struct place place;
	u32 filtered;

	if (filter_drops(s->filter, event) || !event->evsel)
		return true;
	if (s->unsealed) {
		machine_seal(s->machine);
		s->unsealed = false;
	}
	resolver_place(s->resolver, event, r->needs, &place);
	place.session = s;
	place.to_wall = s->to_wall;
	complete(s, r->needs, &place, &activity);
	filtered = filter_thread(s->filter, &place) | filter_code(s->filter, place.ip) |
		   filter_activity(s->filter, s->first->spans, place.activity);
	if (r->place_fn)
		return r->place_fn(&place, filtered, r->arg, error);
	return filtered || r->event_fn(event, &place, r->arg, error);
}

static bool hand_event(struct sink *sink, const struct event *event, GError **error)
{
	struct reading *r = container_of(sink, struct reading, sink);
	struct session *s = r->session;

	progress_step(&r->progress, perfdata_position(s->pd));
	if (event->type == PERF_RECORD_SAMPLE)
		return hand_sample(r, event, error);
	if (perfdata_is_pipe(s->pd)) {
		apply(s, event);
		tell_build_ids(s);
		s->unsealed = true;
	}
	return !r->event_fn || r->event_fn(event, NULL, r->arg, error);
}

static void announce(struct sink *sink, const struct event *events, u32 nr)
{
	struct reading *r = container_of(sink, struct reading, sink);

	resolver_prefetch(r->session->resolver, events, nr);
}

static bool start_pass(struct session *s, enum perfdata_want want, GError **error)
{
	if (perfdata_is_pipe(s->pd)) {
		if (s->passed)
			return error_set(error, PERF_ERROR_USAGE, "a pipe can be read only once");
		s->passed = true;
		return true;
	}
	if (!perfdata_rewind(s->pd, error))
		return false;
	perfdata_want(s->pd, want);
	return true;
}

/* What read_head() has taken off the pipe. */
static bool replay_head(struct session *s, struct stream *stream, GError **error)
{
	struct event ev;

	for (u32 i = 0; s->head && i < s->head->len; i++)
		if (!perfdata_decode(s->pd, g_ptr_array_index(s->head, i), 0, &ev, error) ||
		    !stream_take(stream, &ev, error))
			return false;
	return true;
}

static bool run(struct reading *r, enum perfdata_want want, bool by_time, const char *title,
		GError **error)
{
	struct session *s = r->session;
	struct stream *stream;
	bool ok;

	r->needs |= filter_needs(s->filter);
	if (!start_pass(s, want, error))
		return false;
	/* A pipe must be in order for its machine. */
	stream = stream_new(s->pd, by_time || perfdata_is_pipe(s->pd), &r->sink);
	reading_start(r, title);
	ok = replay_head(s, stream, error) && stream_run(stream, error);
	progress_end(&r->progress);
	stream_free(stream);
	return ok;
}

/*
 * A pass ahead, over the first samples of a file: where data types are asked for. A record that
 * cannot be read is the next pass's to tell.
 */
static bool expect_types(struct session *s, GError **error)
{
	struct event ev;

	if (perfdata_is_pipe(s->pd))
		return true;
	if (!start_pass(s, PERFDATA_WANT_SAMPLES, error))
		return false;
	for (u32 i = 0; i < EXPECTED_SAMPLES && perfdata_next(s->pd, &ev, NULL) > 0; i++) {
		struct place place;

		if (ev.type != PERF_RECORD_SAMPLE || filter_drops(s->filter, &ev) || !ev.evsel)
			continue;
		resolver_place(s->resolver, &ev, NEED_DATA_TYPE, &place);
		data_types_expect(types_of(s), place.ip);
	}
	return true;
}

bool session_each_sample(struct session *s, u32 needs, session_place_fn *fn, void *arg,
			 GError **error)
{
	for (u32 i = 0; i < session_nr_files(s); i++) {
		struct reading r = { .sink = { .push = hand_event, .announce = announce },
				     .session = session_file(s, i),
				     .needs = needs,
				     .place_fn = fn,
				     .arg = arg };

		if (needs & NEED_DATA_TYPE && !expect_types(r.session, error))
			return false;
		if (!run(&r, PERFDATA_WANT_SAMPLES, false, "Processing samples", error))
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

	r.needs = needs;
	return run(&r, PERFDATA_WANT_ALL, by_time, "Processing events", error);
}

/*
 * On a pipe the events and features come as records: reads on until the first one of another
 * kind, so that whoever opened the session knows them before it asks for samples.
 */
static bool read_head(struct session *s, GError **error)
{
	struct event ev;
	int got;

	s->head = g_ptr_array_new_with_free_func(g_free);
	while ((got = perfdata_next(s->pd, &ev, error)) > 0) {
		g_ptr_array_add(s->head, g_memdup2(ev.raw, ev.size));
		if (ev.type < PERFDATA_USER_TYPE_START)
			break;
	}
	tell_build_ids(s);
	return got >= 0;
}

/* The first pass over a seekable file. */
static bool read_sideband(struct session *s, GError **error)
{
	struct reading r = { .session = s };
	struct event ev;
	int got;

	perfdata_want(s->pd, PERFDATA_WANT_SIDEBAND);
	reading_start(&r, "Reading threads and maps");
	while ((got = perfdata_next(s->pd, &ev, error)) > 0) {
		apply(s, &ev);
		progress_step(&r.progress, perfdata_position(s->pd));
	}
	progress_end(&r.progress);
	machine_seal(s->machine);
	return got == 0;
}

/* From the header where it tells, else from the samples. */
static bool find_span(struct session *s, struct time_span *span, GError **error)
{
	const struct perfdata_info *info = perfdata_info(s->pd);
	struct event ev;
	int got;

	*span = (struct time_span){ UINT64_MAX, 0 };
	if (perfdata_info_has(info, FEAT_SAMPLE_TIME)) {
		*span = (struct time_span){ info->first_sample_time, info->last_sample_time };
		if (span->from <= span->to)
			return true;
	}
	if (perfdata_is_pipe(s->pd))
		return error_set(error, PERF_ERROR_USAGE,
				 "--time: a pipe does not tell its whole length: give times in "
				 "seconds, or save it to a file first");
	perfdata_want(s->pd, PERFDATA_WANT_SAMPLES);
	while ((got = perfdata_next(s->pd, &ev, error)) > 0) {
		span->from = MIN(span->from, ev.id.time);
		span->to = MAX(span->to, ev.id.time);
	}
	if (span->from > span->to)
		*span = (struct time_span){ 0, 0 };
	return got == 0 && perfdata_rewind(s->pd, error);
}

static bool load_spans(struct session *s, GError **error)
{
	const GPtrArray *files = s->options.span_files, *labels = s->options.span_labels;

	if (!files || !files->len)
		return true;
	s->spans = spans_new();
	for (u32 i = 0; labels && i < labels->len; i++)
		spans_keep(s->spans, labels->pdata[i]);
	for (u32 i = 0; i < files->len; i++)
		if (!spans_load(s->spans, files->pdata[i], s->options.show_progress, error))
			return false;
	return true;
}

static bool is_readable(const char *path, GError **error)
{
	return !path || access(path, R_OK) == 0 || error_set_errno(error, errno, "%s", path);
}

static bool open_file(struct session *s, const char *path, GError **error)
{
	const struct session_options *o = &s->options;
	g_autofree char *vmlinux = NULL;

	if (o->dso.vmlinux)
		vmlinux = g_build_filename(o->dso.symfs ?: "", o->dso.vmlinux, NULL);
	if (!is_readable(vmlinux, error) || !is_readable(o->dso.kallsyms, error))
		return false;
	s->pd = o->force ? perfdata_open_forced(path, error) : perfdata_open(path, error);
	if (!s->pd)
		return false;
	if (perfdata_is_pipe(s->pd) && o->beside && o->beside->len)
		return error_set(error, PERF_ERROR_USAGE,
				 "%s: a pipe cannot be read beside other files: save it to a file "
				 "first",
				 path);
	return true;
}

/* The machine of the file, and who answers questions about it. */
static bool build(struct session *s, GError **error)
{
	const struct session_options *o = &s->options;
	struct session *first = s->first;

	s->dsos = first == s ? dsos_new(&o->dso) : dsos_new_beside(first->dsos, &o->dso);
	s->machine = machine_new(s->dsos);
	s->activities = activities_new();
	s->contexts = contexts_new();
	s->resolver = resolver_new_beside(first == s ? NULL : first->resolver, s->machine,
					  &o->resolver, error);
	if (!s->resolver)
		return false;
	tell_build_ids(s);
	if (perfdata_is_pipe(s->pd))
		return read_head(s, error);
	return o->header_only || read_sideband(s, error);
}

/* Where all files tell the time of day, times are that; a file alone has its own clock. */
static bool settle_clocks(struct session *s, GError **error)
{
	const struct session *without = NULL;

	for (u32 i = 0; i < session_nr_files(s) && !without; i++) {
		const struct session *file = session_file(s, i);

		if (!perfdata_info_has(perfdata_info(file->pd), FEAT_CLOCK_DATA))
			without = file;
	}
	s->has_wall = !without;
	if (!s->beside->len)
		return true;
	if (without && s->options.filter.time)
		return error_set(
			error, PERF_ERROR_ABSENT,
			"--time: %s does not say what time of day its clock was at, so its "
			"times and those of other files cannot be compared: record with "
			"'-k CLOCK_MONOTONIC'",
			perfdata_path(without->pd));
	for (u32 i = 0; i < session_nr_files(s) && !without; i++) {
		struct session *file = session_file(s, i);
		const struct perfdata_info *info = perfdata_info(file->pd);

		file->to_wall = (s64)(info->clock_data_wall_ns - info->clock_data_clock_ns);
	}
	return true;
}

/* All files have the same filters, and percentages of --time are of the span of them all. */
static bool make_filters(struct session *s, GError **error)
{
	const struct session_filter *texts = &s->options.filter;
	struct time_span all = { UINT64_MAX, 0 };

	for (u32 i = 0; filter_needs_span(texts) && i < session_nr_files(s); i++) {
		struct session *file = session_file(s, i);
		struct time_span span;

		if (!find_span(file, &span, error))
			return false;
		all.from = MIN(all.from, span.from + (u64)file->to_wall);
		all.to = MAX(all.to, span.to + (u64)file->to_wall);
	}
	for (u32 i = 0; i < session_nr_files(s); i++) {
		struct session *file = session_file(s, i);

		file->filter = filter_new(texts, &all, error);
		if (!file->filter)
			return false;
		filter_set_wall(file->filter, file->to_wall);
	}
	return true;
}

static struct session *session_new(const struct session_options *options, struct session *first)
{
	struct session *s = g_new0(struct session, 1);

	s->options = *options;
	s->options.dso.force = options->force;
	s->first = first ?: s;
	return s;
}

static bool open_all(struct session *s, GError **error)
{
	const GPtrArray *others = s->options.beside;

	s->beside = g_ptr_array_new();
	if (!open_file(s, s->options.input ?: perfdata_default_path(), error))
		return false;
	for (u32 i = 0; others && i < others->len; i++) {
		struct session *other = session_new(&s->options, s);

		g_ptr_array_add(s->beside, other);
		other->index = i + 1;
		if (!open_file(other, others->pdata[i], error))
			return false;
	}
	if (!settle_clocks(s, error) || !make_filters(s, error) || !load_spans(s, error))
		return false;
	for (u32 i = 0; i < session_nr_files(s); i++)
		if (!build(session_file(s, i), error))
			return false;
	return true;
}

struct session *session_open(const struct session_options *options, GError **error)
{
	struct session *s = session_new(options, NULL);

	if (!open_all(s, error)) {
		session_close(s);
		return NULL;
	}
	return s;
}

void session_close(struct session *s)
{
	if (!s)
		return;
	for (u32 i = 0; s->beside && i < s->beside->len; i++)
		session_close(g_ptr_array_index(s->beside, i));
	g_clear_pointer(&s->beside, g_ptr_array_unref);
	if (s->data_types)
		data_types_free(s->data_types);
	if (s->activities)
		activities_free(s->activities);
	contexts_free(s->contexts);
	resolver_free(s->resolver);
	if (s->machine)
		machine_free(s->machine);
	if (s->dsos)
		dsos_free(s->dsos);
	filter_free(s->filter);
	spans_free(s->spans);
	if (s->head)
		g_ptr_array_unref(s->head);
	if (s->pd)
		perfdata_close(s->pd);
	g_free(s);
}
