// SPDX-License-Identifier: GPL-2.0-or-later
#include "pass/sched_stat.h"

#include <string.h>

#include "perfdata/decoder.h"
#include "resolve/trace.h"

struct sched_stat_pass {
	struct pass pass;
	const struct perfdata_info *info;
	struct trace_formats *formats;
	struct perfdata_decoder *decoder;
	GHashTable *switches; /* tid -> struct perf_event_header *: its last sched_switch */
};

static struct sched_stat_pass *sched_stat_pass(struct pass *p)
{
	return container_of(p, struct sched_stat_pass, pass);
}

static gpointer key(u32 tid)
{
	return GUINT_TO_POINTER(tid + 1);
}

/* Writes a u64 into the bytes of a kept sample, which has the layout of @like. */
static void patch_u64(struct perf_event_header *sample, const struct event *like, u64 type,
		      u64 value)
{
	static const u64 before_time = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID;
	static const u64 before_period = before_time | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |
					 PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU;
	u64 sample_type = like->evsel->attr.sample_type;
	u64 before = sample_type & (type == PERF_SAMPLE_TIME ? before_time : before_period);
	size_t at = sizeof(*sample) + (size_t)__builtin_popcountll(before) * sizeof(u64);

	if (sample_type & type && at + sizeof(value) <= sample->size)
		memcpy((u8 *)sample + at, &value, sizeof(value));
}

/* The last switch of the thread in the statistics, as a sample with their time and period. */
static bool join(struct sched_stat_pass *s, const struct event *stat, GError **error)
{
	struct perf_event_header *kept;
	struct trace_value tid;
	struct event made;

	if (!trace_field(s->formats, stat->evsel, &stat->sample, "pid", &tid) || tid.is_text)
		return true;
	kept = g_hash_table_lookup(s->switches, key((u32)tid.number));
	if (!kept)
		return true;
	patch_u64(kept, stat, PERF_SAMPLE_TIME, stat->sample.time);
	patch_u64(kept, stat, PERF_SAMPLE_PERIOD, stat->sample.period);
	return !perfdata_decoder_decode(s->decoder, kept, &made) || pass_on(&s->pass, &made, error);
}

static bool take(struct pass *p, const struct event *ev, GError **error)
{
	struct sched_stat_pass *s = sched_stat_pass(p);
	const char *name = ev->type == PERF_RECORD_SAMPLE && ev->evsel ? ev->evsel->name : "";

	if (g_str_has_prefix(name, "sched:sched_stat_"))
		return join(s, ev, error);
	if (strcmp(name, "sched:sched_switch") == 0) {
		g_hash_table_replace(s->switches, key(ev->id.tid), g_memdup2(ev->raw, ev->size));
		return true;
	}
	if (strcmp(name, "sched:sched_process_exit") == 0) {
		g_hash_table_remove(s->switches, key(ev->id.tid));
		return true;
	}
	return pass_on(p, ev, error);
}

static bool lays_out_alike(const struct evsel *a, const struct evsel *b)
{
	return a->attr.sample_type == b->attr.sample_type &&
	       a->attr.read_format == b->attr.read_format;
}

static bool is_of_sched(const struct evsel *evsel)
{
	return g_str_has_prefix(evsel->name, "sched:sched_");
}

static bool begin(struct pass *p, GPtrArray *evsels, GError **error)
{
	struct sched_stat_pass *s = sched_stat_pass(p);
	const struct evsel *first = NULL;

	if (!s->info->tracing_data)
		return error_set(
			error, PERF_ERROR_ABSENT,
			"--sched-stat: the recording has no tracepoints: record with -e "
			"sched:sched_switch,sched:sched_stat_sleep,sched:sched_process_exit");
	for (u32 i = 0; i < evsels->len; i++) {
		const struct evsel *evsel = g_ptr_array_index(evsels, i);

		if (!is_of_sched(evsel))
			continue;
		if (first && !lays_out_alike(first, evsel))
			return error_set(
				error, PERF_ERROR_UNSUPPORTED,
				"--sched-stat: samples of %s and %s do not have the same fields",
				first->name, evsel->name);
		first = evsel;
	}
	s->formats = trace_formats_new(s->info->tracing_data, error);
	s->decoder = s->formats ? perfdata_decoder_new((struct evsel *const *)evsels->pdata,
						       evsels->len, error)
				: NULL;
	return s->decoder;
}

static void free_sched_stat(struct pass *p)
{
	struct sched_stat_pass *s = sched_stat_pass(p);

	if (s->formats)
		trace_formats_free(s->formats);
	perfdata_decoder_free(s->decoder);
	g_hash_table_unref(s->switches);
	g_free(s);
}

static const struct pass_ops sched_stat_ops = {
	.name = "sched-stat",
	.begin = begin,
	.take = take,
	.free = free_sched_stat,
};

struct pass *sched_stat_pass_new(const struct perfdata_info *info)
{
	struct sched_stat_pass *s = g_new0(struct sched_stat_pass, 1);

	s->pass.ops = &sched_stat_ops;
	s->info = info;
	s->switches = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	return &s->pass;
}
