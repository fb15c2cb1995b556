// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/perf_event.h>

#include "perfevent/names.h"
#include "perfevent/parse.h"
#include "perfevent/pmu.h"
#include "perfevent/tracepoint.h"

static bool each_word(u32 type, const char *kind, event_name_fn fn, void *arg)
{
	u32 nr;
	const struct event_word *words = event_words(&nr);

	for (u32 i = 0; i < nr; i++) {
		struct event_name name = { words[i].name, words[i].alias, kind };

		if (words[i].type == type && !fn(&name, arg))
			return false;
	}
	return true;
}

static bool each_cache(event_name_fn fn, void *arg)
{
	g_auto(GStrv) names = cache_event_names();

	for (u32 i = 0; names[i]; i++) {
		struct event_name name = { names[i], NULL, "Hardware cache event" };

		if (!fn(&name, arg))
			return false;
	}
	return true;
}

static bool each_pmu_event(const struct kernel_paths *paths, event_name_fn fn, void *arg)
{
	g_autoptr(GPtrArray) pmus = pmu_names(paths);

	for (u32 i = 0; i < pmus->len; i++) {
		g_autoptr(pmu_auto) pmu = pmu_load(paths, g_ptr_array_index(pmus, i));
		g_autoptr(GPtrArray) events = pmu ? pmu_event_names(pmu) : NULL;

		for (u32 k = 0; events && k < events->len; k++) {
			const char *event = g_ptr_array_index(events, k);
			g_autofree char *full = g_strdup_printf("%s/%s/", pmu->name, event);
			struct event_name name = { full, event, "Kernel PMU event" };

			if (!fn(&name, arg))
				return false;
		}
	}
	return true;
}

struct tracepoint_walk {
	event_name_fn fn;
	void *arg;
	bool stopped;
};

static bool one_tracepoint(const struct tracepoint *tp, void *arg)
{
	struct tracepoint_walk *walk = arg;
	g_autofree char *full = g_strdup_printf("%s:%s", tp->system, tp->name);
	struct event_name name = { full, NULL, "Tracepoint event" };

	walk->stopped = !walk->fn(&name, walk->arg);
	return !walk->stopped;
}

bool event_names_each(const struct kernel_paths *paths, u32 kinds, event_name_fn fn, void *arg)
{
	struct tracepoint_walk walk = { fn, arg };

	if (kinds & EVENT_NAMES_HARDWARE &&
	    !each_word(PERF_TYPE_HARDWARE, "Hardware event", fn, arg))
		return false;
	if (kinds & EVENT_NAMES_SOFTWARE &&
	    !each_word(PERF_TYPE_SOFTWARE, "Software event", fn, arg))
		return false;
	if (kinds & EVENT_NAMES_CACHE && !each_cache(fn, arg))
		return false;
	if (kinds & EVENT_NAMES_PMU && !each_pmu_event(paths, fn, arg))
		return false;
	if (kinds & EVENT_NAMES_TRACEPOINT)
		tracepoints_each(paths, NULL, NULL, one_tracepoint, &walk, NULL);
	return !walk.stopped;
}
