// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From the options to open events. The order has reasons:
 *
 *	parse			unknown events are told before anything is opened
 *	signals			blocked before there are threads, which inherit the mask; the command gets the old one
 *	fork of the command	before the limit of descriptors is raised, which the command must not inherit
 *	target			CPUs and threads
 *	prepare			sources may add events and change attributes
 *	open			the user's events, then those of sources; nothing counts
 *	open of sources		their rings and programs need open events
 *	kernel's map		last: a note about it depends on the events that were accepted
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "perfdata/evsel.h"
#include "perfdata/print/print.h"
#include "perfevent/cgroups.h"
#include "perfevent/open.h"
#include "perfevent/proc.h"
#include "perfevent/ring.h"
#include "record/config.h"
#include "record/filters.h"
#include "record/parts.h"
#include "record/refused.h"
#include "record/rings.h"
#include "record/sources.h"

/* One -e: its events, with the filters that follow it. An unknown event is a usage error, too, as with upstream. */
static bool parse_event(struct recorder *r, u32 i, GError **error)
{
	const struct record_options *opts = r->opts;
	u32 first = r->events.specs->len;
	bool fine = event_list_parse(&r->events, r->rec.paths, g_ptr_array_index(opts->events, i),
				     error) &&
		    filters_add(opts, i + 1, &r->events, first, error);

	if (!fine && error)
		(*error)->code = PERF_ERROR_USAGE;
	return fine;
}

static bool parse_events(struct recorder *r, GError **error)
{
	const struct record_options *opts = r->opts;

	if (opts->no_events)
		return true;
	if (!opts->events || !opts->events->len)
		return event_list_default(&r->events, r->rec.paths, error);
	for (u32 i = 0; i < opts->events->len; i++)
		if (!parse_event(r, i, error))
			return false;
	if (opts->cgroups && !opts->events_are_own)
		return cgroups_apply(&r->events, r->rec.paths, opts->cgroups, error);
	return true;
}

static bool parse_rate(struct recorder *r, GError **error)
{
	const struct record_options *opts = r->opts;
	char *warning = NULL;
	bool rounded;
	g_autofree char *standard = g_strdup_printf("%d", RECORD_DEFAULT_FREQ);

	if (!sample_rate_parse(r->rec.paths, opts->freq ? opts->freq : standard,
			       opts->freq && opts->strict_freq, &r->rate, &warning, error))
		return false;
	if (warning && opts->freq)
		recorder_note(r, g_steal_pointer(&warning));
	g_free(warning);
	if (!ring_pages_parse(r->rec.paths, opts->mmap_pages, &r->pages, &rounded, error))
		return false;
	if (rounded)
		recorder_note(r, g_strdup_printf("rounding mmap pages size to %uK (%u pages)",
						 (u32)(r->pages * (sysconf(_SC_PAGESIZE) / 1024)),
						 r->pages));
	return true;
}

/* Adds the dummy event for side records, before the events of sources. */
static struct event_list *add_side_event(struct recorder *r)
{
	struct event_set *side;

	if (r->opts->no_events || (r->refused && !r->only_command) ||
	    !config_needs_side_event(r->opts, r->target.kind))
		return NULL;
	side = recording_add_events(&r->rec);
	side->side = true;
	event_list_add_dummy(&side->list);
	return &side->list;
}

static bool prepare_sources(struct recorder *r, GError **error)
{
	if (!r->opts->no_events && (!r->refused || r->only_command))
		g_ptr_array_add(r->rec.sources, rings_source_new(r->pages));
	if (r->refused)
		g_ptr_array_add(r->rec.sources, refused_source_new(r));
	if (!sources_add(&r->rec, error))
		return false;
	while (r->more_sources->len)
		g_ptr_array_add(r->rec.sources, g_ptr_array_steal_index(r->more_sources, 0));
	for (u32 i = 0; i < r->rec.sources->len; i++) {
		struct source *src = g_ptr_array_index(r->rec.sources, i);

		if (src->ops->prepare && !src->ops->prepare(src, &r->rec, error))
			return false;
	}
	g_ptr_array_extend(r->rec.stages, r->more_stages, NULL, NULL);
	return true;
}

/*
 * The events of sources get the same attributes as the user's. Ids in the records tell the events apart.
 */
static void config_added(struct recorder *r)
{
	bool any = r->rec.own_evsels->len > 0;

	for (u32 i = 0; i < r->rec.more_events->len; i++) {
		struct event_set *more = g_ptr_array_index(r->rec.more_events, i);

		if (more->side)
			continue;
		config_added_events(&more->list, r->opts, r->target.kind, r->pages);
		any = true;
	}
	if (!any)
		return;
	config_identify(&r->events);
	for (u32 i = 0; i < r->rec.more_events->len; i++)
		config_identify(
			&((struct event_set *)g_ptr_array_index(r->rec.more_events, i))->list);
}

static bool prepare(struct recorder *r, GError **error)
{
	struct event_list *side = add_side_event(r);

	if (!config_events(&r->events, side, r->opts, r->target.kind, r->rate, r->pages, error) ||
	    !prepare_sources(r, error))
		return false;
	config_added(r);
	if (r->events.specs->len || r->rec.own_evsels->len)
		return true;
	return error_set(error, PERF_ERROR_USAGE, "there is no event to record");
}

static void note_all(struct recorder *r, const struct openset *set)
{
	const GPtrArray *notes = openset_notes(set);

	for (u32 i = 0; i < notes->len; i++)
		recorder_note(r, g_strdup(g_ptr_array_index(notes, i)));
}

static bool open_on_targets(struct recorder *r, GError **error)
{
	struct recording *rec = &r->rec;

	rec->target = &r->target.open;
	rec->set = openset_open(&r->events, rec->target, rec->paths, error);
	return rec->set;
}

/*
 * A process may start threads faster than we can list them: try a few times only.
 *
 * A thread that is created after the list was read has no event, unless its creator had one already
 * and the event is inherited. So the list is read again after opening: if there are new threads,
 * all events are closed, and opened on the longer list.
 *
 *	list: 7, 8	events on 7		7 creates 9: inherited		events on 8
 *			8 creates 10 before it has an event: missed, and found by the second list
 */
static bool open_on_all_threads(struct recorder *r, GError **error)
{
	struct recording *rec = &r->rec;

	for (int tries = 0; open_on_targets(r, error); tries++) {
		if (tries == 3 || !target_grew(&r->target, rec->paths))
			return true;
		g_clear_pointer(&rec->set, openset_close);
		target_release(&r->target);
		if (!target_init(&r->target, r->opts, rec->paths, r->command.pid, error))
			return false;
	}
	return false;
}

/* Side records come from all CPUs: a thread may map a file on one CPU and run on another. */
static bool pick_side_target(struct recorder *r, GError **error)
{
	struct record_options everywhere = *r->opts;

	everywhere.cpus = NULL;
	everywhere.all_cpus = r->target.kind == TARGET_CPUS && !r->refused;
	return target_init(&r->side_target, &everywhere, r->rec.paths, r->command.pid, error);
}

static bool open_more(struct recorder *r, struct event_set *more, GError **error)
{
	struct recording *rec = &r->rec;

	more->target = rec->target;
	if (more->side) {
		if (!pick_side_target(r, error))
			return false;
		more->target = &r->side_target.open;
	}
	more->set = openset_open(&more->list, more->target, rec->paths, error);
	if (!more->set || !openset_read_ids(more->set, error))
		return false;
	note_all(r, more->set);
	return true;
}

static bool open_events(struct recorder *r, GError **error)
{
	struct recording *rec = &r->rec;

	rec->target = &r->target.open;
	if (r->opts->no_events)
		return true;
	if (!r->refused) {
		if (!open_on_all_threads(r, error) || !openset_read_ids(rec->set, error) ||
		    !filters_set(rec, error))
			return false;
		note_all(r, rec->set);
	}
	for (u32 i = 0; i < rec->more_events->len; i++) {
		if (!open_more(r, g_ptr_array_index(rec->more_events, i), error))
			return false;
	}
	return true;
}

static bool open_sources(struct recorder *r, GError **error)
{
	for (u32 i = 0; i < r->rec.sources->len; i++) {
		struct source *src = g_ptr_array_index(r->rec.sources, i);

		if (src->ops->open && !src->ops->open(src, &r->rec, error))
			return false;
	}
	return true;
}

/* If it cannot be read, kernel addresses are not resolved. */
static void read_kernel_map(struct recorder *r)
{
	const char *why = NULL;

	if (kernel_map_read(r->rec.paths, &r->rec.kernel, &why))
		return;
	r->rec.kernel = (struct kernel_map){ 0 };
	for (u32 i = 0; i < r->events.specs->len && why; i++) {
		if (event_list_at(&r->events, i)->evsel->attr.exclude_kernel)
			continue;
		recorder_note(r, g_strdup_printf("kernel addresses will have no names: %s", why));
		return;
	}
}

/* With -v: the attributes with which the events were opened. */
static void note_events(struct recorder *r)
{
	for (u32 i = 0; i < r->events.specs->len; i++) {
		const struct evsel *evsel = event_list_at(&r->events, i)->evsel;
		g_autoptr(GString) text = g_string_new(NULL);

		evsel_print_attr(evsel, ": ", text);
		recorder_note(r, g_strdup_printf("%s: %s", evsel->name, text->str));
	}
	recorder_note(r, g_strdup_printf("%u rings of %u pages", r->rec.rings->len, r->pages));
}

bool recorder_open(struct recorder *r, GError **error)
{
	const struct record_options *opts = r->opts;

	if (opts->control && !control_open(&r->control, opts->control, error))
		return false;
	if (!parse_events(r, error) || !parse_rate(r, error) || !recorder_take_signals(r, error))
		return false;
	r->command.leave = opts->leave_command;
	if (opts->command && !command_fork(&r->command, opts->command, &r->old_mask,
					   opts->output && !strcmp(opts->output, "-"), error))
		return false;
	if (opts->dry_run)
		return true;
	file_raise_limit(); /* after the fork: the command keeps its limit */
	if (!target_init(&r->target, opts, r->rec.paths, r->command.pid, error))
		return false;
	recorder_leave_out_refused(r);
	if (!prepare(r, error) || !open_events(r, error) || !open_sources(r, error))
		return false;
	if (opts->verbose)
		note_events(r);
	read_kernel_map(r);
	return true;
}
