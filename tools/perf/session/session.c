// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/session.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "chains/objects.h"
#include "convert/profiles.h"
#include "dso/packed.h"
#include "perfdata/event.h"
#include "perfdata/evsel.h"
#include "perfdata/wall.h"
#include "session/chained.h"
#include "session/deferred.h"
#include "session/group_reads.h"
#include "session/private.h"
#include "session/switches.h"
#include "spans/load.h"

/* The header has the times at which stretches end, not those at which they began. */
static bool has_stretches(const struct perfdata *pd)
{
	const GPtrArray *evsels = perfdata_evsels(pd);

	for (u32 i = 0; i < evsels->len; i++)
		if (wall_is_stretch(((const struct evsel *)evsels->pdata[i])->name))
			return true;
	return false;
}

static void widen(struct time_span *span, const struct event *sample)
{
	const struct evsel *evsel = sample->evsel;
	u64 time = sample->id.time, length;

	if (!evsel || !(evsel->attr.sample_type & PERF_SAMPLE_TIME))
		return;
	length = wall_is_stretch(evsel->name) ? MIN(sample->sample.period, time) : 0;
	span->from = MIN(span->from, time - length);
	span->to = MAX(span->to, time);
}

/*
 * From the header, if it has the times, else from the samples. A recorder that does not look at its samples, for build-ids
 * as an example, writes times of 0. Without samples, the span ends before it begins.
 */
static bool find_span(struct session *s, struct time_span *span, GError **error)
{
	const struct perfdata_info *info = perfdata_info(s->file->pd);
	struct event ev;
	int got;

	*span = (struct time_span){ UINT64_MAX, 0 };
	if (perfdata_info_has(info, FEAT_SAMPLE_TIME) && !has_stretches(s->file->pd)) {
		*span = (struct time_span){ info->first_sample_time, info->last_sample_time };
		if (span->from <= span->to && span->to)
			return true;
		*span = (struct time_span){ UINT64_MAX, 0 };
	}
	if (perfdata_is_pipe(s->file->pd))
		return error_set(error, PERF_ERROR_USAGE,
				 "--time: the length of a pipe is unknown: give times in seconds, "
				 "or save the recording to a file first");
	perfdata_want(s->file->pd, PERFDATA_WANT_SAMPLES);
	while ((got = perfdata_next(s->file->pd, &ev, error)) > 0)
		widen(span, &ev);
	return got == 0 && perfdata_rewind(s->file->pd, error);
}

/* The files of spans: those that the user names, else those that are packed. */
static GPtrArray *span_files(struct session *s)
{
	const GPtrArray *named = s->options.span_files;
	GPtrArray *files = g_ptr_array_new_with_free_func(g_free);

	for (u32 i = 0; named && i < named->len; i++)
		g_ptr_array_add(files, g_strdup(named->pdata[i]));
	for (u32 i = 0; !files->len && i < session_nr_files(s); i++) {
		struct packed *packed = session_file(s, i)->file->packed;
		g_autoptr(GPtrArray) names = packed_names(packed, PACKED_SPANS);

		for (u32 k = 0; k < names->len; k++) {
			char *path = packed_path(packed, names->pdata[k]);

			if (path)
				g_ptr_array_add(files, path);
		}
	}
	return files;
}

static bool load_spans(struct session *s, GError **error)
{
	g_autoptr(GPtrArray) files = span_files(s);
	const GPtrArray *labels = s->options.span_labels;

	if (!files->len)
		return true;
	s->set->spans = spans_new();
	for (u32 i = 0; labels && i < labels->len; i++)
		spans_keep(s->set->spans, labels->pdata[i]);
	for (u32 i = 0; i < files->len; i++)
		if (!spans_load(s->set->spans, files->pdata[i], s->options.show_progress, error))
			return false;
	spans_settle(s->set->spans);
	return true;
}

static bool is_readable(const char *path, GError **error)
{
	return !path || access(path, R_OK) == 0 || error_set_errno(error, errno, "%s", path);
}

size_t session_numbers_size(const struct session *s)
{
	return s->options.numbers_size ?: 128ull << 20;
}

static bool open_packed(struct session *s, const char *path, GError **error)
{
	g_autoptr(GError) damaged = NULL;

	s->file->packed = packed_open(path, &damaged);
	s->options.dso.packed = s->file->packed;
	if (!damaged)
		return true;
	g_propagate_error(error, g_steal_pointer(&damaged));
	return false;
}

/* Another tool's profile: it is made a recording in a temporary file, which is there until it is opened. */
static bool open_profile(struct session *s, const char *path, GError **error)
{
	int fd = profiles_import(path, error);
	char made[32];
	bool ok;

	if (fd < 0)
		return false;
	snprintf(made, sizeof(made), "/proc/self/fd/%d", fd);
	s->file->pd = perfdata_open_forced(made, error);
	ok = s->file->pd && open_packed(s, made, error);
	close(fd);
	return ok;
}

static bool open_file(struct session *s, const char *path, GError **error)
{
	const struct session_options *o = &s->options;
	g_autofree char *vmlinux = NULL;

	if (o->dso.vmlinux)
		vmlinux = g_build_filename(o->dso.symfs ?: "", o->dso.vmlinux, NULL);
	if (!is_readable(vmlinux, error) || !is_readable(o->dso.kallsyms, error))
		return false;
	if (!s->file->pd && profiles_fit(path))
		return open_profile(s, path, error);
	if (!s->file->pd)
		s->file->pd = o->force ? perfdata_open_forced(path, error)
				       : perfdata_open(path, error);
	if (!s->file->pd)
		return false;
	if (perfdata_is_pipe(s->file->pd) && o->beside && o->beside->len)
		return error_set(error, PERF_ERROR_USAGE,
				 "%s: a pipe cannot be read together with other files: save it to "
				 "a file first",
				 path);
	return perfdata_is_pipe(s->file->pd) || open_packed(s, path, error);
}

/* Opens the machine of the file, and its resolver. The first file's tables are there before those of the others. */
static bool build(struct session *s, GError **error)
{
	const struct session_options *o = &s->options;
	struct session *first = s->index ? g_ptr_array_index(s->set->files, 0) : NULL;
	struct session_file *f = s->file;

	f->dsos = first ? dsos_new_beside(first->file->dsos, &o->dso) : dsos_new(&o->dso);
	f->machine = machine_new(f->dsos);
	f->deferred = deferred_new();
	f->group_reads = group_reads_new(f->pd);
	f->activities = activities_new();
	s->contexts = contexts_new();
	s->resolver = resolver_new_beside(first ? first->resolver : NULL, f->machine, &o->resolver,
					  error);
	if (!s->resolver)
		return false;
	session_tell_build_ids(s);
	machine_know_contents(f->machine, perfdata_info(f->pd));
	return !perfdata_is_pipe(f->pd) || session_read_head(s, error);
}

/* If all files have the time of day, times are times of day; a single file uses its own clock. */
static bool settle_clocks(struct session *s, GError **error)
{
	const struct session *without = NULL;

	for (u32 i = 0; i < session_nr_files(s) && !without; i++) {
		const struct session *file = session_file(s, i);

		if (!perfdata_info_has(perfdata_info(file->file->pd), FEAT_CLOCK_DATA))
			without = file;
	}
	s->set->has_wall = !without;
	if (session_nr_files(s) == 1)
		return true;
	if (without && s->options.filter.time)
		return error_set(error, PERF_ERROR_ABSENT,
				 "--time: %s does not record the time of day of its clock, so its "
				 "times cannot be compared with those of other files: record with "
				 "'-k CLOCK_MONOTONIC'",
				 perfdata_path(without->file->pd));
	for (u32 i = 0; i < session_nr_files(s) && !without; i++) {
		struct session *file = session_file(s, i);
		const struct perfdata_info *info = perfdata_info(file->file->pd);

		file->file->to_wall = (s64)(info->clock_data_wall_ns - info->clock_data_clock_ns);
	}
	return true;
}

static bool make_filter(struct session *s, GError **error)
{
	s->filter = filter_new(&s->options.filter, &s->set->span, error);
	if (!s->filter)
		return false;
	filter_set_wall(s->filter, s->file->to_wall);
	filter_set_cpus(s->filter, perfdata_info(s->file->pd)->cpus);
	if (!s->file->switched && (s->options.filter.switch_on || s->options.filter.switch_off))
		s->file->switched = switches_find(s->file->pd, &s->options.filter,
						  filter_times(s->filter), s->file->to_wall, error);
	else if (!s->file->switched)
		return true;
	if (s->file->switched)
		filter_limit_times(s->filter, s->file->switched);
	return s->file->switched;
}

/* All files have the same filters; percentages of --time refer to the span of all files. */
static bool make_filters(struct session *s, GError **error)
{
	const struct session_filter *texts = &s->options.filter;
	struct time_span all = { UINT64_MAX, 0 };

	for (u32 i = 0; filter_needs_span(texts) && i < session_nr_files(s); i++) {
		struct session *file = session_file(s, i);
		struct time_span span;

		if (!find_span(file, &span, error))
			return false;
		if (span.from > span.to)
			continue;
		all.from = MIN(all.from, span.from + (u64)file->file->to_wall);
		all.to = MAX(all.to, span.to + (u64)file->file->to_wall);
	}
	s->set->span = all.from <= all.to ? all : (struct time_span){ 0, 0 };
	for (u32 i = 0; i < session_nr_files(s); i++) {
		struct session *file = session_file(s, i);

		if (!make_filter(file, error))
			return false;
	}
	return true;
}

/* A file of @set: its next one. */
static struct session *session_new(const struct session_options *options, struct session_set *set)
{
	struct session *s = g_new0(struct session, 1);

	s->set = set;
	s->file = g_new0(struct session_file, 1);
	s->index = set->files->len;
	s->options = *options;
	s->options.dso.force = options->force;
	if (s->options.threads < 1)
		s->options.threads = (int)g_get_num_processors();
	g_ptr_array_add(set->files, s);
	return s;
}

static struct session_set *set_new(const struct session_options *options)
{
	struct session_set *set = g_new0(struct session_set, 1);

	set->files = g_ptr_array_new();
	set->objects = objects_new();
	set->watch = options->watch;
	return set;
}

static void set_free(struct session_set *set)
{
	g_ptr_array_unref(set->files);
	spans_free(set->spans);
	g_free(set);
}

static bool open_all(struct session *s, GError **error)
{
	const GPtrArray *others = s->options.beside;

	if (!open_file(s, s->options.input ?: perfdata_default_path(), error))
		return false;
	for (u32 i = 0; others && i < others->len; i++)
		if (!open_file(session_new(&s->options, s->set), others->pdata[i], error))
			return false;
	if (!settle_clocks(s, error) || !make_filters(s, error) || !load_spans(s, error))
		return false;
	for (u32 i = 0; i < session_nr_files(s); i++)
		if (!build(session_file(s, i), error))
			return false;
	return perfdata_is_pipe(s->file->pd) || s->options.header_only ||
	       session_read_sidebands(s, error);
}

struct session *session_open(const struct session_options *options, GError **error)
{
	struct session *s = session_new(options, set_new(options));

	s->file->pd = options->opened;
	if (!open_all(s, error)) {
		session_close(s);
		return NULL;
	}
	return s;
}

const struct chain_ends *session_chain_ends(const struct session *s)
{
	return &s->ends;
}

struct session *session_view_new(struct session *s, GError **error)
{
	struct session *view = g_memdup2(s, sizeof(*s));

	view->filter = NULL;
	view->data_types = s->data_types ? data_types_new_beside(s->data_types) : NULL;
	view->whole = s;
	view->chained = NULL;
	view->charging = NULL;
	view->lock_names = NULL;
	view->ends = (struct chain_ends){ 0 };
	view->contexts = contexts_new();
	view->resolver = resolver_new(s->file->machine, &s->options.resolver, error);
	if (view->resolver && make_filter(view, error))
		return view;
	session_view_free(view);
	return NULL;
}

void session_view_free(struct session *view)
{
	if (!view)
		return;
	charging_free(view->charging);
	lock_names_free(view->lock_names);
	data_types_free(view->data_types);
	contexts_free(view->contexts);
	resolver_free(view->resolver);
	filter_free(view->filter);
	chained_free(view->chained);
	chain_ends_merge(&view->whole->ends, &view->ends);
	g_free(view);
}

static void file_free(struct session_file *f)
{
	entries_free(f->entries);
	if (f->activities)
		activities_free(f->activities);
	deferred_free(f->deferred);
	group_reads_free(f->group_reads);
	if (f->machine)
		machine_free(f->machine);
	if (f->dsos)
		dsos_free(f->dsos);
	packed_free(f->packed);
	g_clear_pointer(&f->switched, g_array_unref);
	if (f->head)
		g_ptr_array_unref(f->head);
	kept_free(f->kept);
	if (f->pd)
		perfdata_close(f->pd);
	g_free(f);
}

/* What remembers answers about files. */
static void forget(struct session *s)
{
	charging_free(s->charging);
	lock_names_free(s->lock_names);
	beside_free(s->beside);
	if (s->data_types)
		data_types_free(s->data_types);
	contexts_free(s->contexts);
	resolver_free(s->resolver);
	chained_free(s->chained);
	filter_free(s->filter);
}

void session_close(struct session *s)
{
	struct session_set *set;

	if (!s)
		return;
	set = s->set;
	for (u32 i = set->files->len; i-- > 0;)
		forget(g_ptr_array_index(set->files, i));
	/* It keeps what was compiled for the next run, by sections of files that are still mapped. */
	objects_free(set->objects);
	for (u32 i = set->files->len; i-- > 0;) {
		struct session *one = g_ptr_array_index(set->files, i);

		file_free(one->file);
		g_free(one);
	}
	set_free(set);
}
