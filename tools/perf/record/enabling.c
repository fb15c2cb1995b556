// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Starts and stops the counting of events, and what sources record.
 *
 *	side records		from the start to the end: a mapping that is missed is missed for good
 *	the user's events	by --delay and --control, again and again
 *	sources			from the first enabling to the end
 *
 * With --exclude-perf, the filter lists the recorder's threads. It must be complete before the
 * event counts, so sources start their threads first.
 */
#include <stdio.h>

#include "record/config.h"
#include "record/filters.h"
#include "record/parts.h"

static bool enable_events(struct recorder *r, GError **error)
{
	if (r->rec.set && !openset_enable(r->rec.set, error))
		return false;
	for (u32 i = 0; i < r->rec.more_events->len; i++) {
		const struct event_set *more = g_ptr_array_index(r->rec.more_events, i);

		if (!more->side && !openset_enable(more->set, error))
			return false;
	}
	return true;
}

bool recorder_enable_sources(struct recorder *r, GError **error)
{
	for (u32 i = 0; i < r->rec.sources->len; i++) {
		struct source *src = g_ptr_array_index(r->rec.sources, i);

		if (src->ops->enable && !src->ops->enable(src, error))
			return false;
	}
	return true;
}

bool recorder_leave_out_own(struct recorder *r, GError **error)
{
	if (r->filtered)
		return true;
	r->filtered = true;
	return filters_leave_out_own(&r->rec, error);
}

bool recorder_enable(struct recorder *r, GError **error)
{
	/* Enabling starts threads of sources: --exclude-perf must know them before its events count. */
	if (!r->filtered && filters_need_threads(&r->rec))
		return recorder_enable_sources(r, error) && recorder_leave_out_own(r, error) &&
		       enable_events(r, error);
	return enable_events(r, error) && recorder_enable_sources(r, error);
}

/*
 * A mapping that is made after /proc was read and before side records are enabled is in neither:
 *
 *	side event		counts since it was opened
 *	a command		counts from its exec() on
 *	other processes		the user's events tell of mappings, so they begin to count here
 */
bool recorder_enable_side_records(struct recorder *r, GError **error)
{
	if (r->target.kind == TARGET_COMMAND || config_needs_side_event(r->opts, r->target.kind) ||
	    filters_need_threads(&r->rec))
		return true;
	return enable_events(r, error);
}

static void disable_set(const struct openset *set)
{
	if (set)
		openset_disable(set, NULL);
}

/* The user's events only tell of forks, names and ends of threads: --wall alone, for example. */
static bool only_side_records(const struct recorder *r)
{
	for (u32 i = 0; i < r->events.specs->len; i++)
		if (!evsel_is_dummy(event_list_at(&r->events, i)->evsel))
			return false;
	return true;
}

static void disable_events(const struct recorder *r, bool side)
{
	if (only_side_records(r) == side)
		disable_set(r->rec.set);
	for (u32 i = 0; i < r->rec.more_events->len; i++) {
		const struct event_set *more = g_ptr_array_index(r->rec.more_events, i);

		if (more->side == side)
			disable_set(more->set);
	}
}

/*
 * Side records go on until the sources have ended. A source's last pass may see a thread that began after the user's events
 * had stopped, and that thread has its name and its process by them.
 */
bool recorder_disable(struct recorder *r, GError **error)
{
	bool fine = true;

	disable_events(r, false);
	for (u32 i = 0; i < r->rec.sources->len; i++) {
		struct source *src = g_ptr_array_index(r->rec.sources, i);

		if (src->ops->disable && !src->ops->disable(src, fine ? error : NULL))
			fine = false;
	}
	disable_events(r, true);
	return fine;
}

void recorder_say_events(const struct recorder *r, const char *state)
{
	if (!r->opts->quiet)
		fprintf(stderr, "Events %s\n", state);
}

/* The events that count what the user asked for; side records go on. */
static bool pause_events(struct recorder *r, GError **error)
{
	if (r->rec.set && !openset_disable(r->rec.set, error))
		return false;
	for (u32 i = 0; i < r->rec.more_events->len; i++) {
		const struct event_set *more = g_ptr_array_index(r->rec.more_events, i);

		if (!more->side && !openset_disable(more->set, error))
			return false;
	}
	return true;
}

bool recorder_switch(struct recorder *r, bool on, GError **error)
{
	if (!(on ? recorder_enable(r, error) : pause_events(r, error)))
		return false;
	recorder_say_events(r, on ? "enabled" : "disabled");
	return true;
}
