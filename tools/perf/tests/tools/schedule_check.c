// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Compares the activities in a recording with the log of workloads/schedule.c:
 *
 *   schedule_check PERF.DATA LOG [GRACE]
 *
 * The recording's clock must be CLOCK_MONOTONIC. Prints "NAME VALUE" lines:
 *
 *   samples    of threads in the log, between their first and last change
 *   none, ok, updating, unreadable, truncated, inexact, unknown   by state; the last: not looked up yet
 *   early      not counted: in a process's first GRACE milliseconds, and neither ok nor updating
 *   kernel     of the ok ones, those taken in the kernel
 *   torn       ok, but its span id is not that of its trace id
 *   foreign    ok, but the id is of another owner
 *   stale      ok, but the thread had another of its ids at that time
 *   unset      none, although the thread had an activity
 *   misplaced  updating, but no change was under way
 *   half       updating, during an update that was left incomplete
 *   whole      another state during such an update: an incomplete record was taken for complete
 *   class N    ok samples (class 0: none), by the class in the log at their time
 */
#include <stdio.h>
#include <stdlib.h>

#include <glib.h>

#include "../workloads/schedule.h"
#include "activity/identity.h"
#include "perfdata/read/reader.h"
#include "resolve/activity.h"

struct results {
	u64 samples, early, state[ACTIVITY_NR_STATES], kernel, torn, foreign, stale, unset,
		misplaced, half, whole;
	u64 class[SCHEDULE_CLASSES];
};

/* out: @first, the time of the first change of each process. */
static GHashTable *read_log(const char *path, GHashTable *first)
{
	GHashTable *threads =
		g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
	g_autofree char *bytes = NULL;
	const struct schedule_change *change;
	gsize size;

	if (!g_file_get_contents(path, &bytes, &size, NULL) || size % sizeof(*change)) {
		fprintf(stderr, "%s is no log\n", path);
		exit(1);
	}
	change = (const struct schedule_change *)bytes;
	for (gsize i = 0; i < size / sizeof(*change); i++, change++) {
		GArray *changes = g_hash_table_lookup(threads, GUINT_TO_POINTER(change->tid));
		u64 *begin;

		if (!changes) {
			changes = g_array_new(FALSE, FALSE, sizeof(*change));
			g_hash_table_insert(threads, GUINT_TO_POINTER(change->tid), changes);
		}
		g_array_append_val(changes, *change);
		begin = g_hash_table_lookup(first, GUINT_TO_POINTER(change->pid));
		if (!begin) {
			begin = g_memdup2(&change->before_ns, sizeof(*begin));
			g_hash_table_insert(first, GUINT_TO_POINTER(change->pid), begin);
		}
		*begin = MIN(*begin, change->before_ns);
	}
	return threads;
}

static const struct schedule_change *change_at(const GArray *changes, guint i)
{
	return &g_array_index(changes, struct schedule_change, i);
}

/* out: the last change that began before @time. False: @time is before the first change or after the last one. */
static bool find_change(const GArray *changes, u64 time, guint *found)
{
	guint low = 0, high = changes->len;

	while (low < high) {
		guint mid = low + (high - low) / 2;

		if (change_at(changes, mid)->before_ns <= time)
			low = mid + 1;
		else
			high = mid;
	}
	*found = low - 1;
	return low > 0 && low < changes->len;
}

/* out: the ids. Labels have them as hexadecimal digits after a key. */
static bool get_ids(const struct activity *activity, struct schedule_trace *trace, u64 *span)
{
	u8 bytes[24];
	const char *digits = memchr(activity->value, '=', activity->value_size);

	if (activity->has & ACTIVITY_HAS_IDS) {
		memcpy(trace, activity->trace_id, sizeof(*trace));
		memcpy(span, activity->span_id, sizeof(*span));
		return true;
	}
	if (!digits || digits + 1 + 48 != (const char *)activity->value + activity->value_size)
		return false;
	for (u32 i = 0; i < sizeof(bytes); i++)
		bytes[i] = (u8)(g_ascii_xdigit_value(digits[1 + 2 * i]) << 4 |
				g_ascii_xdigit_value(digits[2 + 2 * i]));
	memcpy(trace, bytes, sizeof(*trace));
	memcpy(span, bytes + sizeof(*trace), sizeof(*span));
	return true;
}

static bool is_of(const struct schedule_trace *trace, const struct schedule_change *change)
{
	return trace->owner == change->owner && trace->number == change->number &&
	       trace->class == change->class;
}

/* The id must be that of change @at; while the change is in progress, also that of the previous one. */
static void check_ok(const struct sample *sample, const GArray *changes, guint at,
		     const struct activity *activity, struct results *r)
{
	const struct schedule_change *now = change_at(changes, at);
	const struct schedule_change *before = at ? change_at(changes, at - 1) : NULL;
	struct schedule_trace trace;
	u64 span;

	r->kernel += (sample->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	if (!get_ids(activity, &trace, &span) || span != schedule_span(&trace)) {
		r->torn++;
	} else if (is_of(&trace, now)) {
		r->class[now->class]++;
	} else if (before && is_of(&trace, before) && sample->time <= now->after_ns) {
		r->class[trace.class]++; /* the change had begun, but was not stored yet */
	} else if (trace.owner != now->owner) {
		r->foreign++;
	} else {
		r->stale++;
	}
}

struct check {
	GHashTable *threads, *first;
	struct activities *activities;
	u64 grace_ns;
	struct results results;
};

static bool is_early(const struct check *c, const struct sample *sample)
{
	const u64 *begin = g_hash_table_lookup(c->first, GUINT_TO_POINTER(sample->pid));

	return begin && sample->time < *begin + c->grace_ns;
}

static void check_sample(const struct sample *sample, const GArray *changes, struct check *c)
{
	struct results *r = &c->results;
	const struct schedule_change *now, *before;
	struct activity activity;
	bool under_way;
	guint at;

	if (!find_change(changes, sample->time, &at))
		return;
	now = change_at(changes, at);
	before = at ? change_at(changes, at - 1) : NULL;
	under_way = sample->time <= now->after_ns;
	activities_find(c->activities, sample, sample->pid, sample->time, &activity);
	if (activity.state != ACTIVITY_OK && activity.state != ACTIVITY_UPDATING &&
	    is_early(c, sample)) {
		r->early++;
		return;
	}
	r->samples++;
	r->state[activity.state]++;
	if (now->class == SCHEDULE_HALF && !under_way) {
		if (activity.state == ACTIVITY_UPDATING)
			r->half++;
		else
			r->whole++;
		return;
	}
	switch (activity.state) {
	case ACTIVITY_OK:
		/* At the start of an incomplete update, the record is complete for an instant. */
		if (now->class == SCHEDULE_HALF && (!before || before->class))
			break;
		check_ok(sample, changes, at, &activity, r);
		break;
	case ACTIVITY_NONE:
		if (now->class &&
		    !(under_way && (!before || !before->class || before->class == SCHEDULE_HALF)))
			r->unset++;
		else
			r->class[0]++;
		break;
	case ACTIVITY_UPDATING:
		r->misplaced += !under_way;
		break;
	default:
		break;
	}
}

static bool each_event(const char *path, void (*fn)(const struct event *, void *), void *arg)
{
	g_autoptr(GError) error = NULL;
	struct perfdata *pd = perfdata_open(path, &error);
	struct event event;
	int got = -1;

	while (pd && (got = perfdata_next(pd, &event, &error)) > 0)
		fn(&event, arg);
	if (pd)
		perfdata_close(pd);
	if (got < 0)
		fprintf(stderr, "%s\n", error->message);
	return got == 0;
}

static void apply(const struct event *event, void *arg)
{
	activities_apply(arg, event);
}

static void check_event(const struct event *event, void *arg)
{
	struct check *c = arg;
	const GArray *changes;

	if (event->type != PERF_RECORD_SAMPLE)
		return;
	changes = g_hash_table_lookup(c->threads, GUINT_TO_POINTER(event->sample.tid));
	if (changes)
		check_sample(&event->sample, changes, c);
}

int main(int argc, char **argv)
{
	struct check c = { 0 };
	const struct results *r = &c.results;

	if (argc != 3 && argc != 4) {
		fprintf(stderr, "usage: schedule_check PERF.DATA LOG [GRACE]\n");
		return 1;
	}
	c.first = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	c.threads = read_log(argv[2], c.first);
	c.grace_ns = argc == 4 ? strtoul(argv[3], NULL, 0) * 1000000 : 0;
	c.activities = activities_new();
	if (!each_event(argv[1], apply, c.activities) || !each_event(argv[1], check_event, &c))
		return 1;
	printf("samples %" G_GUINT64_FORMAT "\nearly %" G_GUINT64_FORMAT "\n", r->samples,
	       r->early);
	for (u32 s = 0; s < ARRAY_SIZE(r->state); s++)
		printf("%s %" G_GUINT64_FORMAT "\n",
		       s == ACTIVITY_UPDATING  ? "updating"
		       : s == ACTIVITY_NOT_YET ? "unknown"
					       : activity_state_name(s),
		       r->state[s]);
	printf("kernel %" G_GUINT64_FORMAT "\ntorn %" G_GUINT64_FORMAT
	       "\nforeign %" G_GUINT64_FORMAT "\nstale %" G_GUINT64_FORMAT
	       "\nunset %" G_GUINT64_FORMAT "\nmisplaced %" G_GUINT64_FORMAT
	       "\nhalf %" G_GUINT64_FORMAT "\nwhole %" G_GUINT64_FORMAT "\n",
	       r->kernel, r->torn, r->foreign, r->stale, r->unset, r->misplaced, r->half, r->whole);
	for (u32 i = 0; i < SCHEDULE_CLASSES; i++)
		printf("class%u %" G_GUINT64_FORMAT "\n", i, r->class[i]);
	g_hash_table_destroy(c.threads);
	g_hash_table_destroy(c.first);
	activities_free(c.activities);
	return 0;
}
