// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/report_lists.h"

#include "dso/dso.h"
#include "machine/machine.h"
#include "pages/lists/stat_pages.h"
#include "pages/lists/task_pages.h"
#include "perfdata/print/print.h"
#include "perfdata/read/reader.h"

struct dump {
	struct session *session;
	GArray *samples; /* u64 by evsel's idx */
	FILE *out;
};

void report_dump_place(const struct place *place, FILE *out)
{
	fprintf(out, " ... thread: %s:%d\n ...... dso: %s\n", place->comm, (int)place->thread->tid,
		place->ip->dso ? dso_long_name(place->ip->dso) : "<not found>");
}

static void count(GArray *counts, const struct place *place)
{
	if (place->evsel->idx >= counts->len)
		g_array_set_size(counts, place->evsel->idx + 1);
	g_array_index(counts, u64, place->evsel->idx)++;
}

static bool dump_event(const struct event *event, const struct place *place, void *arg,
		       GError **error)
{
	const struct dump *d = arg;

	event_dump(session_perfdata(d->session), event, d->out);
	/* Upstream's report does not use these, and reports them so. */
	if (event->type == PERFDATA_THREAD_MAP || event->type == PERFDATA_CPU_MAP)
		fputs(": unhandled!\n", d->out);
	if (!place)
		return true;
	report_dump_place(place, d->out);
	count(d->samples, place);
	return true;
}

static bool count_sample(const struct place *place, u32 filtered, void *arg, GError **error)
{
	count(arg, place);
	return true;
}

static bool print_stats(struct session *session, const GArray *samples, const struct view *view,
			FILE *out, GError **error)
{
	struct pages *pages = stat_pages_new(session, samples);
	bool ok = view->print(pages, &(struct view_options){ .beside = stderr }, out, error);

	pages_free(pages);
	return ok;
}

bool report_dump(struct session *session, bool by_time, FILE *out, GError **error)
{
	g_autoptr(GArray) samples = g_array_new(FALSE, TRUE, sizeof(u64));
	struct dump d = { session, samples, out };

	if (!session_each_event(session, 0, by_time, dump_event, &d, error))
		return false;
	return print_stats(session, samples, &view_stdio, out, error);
}

static bool has_stacks(struct session *session)
{
	const GPtrArray *evsels = perfdata_evsels(session_perfdata(session));

	for (u32 i = 0; i < evsels->len; i++) {
		const struct evsel *evsel = g_ptr_array_index(evsels, i);

		if (evsel->attr.sample_type & PERF_SAMPLE_STACK_USER)
			return true;
	}
	return false;
}

bool report_stats(struct session *session, const struct view *view, FILE *out, GError **error)
{
	g_autoptr(GArray) samples = g_array_new(FALSE, TRUE, sizeof(u64));

	/* With chains, stacks are unwound, and their ends counted. */
	if (!session_each_sample(session, has_stacks(session) ? NEED_CHAIN : 0, count_sample,
				 samples, error))
		return false;
	return print_stats(session, samples, view, out, error);
}

bool report_tasks(struct session *session, bool maps, const struct view *view, FILE *out,
		  GError **error)
{
	struct pages *pages = task_pages_new(session, maps, error);
	bool ok = pages &&
		  view->print(pages, &(struct view_options){ .beside = stderr }, out, error);

	pages_free(pages);
	return ok;
}
