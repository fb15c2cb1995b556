// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Filters of tracepoints, which the kernel applies before it writes a record. There are two times
 * to set them:
 *
 *	filters_set()			when the events are open
 *	filters_leave_out_own()		when all threads of the recorder run: --exclude-perf lists their ids
 *
 *	perf record -e sched:sched_switch --filter 'prev_prio < 100' --exclude-perf
 *
 *	filter:  (prev_prio < 100) && (common_pid != 7 && common_pid != 8 && common_pid != 9)
 *
 * The kernel takes one filter for an event. So an event with --exclude-perf gets both texts as one
 * filter, at the later time. A thread that the recorder starts after that is not left out. The ids in
 * the kernel's records are those of the initial pid namespace, so in another one the option is
 * refused.
 */
#include "record/filters.h"

#include "perfevent/filter.h"
#include "record/base/pid_namespace.h"

static bool add(const struct event_filter *filter, struct event_spec *spec, GError **error)
{
	const char *option = filter->text ? "--filter" : "--exclude-perf";

	if (spec->evsel->attr.type != PERF_TYPE_TRACEPOINT)
		return error_set(
			error, PERF_ERROR_USAGE,
			"%s: %s is no tracepoint: only hits of tracepoints can be filtered", option,
			spec->evsel->name);
	if (filter->text)
		spec->filter = filter_and(spec->filter, filter->text);
	else if (pid_namespace_own()) /* filters compare pids of the initial one */
		return error_set(error, PERF_ERROR_UNSUPPORTED,
				 "%s: works only in the initial pid namespace", option);
	else
		spec->not_by_perf = true;
	return true;
}

bool filters_add(const struct record_options *opts, u32 nr, struct event_list *list, u32 first,
		 GError **error)
{
	for (u32 i = 0; opts->filters && i < opts->filters->len; i++) {
		const struct event_filter *filter =
			&g_array_index(opts->filters, struct event_filter, i);

		for (u32 k = first; filter->nr_events == nr && k < list->specs->len; k++)
			if (!add(filter, event_list_at(list, k), error))
				return false;
	}
	return true;
}

/* "common_pid != 7 && common_pid != 8": all threads of this process. */
static char *not_own_threads(void)
{
	g_autoptr(GDir) threads = g_dir_open("/proc/self/task", 0, NULL);
	GString *text = g_string_new(NULL);
	const char *tid;

	while (threads && (tid = g_dir_read_name(threads)))
		g_string_append_printf(text, "%scommon_pid != %s", text->len ? " && " : "", tid);
	return g_string_free(text, FALSE);
}

static bool set_filters(const struct recording *rec, bool not_by_perf, GError **error)
{
	g_autofree char *own = not_by_perf ? not_own_threads() : NULL;

	for (u32 ev = 0; rec->set && ev < rec->events->specs->len; ev++) {
		const struct event_spec *spec = event_list_at(rec->events, ev);
		g_autofree char *all = g_strdup(spec->filter);

		if (spec->not_by_perf != not_by_perf)
			continue;
		if (own)
			all = filter_and(all, own);
		if (all && !openset_filter(rec->set, ev, all, error))
			return false;
	}
	return true;
}

bool filters_set(const struct recording *rec, GError **error)
{
	return set_filters(rec, false, error);
}

bool filters_need_threads(const struct recording *rec)
{
	for (u32 ev = 0; rec->set && ev < rec->events->specs->len; ev++)
		if (event_list_at(rec->events, ev)->not_by_perf)
			return true;
	return false;
}

bool filters_leave_out_own(const struct recording *rec, GError **error)
{
	return set_filters(rec, true, error);
}
