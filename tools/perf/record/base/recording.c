// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfdata/evsel.h"
#include "record/base/source.h"

/* Ids that the kernel, which counts from 1, does not give to its events. */
#define OWN_ID (G_GUINT64_CONSTANT(1) << 63)

static void event_set_free(void *ptr)
{
	struct event_set *more = ptr;

	if (more->set)
		openset_close(more->set);
	event_list_release(&more->list);
	g_free(more);
}

void recording_init(struct recording *rec, const struct record_options *opts,
		    const struct kernel_paths *paths)
{
	*rec = (struct recording){
		.opts = opts,
		.paths = paths,
		.more_events = g_ptr_array_new_with_free_func(event_set_free),
		.own_evsels = g_ptr_array_new_with_free_func((GDestroyNotify)evsel_free),
		.rings = g_ptr_array_new(),
		.sources = g_ptr_array_new(),
		.stages = g_ptr_array_new(),
		.observers = g_ptr_array_new(),
		.notes = g_ptr_array_new_with_free_func(g_free),
	};
}

/* Sources were closed before (recorder_close()): they may still use sets and rings in close(). */
void recording_release(struct recording *rec)
{
	g_ptr_array_unref(rec->rings);
	if (rec->set)
		openset_close(rec->set);
	g_clear_pointer(&rec->sources, g_ptr_array_unref);
	g_ptr_array_unref(rec->more_events);
	g_ptr_array_unref(rec->own_evsels);
	g_ptr_array_unref(rec->stages);
	g_ptr_array_unref(rec->observers);
	g_ptr_array_unref(rec->notes);
}

struct event_set *recording_add_events(struct recording *rec)
{
	struct event_set *more = g_new0(struct event_set, 1);

	event_list_init(&more->list);
	g_ptr_array_add(rec->more_events, more);
	return more;
}

struct evsel *recording_add_evsel(struct recording *rec, const char *name)
{
	struct evsel *evsel = evsel_new();

	evsel->name = g_strdup(name);
	evsel->attr.type = PERF_TYPE_SOFTWARE;
	evsel->attr.config = PERF_COUNT_SW_BPF_OUTPUT;
	evsel->attr.sample_period = 1;
	evsel->attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
				  PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD;
	evsel->attr.sample_id_all = 1;
	evsel->nr_members = 1;
	evsel->ids = g_new(u64, 1);
	evsel->ids[0] = OWN_ID + rec->own_evsels->len;
	evsel->nr_ids = 1;
	g_ptr_array_add(rec->own_evsels, evsel);
	return evsel;
}
