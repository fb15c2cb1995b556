// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfevent/spec.h"

#include <unistd.h>

static void spec_free(void *p)
{
	struct event_spec *spec = p;

	if (spec->cgroup >= 0)
		close(spec->cgroup);
	evsel_free(spec->evsel);
	g_free(spec->terms.call_graph);
	g_free(spec->pmu);
	g_free(spec->filter);
	g_free(spec);
}

void event_list_init(struct event_list *list)
{
	list->specs = g_ptr_array_new_with_free_func(spec_free);
}

void event_list_release(struct event_list *list)
{
	if (list->specs)
		g_ptr_array_unref(list->specs);
	list->specs = NULL;
}

struct event_spec *event_list_add(struct event_list *list, u32 type, u64 config)
{
	struct event_spec *spec = g_new0(struct event_spec, 1);

	spec->cgroup = -1;
	spec->evsel = evsel_new();
	spec->evsel->idx = spec->evsel->leader = list->specs->len;
	spec->evsel->nr_members = 1;
	spec->evsel->attr.type = type;
	spec->evsel->attr.config = config;
	spec->evsel->attr.exclude_guest = 1;
	g_ptr_array_add(list->specs, spec);
	return spec;
}
