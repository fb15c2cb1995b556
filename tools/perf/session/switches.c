// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/switches.h"

#include <string.h>

#include "perfdata/evsel.h"
#include "perfdata/event.h"
#include "session/times.h"

/* A sample of one of the two events, which may be the same. */
struct change {
	u64 time;
	bool on, off;
};

struct switches {
	const struct evsel *on, *off; /* NULL: not given */
	bool shown;		      /* the two events' own samples count */
	GArray *changes;	      /* struct change */
};

static bool find_event(const struct perfdata *pd, const char *option, const char *name,
		       const struct evsel **out, GError **error)
{
	const GPtrArray *evsels = perfdata_evsels(pd);

	for (u32 i = 0; name && i < evsels->len && !*out; i++) {
		const struct evsel *evsel = evsels->pdata[i];

		if (!strcmp(evsel->name, name))
			*out = evsel;
	}
	if (name && !*out)
		return error_set(error, PERF_ERROR_ABSENT,
				 "--%s: %s has no event '%s': perf evlist lists its events", option,
				 perfdata_path(pd), name);
	if (*out && !((*out)->attr.sample_type & PERF_SAMPLE_TIME))
		return error_set(error, PERF_ERROR_ABSENT,
				 "--%s: samples of '%s' have no times: record with --timestamp",
				 option, name);
	return true;
}

static bool read_changes(struct switches *s, struct perfdata *pd, const GArray *times, s64 to_wall,
			 GError **error)
{
	struct event ev;
	int got;

	perfdata_want(pd, PERFDATA_WANT_SAMPLES);
	while ((got = perfdata_next(pd, &ev, error)) > 0) {
		struct change change = { ev.id.time + (u64)to_wall, ev.evsel == s->on,
					 ev.evsel == s->off };

		if (ev.evsel && (change.on || change.off) &&
		    (!times || times_have(times, change.time)))
			g_array_append_val(s->changes, change);
	}
	return got == 0 && perfdata_rewind(pd, error);
}

static gint by_time(gconstpointer a, gconstpointer b)
{
	const struct change *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

static void add_range(GArray *ranges, u64 from, u64 to)
{
	struct time_span range = { from, to };

	if (from <= to)
		g_array_append_val(ranges, range);
}

/* A change to the state that is already reached is an ordinary sample. */
static GArray *ranges_of(struct switches *s)
{
	const u64 apart = s->shown ? 0 : 1; /* ns from the two events to the range between them */
	GArray *ranges = g_array_new(FALSE, FALSE, sizeof(struct time_span));
	bool counting = !s->on;
	u64 from = 0;

	g_array_sort(s->changes, by_time);
	for (u32 i = 0; i < s->changes->len; i++) {
		const struct change *change = &g_array_index(s->changes, struct change, i);

		if (counting && change->off) {
			if (change->time >= apart)
				add_range(ranges, from, change->time - apart);
			counting = false;
		} else if (!counting && change->on && change->time <= UINT64_MAX - apart) {
			from = change->time + apart;
			counting = true;
		}
	}
	if (counting)
		add_range(ranges, from, UINT64_MAX);
	return ranges;
}

GArray *switches_find(struct perfdata *pd, const struct session_filter *texts, const GArray *times,
		      s64 to_wall, GError **error)
{
	g_autoptr(GArray) changes = g_array_new(FALSE, FALSE, sizeof(struct change));
	struct switches s = { .shown = texts->show_switches, .changes = changes };

	if (perfdata_is_pipe(pd)) {
		error_set(error, PERF_ERROR_USAGE,
			  "--switch-on and --switch-off read the recording twice: save the pipe to "
			  "a file first");
		return NULL;
	}
	if (!find_event(pd, "switch-on", texts->switch_on, &s.on, error) ||
	    !find_event(pd, "switch-off", texts->switch_off, &s.off, error) ||
	    !read_changes(&s, pd, times, to_wall, error))
		return NULL;
	return ranges_of(&s);
}
