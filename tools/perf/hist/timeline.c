// SPDX-License-Identifier: GPL-2.0-or-later
#include "hist/timeline.h"

#include <string.h>

#include "fields/waits.h"
#include "hist/tuples.h"
#include "perfdata/event.h"
#include "perfdata/evsel.h"
#include "perfdata/read/reader.h"

#define FIRST_SLICE_NS 1000
#define MOST_SLICES    4096
#define LEAST_SLICES   256
#define MOST_SUMS      (8u << 20) /* of all rows together */

static void row_free(void *arg)
{
	struct timeline_row *row = arg;

	g_array_unref(row->sums);
	g_free(row);
}

static void event_free(void *arg)
{
	struct timeline_event *e = arg;

	g_ptr_array_unref(e->rows);
	tuples_free(e->tuples);
	g_free(e);
}

struct timeline *timeline_new(const struct timeline_options *options)
{
	struct timeline *t = g_new0(struct timeline, 1);

	t->options = *options;
	t->events = g_ptr_array_new_with_free_func(event_free);
	t->slice_ns = options->slice_ns ?: FIRST_SLICE_NS;
	t->from = UINT64_MAX;
	t->keys = g_new0(u64, options->columns->groups->len + 1);
	return t;
}

void timeline_free(struct timeline *t)
{
	if (!t)
		return;
	g_ptr_array_unref(t->events);
	g_free(t->keys);
	g_free(t);
}

/* Events of one name are one, in several files. */
static struct timeline_event *event_of(struct timeline *t, const struct evsel *evsel)
{
	struct timeline_event *e;

	for (u32 i = 0; i < t->events->len; i++) {
		e = g_ptr_array_index(t->events, i);
		if (e->evsel == evsel || !g_strcmp0(e->evsel->name, evsel->name))
			return e;
	}
	e = g_new0(struct timeline_event, 1);
	e->evsel = evsel;
	e->rows = g_ptr_array_new_with_free_func(row_free);
	e->tuples = tuples_new(MAX(t->options.columns->groups->len, 1));
	g_ptr_array_add(t->events, e);
	return e;
}

/* Two neighbours become one. */
static void halve(struct timeline_row *row)
{
	u64 first = row->first / 2;
	GArray *sums = g_array_new(FALSE, TRUE, sizeof(u64));

	if (row->sums->len)
		g_array_set_size(sums, (u32)((row->first + row->sums->len - 1) / 2 - first + 1));
	for (u32 i = 0; i < row->sums->len; i++)
		g_array_index(sums, u64, (row->first + i) / 2 - first) +=
			g_array_index(row->sums, u64, i);
	g_array_unref(row->sums);
	row->sums = sums;
	row->first = first;
}

static u32 most_slices(const struct timeline *t)
{
	u64 rows = 1;

	if (t->options.max_slices)
		return t->options.max_slices;
	for (u32 i = 0; i < t->events->len; i++)
		rows += ((struct timeline_event *)t->events->pdata[i])->rows->len;
	return (u32)CLAMP(MOST_SUMS / rows, LEAST_SLICES, MOST_SLICES);
}

u32 timeline_nr_slices(const struct timeline *t)
{
	if (t->from >= t->to)
		return 0;
	return (u32)MIN((t->to - 1) / t->slice_ns - t->from / t->slice_ns + 1, UINT32_MAX);
}

static void make_room(struct timeline *t, u64 from, u64 to)
{
	t->from = MIN(t->from, from);
	t->to = MAX(t->to, to);
	while (timeline_nr_slices(t) > most_slices(t)) {
		for (u32 i = 0; i < t->events->len; i++) {
			struct timeline_event *e = g_ptr_array_index(t->events, i);

			for (u32 k = 0; k < e->rows->len; k++)
				halve(g_ptr_array_index(e->rows, k));
		}
		t->slice_ns *= 2;
	}
}

static void add_to_slice(struct timeline_row *row, u64 slice, u64 period)
{
	static const u64 none[64];

	if (!row->sums->len)
		row->first = slice;
	while (slice < row->first) {
		u64 nr = MIN(row->first - slice, G_N_ELEMENTS(none));

		g_array_prepend_vals(row->sums, none, (u32)nr);
		row->first -= nr;
	}
	if (slice - row->first >= row->sums->len)
		g_array_set_size(row->sums, (u32)(slice - row->first + 1));
	g_array_index(row->sums, u64, slice - row->first) += period;
}

/* @period, evenly over the time from @from up to, without, @to. */
static void add_period(struct timeline *t, struct timeline_row *row, u64 from, u64 to, u64 period)
{
	u64 last = (to - 1) / t->slice_ns, left = period;

	for (u64 slice = from / t->slice_ns; slice < last; slice++) {
		u64 end = (slice + 1) * t->slice_ns;
		u64 part = (u64)((double)period * (double)(end - MAX(from, end - t->slice_ns)) /
				 (double)(to - from));

		part = MIN(part, left);
		add_to_slice(row, slice, part);
		left -= part;
	}
	add_to_slice(row, last, left);
}

static u32 duration_class(u64 ns)
{
	u64 bound = 1000;
	u32 class = 0;

	for (; class < TIMELINE_DURATIONS - 1 && ns >= bound; bound *= 10)
		class ++;
	return class;
}

/* A wait's samples say how long it lasted; several stretches of one kind may be one sample. */
static bool lasts(const struct place *place, struct timeline_row *row)
{
	struct wait w = { .raw = { .nr = 0 } };
	u64 nr, period = place->sample->period;

	if (!wait_of(place->evsel, place->sample, &w))
		return false;
	nr = MAX(w.raw.nr, 1);
	row->durations[duration_class(period / nr)] += nr;
	return true;
}

static struct timeline_row *row_of(struct timeline *t, struct timeline_event *e,
				   const struct place *place)
{
	const GPtrArray *groups = t->options.columns->groups;
	struct timeline_row *row;
	u32 id;

	for (u32 i = 0; i < groups->len; i++) {
		const struct field *field = g_ptr_array_index(groups, i);

		t->keys[i] = field->key(field, t->options.lexicon, place);
	}
	id = tuples_id(e->tuples, t->keys);
	if (id < e->rows->len)
		return g_ptr_array_index(e->rows, id);
	row = g_new0(struct timeline_row, 1);
	row->sums = g_array_new(FALSE, TRUE, sizeof(u64));
	g_ptr_array_add(e->rows, row);
	return row;
}

static bool take(const struct place *place, u32 filtered, void *arg, GError **error)
{
	struct timeline *t = arg;
	struct timeline_event *e = event_of(t, place->evsel);
	u64 period = place->sample->period, time = place->time + (u64)place->to_wall, from;
	struct timeline_row *row;

	/* The time behind it is needed, too. */
	from = time = MIN(time, UINT64_MAX - 1);
	e->period += period;
	e->samples++;
	if (filtered || !period)
		return true;
	row = row_of(t, e, place);
	row->period += period;
	row->samples++;
	if (lasts(place, row)) {
		e->lasts = true;
		from = time - MIN(time, period);
	}
	make_room(t, from, time + 1);
	add_period(t, row, from, MAX(time, from + 1), period);
	return true;
}

static gint by_period(gconstpointer a, gconstpointer b)
{
	const struct timeline_row *x = *(struct timeline_row *const *)a,
				  *y = *(struct timeline_row *const *)b;

	return x->period > y->period ? -1 : x->period < y->period;
}

bool timeline_read(struct timeline *t, GError **error)
{
	u32 needs = t->options.columns->needs | NEED_SAMPLE;

	if (!session_each_sample(t->options.session, needs, take, t, error))
		return false;
	for (u32 i = 0; i < t->events->len; i++) {
		struct timeline_event *e = g_ptr_array_index(t->events, i);

		for (u32 k = 0; k < e->rows->len; k++)
			((struct timeline_row *)e->rows->pdata[k])->keys = tuples_at(e->tuples, k);
		g_ptr_array_sort(e->rows, by_period);
	}
	return true;
}

struct elapsed {
	u64 from, to;
};

static bool stretch(const struct place *place, u32 filtered, void *arg, GError **error)
{
	struct elapsed *e = arg;
	u64 time = place->time + (u64)place->to_wall, from = time;
	struct wait w;

	if (!(place->evsel->attr.sample_type & PERF_SAMPLE_TIME))
		return true;
	if (wait_of(place->evsel, place->sample, &w))
		from -= MIN(time, place->sample->period);
	e->from = MIN(e->from, from);
	e->to = MAX(e->to, time);
	return true;
}

bool timeline_covered(struct session *session, u64 *from, u64 *to, GError **error)
{
	struct elapsed e = { UINT64_MAX, 0 };
	bool ok = session_each_sample(session, NEED_SAMPLE, stretch, &e, error);

	*from = e.from;
	*to = e.to;
	return ok;
}

bool timeline_elapsed(struct session *session, u64 *ns, GError **error)
{
	u64 from, to;

	if (!timeline_covered(session, &from, &to, error))
		return false;
	*ns = from < to ? to - from : 0;
	return true;
}

u64 timeline_at(const struct timeline *t, const struct timeline_row *row, u32 i)
{
	u64 slice = t->from / t->slice_ns + i;

	if (slice < row->first || slice - row->first >= row->sums->len)
		return 0;
	return g_array_index(row->sums, u64, slice - row->first);
}

u64 timeline_start(const struct timeline *t, u32 i)
{
	return i * t->slice_ns;
}
