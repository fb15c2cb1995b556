// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/late.h"

#include <glib.h>

#include "chains/chainer.h"
#include "perfdata/evsel.h"

struct late_source {
	struct source source;
	const struct evsel *evsel; /* the recording's */
};

static struct late_source *of(const struct source *src)
{
	return container_of((struct source *)src, struct late_source, source);
}

static bool prepare(struct source *src, struct recording *rec, GError **error)
{
	g_autofree char *name = NULL;
	const struct evsel *model;
	struct evsel *evsel;

	if (rec->events->specs->len != 1 || !chainer_takes(event_list_at(rec->events, 0)->evsel))
		return error_set(error, PERF_ERROR_USAGE,
				 "--live-wait=stacks needs exactly one event, with call chains");
	model = event_list_at(rec->events, 0)->evsel;
	name = g_strconcat(model->name, "-late", NULL);
	evsel = recording_add_evsel(rec, name);
	evsel->attr = model->attr;
	evsel->attr.sample_type |= PERF_SAMPLE_IDENTIFIER;
	of(src)->evsel = evsel;
	return true;
}

static void close_source(struct source *src)
{
	g_free(of(src));
}

struct source *late_source_new(void)
{
	static const struct source_ops ops = { .name = "late stacks",
					       .prepare = prepare,
					       .close = close_source };
	struct late_source *l = g_new0(struct late_source, 1);

	l->source.ops = &ops;
	return &l->source;
}

const struct evsel *late_source_evsel(const struct source *src)
{
	return of(src)->evsel;
}
