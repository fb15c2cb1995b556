// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The writer writes events and features itself, so the input's records of these are removed (in a pipe, and those
 * that perf record has written to a file: names and units of events). A pipe starts with these records: the output is
 * started at the first other record.
 */
#include "pass/pipeline.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine/machine.h"
#include "pass/output.h"
#include "perfdata/read/reader.h"
#include "stream/stream.h"

#define MAPPED_MOST                                                                                \
	(512ull << 20) /* bytes of a file that stay in memory between two passes over it */

struct pipeline {
	struct sink sink;
	struct perfdata *pd;
	const struct pipeline_options *options;
	const GPtrArray *passes;
	struct pass *output;
	struct perfdata_info *info; /* as it was at the begin */
	u32 nr_known_ids;
	bool begun;
	bool live;     /* the machine gets events as they arrive */
	bool unsealed; /* it changed since the last sample */
};

static bool is_pipe_output(const struct pipeline *pl)
{
	return !pl->options->sink && strcmp(pl->options->output, "-") == 0;
}

static void forget_feature(struct perfdata_info *info, u32 feat)
{
	info->features[feat / 64] &= ~(1ULL << feat % 64);
}

/* The input's header, as far as it is true for the output. */
static struct perfdata_info *info_of_output(const struct pipeline *pl)
{
	struct perfdata_info *info = perfdata_info_copy(perfdata_info(pl->pd));

	forget_feature(info, FEAT_COMPRESSED);
	forget_feature(info, FEAT_DIR_FORMAT);
	/* In a pipe these are records, which are passed on. */
	if (is_pipe_output(pl) && perfdata_is_pipe(pl->pd)) {
		g_ptr_array_set_size(info->build_ids, 0);
		forget_feature(info, FEAT_BUILD_ID);
	}
	return info;
}

static GPtrArray *copy_evsels(const GPtrArray *from)
{
	GPtrArray *to = g_ptr_array_new_with_free_func((GDestroyNotify)evsel_free);

	for (u32 i = 0; i < from->len; i++)
		g_ptr_array_add(to, evsel_copy(g_ptr_array_index(from, i)));
	return to;
}

static struct pass *pass_at(const struct pipeline *pl, u32 i)
{
	return i < pl->passes->len ? g_ptr_array_index(pl->passes, i) : pl->output;
}

static bool begin(struct pipeline *pl, GError **error)
{
	GPtrArray *evsels = copy_evsels(perfdata_evsels(pl->pd));
	bool good = true;

	pl->begun = true;
	pl->info = info_of_output(pl);
	pl->output = pl->options->sink ? pl->options->sink
				       : output_pass_new(pl->options->output, pl->info);
	for (u32 i = 0; good && i <= pl->passes->len; i++) {
		struct pass *p = pass_at(pl, i);

		p->next = i < pl->passes->len ? pass_at(pl, i + 1) : NULL;
		good = !p->ops->begin || p->ops->begin(p, evsels, error);
		p->evsels = copy_evsels(evsels);
	}
	g_ptr_array_unref(evsels);
	return good;
}

/*
 * True if the writer's first records contain what @ev states: a name, unit or scale, if it was known then.
 */
static bool is_restated_update(const struct pipeline *pl, const struct event *ev)
{
	const struct evsel *evsel = perfdata_evsel(pl->pd, ev->update.id);
	const struct evsel *told;

	if (!pl->begun)
		return ev->update.type != PERFDATA_UPDATE_CPUS;
	if (!evsel)
		return false;
	told = g_ptr_array_index(pl->output->evsels, evsel->idx);
	switch (ev->update.type) {
	case PERFDATA_UPDATE_NAME:
		return g_strcmp0(told->name, ev->update.text) == 0;
	case PERFDATA_UPDATE_UNIT:
		return g_strcmp0(told->unit, ev->update.text) == 0;
	case PERFDATA_UPDATE_SCALE:
		return told->scale == ev->update.scale;
	default:
		return false;
	}
}

static bool is_restated(const struct pipeline *pl, const struct event *ev)
{
	switch (ev->type) {
	case PERFDATA_ATTR:
	case PERFDATA_TRACING_DATA:
		return true;
	case PERFDATA_FEATURE:
		return !pl->begun || !is_pipe_output(pl);
	case PERFDATA_EVENT_UPDATE:
		return is_restated_update(pl, ev);
	case PERFDATA_EVENT_TYPE:
		return ev->ext.kind == PERFDATA_EXT_NOTES;
	default:
		return false;
	}
}

static bool is_carried(const struct pipeline *pl, const struct event *ev, GError **error)
{
	if (ev->type == PERFDATA_AUXTRACE)
		return error_set(error, PERF_ERROR_UNSUPPORTED,
				 "%s: has AUX area data (such as Intel PT's), which this perf "
				 "cannot copy into another file",
				 perfdata_path(pl->pd));
	if (ev->type == PERFDATA_ATTR && pl->begun)
		return error_set(error, PERF_ERROR_FORMAT,
				 "%s: an event (ATTR) follows the first records, expected all "
				 "events before them",
				 perfdata_path(pl->pd));
	return true;
}

static void tell_build_ids(struct pipeline *pl)
{
	const GPtrArray *ids = perfdata_info(pl->pd)->build_ids;

	for (; pl->nr_known_ids < ids->len; pl->nr_known_ids++) {
		const struct info_build_id *id = g_ptr_array_index(ids, pl->nr_known_ids);

		dsos_know_build_id(machine_dsos(pl->options->machine), id->filename, id->build_id,
				   id->size);
	}
}

static bool flush(struct pipeline *pl, GError **error)
{
	bool good = true;

	for (u32 i = 0; good && i < pl->passes->len; i++) {
		struct pass *p = pass_at(pl, i);

		good = !p->ops->flush || p->ops->flush(p, error);
	}
	return good;
}

/* Events that a pass holds back must be looked up before the machine changes. */
static bool tell_machine(struct pipeline *pl, const struct event *ev, GError **error)
{
	if (!pl->live)
		return true;
	if (ev->type != PERF_RECORD_SAMPLE) {
		if (!flush(pl, error))
			return false;
		machine_apply(pl->options->machine, ev);
		tell_build_ids(pl);
		pl->unsealed = true;
	} else if (pl->unsealed) {
		machine_seal(pl->options->machine);
		pl->unsealed = false;
	}
	return true;
}

static bool push(struct sink *sink, const struct event *ev, GError **error)
{
	struct pipeline *pl = container_of(sink, struct pipeline, sink);
	struct pass *first;

	if (!is_carried(pl, ev, error))
		return false;
	if (is_restated(pl, ev))
		return true;
	if (!pl->begun && !begin(pl, error))
		return false;
	if (!tell_machine(pl, ev, error))
		return false;
	first = pass_at(pl, 0);
	return first->ops->take(first, ev, error);
}

/* True for samples that only one pass decodes, on several threads. */
static bool push_raw(struct sink *sink, const struct perf_event_header *raw, u64 foff, bool stays,
		     GError **error)
{
	const struct pipeline *pl = container_of(sink, struct pipeline, sink);
	struct event ev = {
		.foff = foff, .type = raw->type, .misc = raw->misc, .size = raw->size, .raw = raw
	};

	if (raw->type != PERF_RECORD_SAMPLE && !perfdata_decode(pl->pd, raw, foff, &ev, error))
		return false;
	return push(sink, &ev, error);
}

static bool foretell(struct pipeline *pl, const struct event *ev, GError **error)
{
	bool good = true;

	for (u32 i = 0; good && i < pl->passes->len; i++) {
		struct pass *p = pass_at(pl, i);

		good = !p->ops->foretell || p->ops->foretell(p, perfdata_evsels(pl->pd), ev,
							     pl->options->machine, error);
	}
	return good;
}

/* Reads all threads and mappings of a file, before the first pass uses them. */
static bool read_sideband(struct pipeline *pl, GError **error)
{
	struct event ev;
	int got;

	perfdata_stay_mapped(pl->pd, MAPPED_MOST);
	perfdata_want(pl->pd, PERFDATA_WANT_SIDEBAND);
	while ((got = perfdata_next(pl->pd, &ev, error)) > 0) {
		machine_apply(pl->options->machine, &ev);
		if (!foretell(pl, &ev, error))
			return false;
	}
	tell_build_ids(pl);
	machine_seal(pl->options->machine);
	return got == 0 && perfdata_rewind(pl->pd, error);
}

static bool goes_by_time(const struct pipeline *pl)
{
	return pl->options->by_time || pl->live;
}

/* The first pass, or the sorting by time, decodes samples. */
static bool wants_decoded(const struct pipeline *pl)
{
	const struct pass *first = pl->passes->len ? g_ptr_array_index(pl->passes, 0) : NULL;

	return goes_by_time(pl) || (first && !first->ops->takes_raw_samples);
}

static bool read_all(struct pipeline *pl, GError **error)
{
	struct stream *stream;
	bool good;

	if (pl->options->machine && !pl->live && !read_sideband(pl, error))
		return false;
	perfdata_want(pl->pd,
		      wants_decoded(pl) ? PERFDATA_WANT_EVERY_TYPE : PERFDATA_WANT_EVERY_RAW);
	pl->sink.push_raw = wants_decoded(pl) ? NULL : push_raw;
	stream = stream_new(pl->pd, goes_by_time(pl), &pl->sink);
	good = stream_run(stream, error);
	stream_free(stream);
	return good && (pl->begun || begin(pl, error));
}

static bool conclude(struct pipeline *pl, GError **error)
{
	struct perfdata_info *info;
	bool good;

	if (!flush(pl, error))
		return false;
	info = info_of_output(pl);
	for (u32 i = 0; i < pl->passes->len; i++) {
		struct pass *p = pass_at(pl, i);

		if (p->ops->conclude)
			p->ops->conclude(p, info);
	}
	if (is_pipe_output(pl)) {
		g_ptr_array_set_size(info->build_ids, 0);
		forget_feature(info, FEAT_BUILD_ID);
	}
	good = pl->options->sink || output_pass_finish(pl->output, info, error);
	perfdata_info_free(info);
	return good;
}

/* The writer would truncate the file that is being read. */
static bool is_input(const struct perfdata *pd, const char *output)
{
	const char *path = perfdata_path(pd);
	struct stat in, out;

	return strcmp(path, "-") != 0 && strcmp(output, "-") != 0 && !stat(path, &in) &&
	       !stat(output, &out) && S_ISREG(out.st_mode) && in.st_dev == out.st_dev &&
	       in.st_ino == out.st_ino;
}

bool pipeline_run(struct perfdata *pd, const struct pipeline_options *options,
		  const GPtrArray *passes, GError **error)
{
	struct pipeline pl = {
		.sink = { .push = push },
		.pd = pd,
		.options = options,
		.passes = passes,
		.live = options->machine && perfdata_is_pipe(pd),
	};
	bool good;

	if (is_input(pd, options->output))
		return error_set(error, PERF_ERROR_USAGE,
				 "%s is also the input: name another output", options->output);
	good = read_all(&pl, error) && conclude(&pl, error);
	if (!options->sink)
		pass_free(pl.output);
	if (pl.info)
		perfdata_info_free(pl.info);
	return good;
}
