// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The time of a thread on critical paths is kept as spans of time, sorted by thread:
 *
 *	walk of one request, backward	[8 ran 40-50, through 7's wait][8 timer 20-40, through 7's wait][7 ran 0-20]
 *	of 7				0-20, 20-50, joined to 0-50: it ran, and the request waited with it
 *	of 8				20-50
 *
 * Many requests may share a time of one thread, such as an owner's: it counts once.
 */
#include "critical/asked.h"

#include <stdlib.h>
#include <string.h>

#include "critical/collect.h"
#include "critical/instances.h"
#include "critical/walk.h"
#include "fields/waits.h"
#include "perfdata/event.h"
#include "perfdata/read/reader.h"
#include "session/session.h"

#define MOST_SEGMENTS 1000000u	/* of one request */
#define MOST_TIMES    16000000u /* of all */

struct path_time {
	u64 from, to;
	u32 thread;
};

struct asked {
	struct request_keys requests;
	const char *what;
	double slowest;
	struct session *session;
	struct lexicon *lexicon; /* its own: its ids are not limited */
	struct doings *doings;
	struct history *history;
	GHashTable *threads; /* of collect() */
	GByteArray *classes; /* NULL: not read */
	GArray *times;	     /* struct path_time, by thread and time; NULL: not wanted */
	GArray *last;	     /* u32 by thread: index + 1 in times of the last one of this walk */
};

static struct asked *asked(struct request_keys *requests)
{
	return container_of(requests, struct asked, requests);
}

static void clear(struct asked *a)
{
	g_clear_pointer(&a->classes, g_byte_array_unref);
	g_clear_pointer(&a->threads, g_hash_table_destroy);
	g_clear_pointer(&a->times, g_array_unref);
	g_clear_pointer(&a->doings, doings_free);
	g_clear_pointer(&a->history, history_free);
	g_clear_pointer(&a->lexicon, lexicon_free);
}

/* The walk goes backward, so times of a thread that adjoin are mostly found one behind the other. */
static void add_time(struct asked *a, u32 thread, u64 from, u64 to)
{
	struct path_time new = { from, to, thread }, *known;
	u32 *last = &g_array_index(a->last, u32, thread);

	known = *last ? &g_array_index(a->times, struct path_time, *last - 1) : NULL;
	if (known && known->from == to) {
		known->from = from;
		return;
	}
	if (a->times->len >= MOST_TIMES)
		return;
	g_array_append_val(a->times, new);
	*last = a->times->len;
}

static void take_segment(const struct path_segment *s, void *arg)
{
	struct asked *a = arg;

	add_time(a, s->thread, s->from, s->to);
	for (u32 i = 0; i < s->depth; i++)
		add_time(a, s->through[i]->thread, s->from, s->to);
}

static int by_thread(const void *pa, const void *pb)
{
	const struct path_time *a = pa, *b = pb;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return a->from < b->from ? -1 : a->from > b->from;
}

/* Sorts, and joins what overlaps. */
static void join_times(GArray *times)
{
	u32 kept = 0;

	if (times->len)
		qsort(times->data, times->len, sizeof(struct path_time), by_thread);
	for (u32 i = 0; i < times->len; i++) {
		struct path_time t = g_array_index(times, struct path_time, i), *before;

		before = kept ? &g_array_index(times, struct path_time, kept - 1) : NULL;
		if (before && before->thread == t.thread && before->to >= t.from)
			before->to = MAX(before->to, t.to);
		else
			g_array_index(times, struct path_time, kept++) = t;
	}
	g_array_set_size(times, kept);
}

static void walk_all(struct asked *a)
{
	const GArray *instances = doings_instances(a->doings);

	a->times = g_array_new(FALSE, FALSE, sizeof(struct path_time));
	a->last = g_array_new(FALSE, TRUE, sizeof(u32));
	g_array_set_size(a->last, history_nr_threads(a->history));
	for (u32 i = 0; i < instances->len; i++) {
		const struct critical_instance *instance =
			&g_array_index(instances, struct critical_instance, i);

		if (!instance->nr_sights)
			continue;
		memset(a->last->data, 0, a->last->len * sizeof(u32));
		walk(a->history, instance->thread, instance->from, instance->to, MOST_SEGMENTS,
		     take_segment, a);
	}
	g_clear_pointer(&a->last, g_array_unref);
	join_times(a->times);
}

static bool tell_absent(const struct asked *a, const char *what, GError **error)
{
	return error_set(error, PERF_ERROR_ABSENT, "%s has no %s",
			 perfdata_path(session_perfdata(a->session)), what);
}

static bool check(const struct asked *a, const struct collect_result *found, bool paths,
		  GError **error)
{
	bool seen = false;

	for (u32 i = 0; i < a->classes->len; i++)
		seen |= a->classes->data[i] != REQUEST_NONE;
	if (!found->has_activities)
		return tell_absent(a,
				   "activities: the keys class and critical need perf record "
				   "--sample-tls",
				   error);
	if (paths && !found->has_waits)
		return tell_absent(a, "waits: the key critical needs perf record --off-cpu", error);
	if (seen)
		return true;
	return error_set(error, PERF_ERROR_ABSENT,
			 "%s has no span or trace '%s'. Names of spans come from --spans",
			 perfdata_path(session_perfdata(a->session)), a->what ?: "*");
}

static bool asked_read(struct request_keys *requests, u32 needs, GError **error)
{
	struct asked *a = asked(requests);
	bool paths = needs & NEED_CRITICAL;
	struct collect_result found;

	if (a->classes && (a->times || !paths))
		return true;
	if (perfdata_is_pipe(session_perfdata(a->session)))
		return error_set(error, PERF_ERROR_USAGE,
				 "The keys class and critical need a file, not a pipe: it is read "
				 "twice");
	clear(a);
	a->lexicon = lexicon_new(a->session);
	a->doings = doings_new(a->lexicon, a->what);
	a->history = history_new();
	if (!collect(a->lexicon, paths ? COLLECT_PATHS : COLLECT_SIGHTS, true, a->history,
		     a->doings, &found, error))
		return false;
	g_array_unref(found.clocks);
	a->threads = found.threads;
	a->classes = instances_classes(a->doings, a->slowest, !a->what);
	if (!check(a, &found, paths, error))
		return false;
	if (paths)
		walk_all(a);
	return true;
}

static enum request_class asked_class(struct request_keys *requests, const struct place *place)
{
	struct asked *a = asked(requests);
	enum request_class class = REQUEST_NONE;
	const u32 *members;
	u32 nr;

	if (!a->classes) /* not read */
		return class;
	members = doings_members(a->doings, doings_of(a->doings, place, 0), &nr);
	for (u32 i = 0; i < nr && class != REQUEST_SLOW; i++)
		if (members[i] < a->classes->len && a->classes->data[members[i]] != REQUEST_NONE)
			class = a->classes->data[members[i]];
	return class;
}

/* The first time of @thread that ends behind @at. */
static u32 first_behind(const struct asked *a, u32 thread, u64 at)
{
	u32 low = 0, high = a->times->len;

	while (low < high) {
		u32 middle = low + (high - low) / 2;
		const struct path_time *t = &g_array_index(a->times, struct path_time, middle);

		if (t->thread < thread || (t->thread == thread && t->to <= at))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* How much of [@from, @to) of @thread is on a critical path, ns. */
static u64 on_paths(const struct asked *a, u32 thread, u64 from, u64 to)
{
	u64 sum = 0;

	for (u32 i = first_behind(a, thread, from); i < a->times->len; i++) {
		const struct path_time *t = &g_array_index(a->times, struct path_time, i);

		if (t->thread != thread || t->from >= to)
			break;
		sum += MIN(t->to, to) - MAX(t->from, from);
	}
	return sum;
}

/* A sample of a running thread stands for the time before it; one of a wait has a length, of which half must be on a path. */
static bool asked_critical(struct request_keys *requests, const struct place *p)
{
	struct asked *a = asked(requests);
	const struct collected_thread *thread =
		a->times ? g_hash_table_lookup(a->threads, p->thread) : NULL;
	u64 to = thread ? p->time + thread->to_history : 0, length = 1;
	struct wait w;

	if (!to)
		return false;
	if (wait_is_exact(p->evsel) && wait_of(p->evsel, p->sample, &w)) {
		if (!w.raw.in_state) /* shorter waits, added up: they have no time */
			return false;
		length = CLAMP(p->sample->period, 1, to);
	}
	return 2 * on_paths(a, thread->number, to - length, to) >= length;
}

struct request_keys *asked_new(struct session *session, const char *what, double slowest)
{
	static const struct request_keys_ops ops = { asked_read, asked_class, asked_critical };
	struct asked *a = g_new0(struct asked, 1);

	*a = (struct asked){
		.requests = { &ops }, .session = session, .what = what, .slowest = slowest
	};
	return &a->requests;
}

void asked_free(struct request_keys *requests)
{
	if (!requests)
		return;
	clear(asked(requests));
	g_free(asked(requests));
}
