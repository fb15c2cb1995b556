// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/record/record_words.h"

#include <string.h>

#include "record/base/branches.h"

bool record_take_filter(const struct option_row *row, const char *arg, bool unset, void *opts,
			GError **error)
{
	struct record_options *o = opts;
	struct event_filter filter = { .nr_events = o->events ? o->events->len : 0, .text = arg };

	if (unset) {
		g_clear_pointer(&o->filters, g_array_unref);
		return true;
	}
	if (!filter.nr_events)
		return error_set(error, PERF_ERROR_USAGE, "goes after the -e of a tracepoint");
	if (!o->filters)
		o->filters = g_array_new(FALSE, FALSE, sizeof(struct event_filter));
	g_array_append_val(o->filters, filter);
	return true;
}

bool record_take_branches(const struct option_row *row, const char *arg, bool unset, void *opts,
			  GError **error)
{
	struct record_options *o = opts;

	o->branches = 0;
	return unset || branches_parse(arg ?: "any", &o->branches, error);
}

void record_options_release(struct record_options *opts)
{
	g_clear_pointer(&opts->events, g_ptr_array_unref);
	g_clear_pointer(&opts->filters, g_array_unref);
	g_clear_pointer(&opts->delay_times, g_array_unref);
}

bool record_take_cgroups(const struct option_row *row, const char *arg, bool unset, void *opts,
			 GError **error)
{
	struct record_options *o = opts;
	g_autofree char *both = NULL;

	if (!unset && o->cgroups)
		both = g_strdup_printf("%s,%s", o->cgroups, arg);
	o->cgroups = unset ? NULL : both ? g_intern_string(both) : arg;
	return true;
}

void record_default_events(struct record_options *opts)
{
	if (!(opts->wall.hz || opts->off_cpu.given) || opts->events)
		return;
	opts->events_are_own = true;
	opts->events = g_ptr_array_new();
	g_ptr_array_add(opts->events, (void *)"dummy:u");
}

bool record_may_have_tracepoints(const struct record_options *opts)
{
	for (u32 i = 0; opts->events && i < opts->events->len; i++)
		if (strchr(opts->events->pdata[i], ':'))
			return true;
	return false;
}
