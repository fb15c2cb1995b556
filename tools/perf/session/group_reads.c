// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/group_reads.h"

#include "base/table.h"
#include "perfdata/event.h"
#include "perfdata/read/reader.h"

struct counter {
	u64 id, last;
	u32 tid; /* 0: of all threads */
};

struct group_reads {
	struct perfdata *pd;
	GArray *counters; /* struct counter */
	struct table index;
};

struct group_reads *group_reads_new(struct perfdata *pd)
{
	struct group_reads *g = g_new0(struct group_reads, 1);

	g->pd = pd;
	g->counters = g_array_new(FALSE, FALSE, sizeof(struct counter));
	table_init(&g->index);
	return g;
}

void group_reads_free(struct group_reads *g)
{
	if (!g)
		return;
	g_array_unref(g->counters);
	table_release(&g->index);
	g_free(g);
}

void group_reads_restart(struct group_reads *g)
{
	g_array_set_size(g->counters, 0);
	table_release(&g->index);
	table_init(&g->index);
}

static bool is_split(const struct perf_event_attr *attr)
{
	return attr->sample_type & PERF_SAMPLE_READ && attr->read_format & PERF_FORMAT_ID;
}

bool group_reads_in(const struct perfdata *pd)
{
	const GPtrArray *evsels = perfdata_evsels(pd);

	for (u32 i = 0; i < evsels->len; i++)
		if (is_split(&((const struct evsel *)evsels->pdata[i])->attr))
			return true;
	return false;
}

u64 group_reads_parts(const struct event *sample)
{
	return sample->evsel && is_split(&sample->evsel->attr) ? sample->sample.read.nr : 0;
}

static struct counter *counter_of(struct group_reads *g, u64 id, u32 tid)
{
	struct counter new = { .id = id, .tid = tid };
	u32 hash = table_fold(table_mix(id, tid)), at = hash;
	s64 i;

	while ((i = table_next(&g->index, hash, &at)) >= 0) {
		struct counter *known = &g_array_index(g->counters, struct counter, i);

		if (known->id == id && known->tid == tid)
			return known;
	}
	table_add(&g->index, hash, g->counters->len);
	g_array_append_val(g->counters, new);
	return &g_array_index(g->counters, struct counter, g->counters->len - 1);
}

/* Threads that inherit an event have its id, and counters of their own. */
static u32 counting_thread(const struct event *sample)
{
	const struct perf_event_attr *attr = &sample->evsel->attr;

	return attr->inherit && attr->sample_type & PERF_SAMPLE_TID ? sample->id.tid : 0;
}

void group_reads_make_part(struct event *sample, const struct evsel *evsel, u64 id, u64 period)
{
	sample->evsel = evsel;
	sample->id.id = sample->sample.id = id;
	sample->sample.period = period;
	sample->sample.type |= PERF_SAMPLE_PERIOD;
}

bool group_reads_take(struct group_reads *g, const struct event *sample, u64 i, struct event *part)
{
	const struct read_value read = sample_read_at(&sample->sample.read, i);
	const struct evsel *evsel = perfdata_evsel(g->pd, read.id);
	struct counter *counter;
	u64 counted;

	if (!evsel)
		return false;
	counter = counter_of(g, read.id, counting_thread(sample));
	counted = read.value < counter->last ? read.value : read.value - counter->last;
	counter->last = read.value;
	*part = *sample;
	group_reads_make_part(part, evsel, read.id, counted);
	return counted;
}
