// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/code/annotate_private.h"

#include <string.h>

#include "base/percent.h"
#include "dso/dso.h"
#include "pages/notes/notes.h"
#include "perfdata/evsel.h"
#include "session/session.h"

static u32 width_from(const struct annotate_pages_options *o, u32 first, u32 nr_events)
{
	const struct evsel *evsel = g_ptr_array_index(o->evsels, first);
	u32 left = nr_events - first;

	if (o->group)
		return left;
	return evsel->nr_members && evsel->nr_members <= left ? evsel->nr_members : 1;
}

static bool has_event(const struct annotate_pages_options *o, const struct annotated *a)
{
	bool has = !o->event;

	for (u32 i = a->first; i < a->first + a->nr && !has; i++)
		has = !strcmp(((const struct evsel *)o->evsels->pdata[i])->name, o->event);
	return has;
}

bool annotated_next(const struct annotate_pages_options *o, u32 nr_events, struct annotated *a)
{
	do {
		a->first += a->nr;
		if (a->first >= nr_events)
			return false;
		a->nr = width_from(o, a->first, nr_events);
	} while (!has_event(o, a));
	return true;
}

char *annotated_event(const struct annotate_pages_options *o, const struct annotated *a)
{
	return evsel_group_title(o->evsels, a->first, a->nr);
}

struct page *annotated_page(const struct annotate_pages_options *o, const struct annotated *a,
			    char *title, struct annotated_events *e)
{
	struct page *page = page_new(title);
	g_autofree char *events = annotated_event(o, a);

	e->events = g_new(u32, a->nr);
	e->whole = g_new0(u64, a->nr);
	e->nr = 0;
	for (u32 i = a->first; i < a->first + a->nr; i++) {
		if (o->empty && o->empty[i])
			continue;
		e->events[e->nr++] = i;
		g_ptr_array_add(page->parts,
				((struct evsel *)g_ptr_array_index(o->evsels, i))->name);
	}
	notes_add_words(&page->notes, "event", events);
	notes_add_number(&page->notes, "nr_events", CELL_COUNT, a->nr);
	notes_add_words(&page->notes, "percent_of", annotate_percent_name(o->percent));
	return page;
}

const char *annotate_percent_name(enum annotate_percent percent)
{
	static const char *const names[PERCENT_NR] = {
		[PERCENT_LOCAL_PERIOD] = "local period",
		[PERCENT_GLOBAL_PERIOD] = "global period",
		[PERCENT_LOCAL_HITS] = "local hits",
		[PERCENT_GLOBAL_HITS] = "global hits",
	};

	return names[percent];
}

void annotated_whole(const struct annotate_pages_options *o, struct annotated_events *e, u32 part,
		     struct type_count local, struct type_count all)
{
	bool global = o->percent == PERCENT_GLOBAL_PERIOD || o->percent == PERCENT_GLOBAL_HITS;
	struct type_count whole = global ? all : local;

	e->hits = o->percent == PERCENT_LOCAL_HITS || o->percent == PERCENT_GLOBAL_HITS;
	e->whole[part] = e->hits ? whole.samples : whole.period;
}

void annotated_release(struct annotated_events *e)
{
	g_free(e->events);
	g_free(e->whole);
}

void annotated_cell(const struct annotated_events *e, u32 column, u32 part, struct type_count value,
		    struct cell *out)
{
	if (column % ANNOTATE_NR_VALUES == ANNOTATE_SAMPLES) {
		out->number = value.samples;
		return;
	}
	out->number = value.period;
	out->real = percent_of(e->hits ? value.samples : value.period, e->whole[part]);
}

struct rows_column *annotated_columns(const struct rows_column *columns, u32 nr,
				      const struct annotated_events *e)
{
	struct rows_column *copy = g_memdup2(columns, nr * sizeof(*columns));

	for (u32 i = 0; i < nr; i++)
		if (copy[i].value)
			copy[i].nr_parts = e->nr;
	return copy;
}

/* Which instruction samples name, for the events with samples. */
static void add_skid(const struct annotate_pages_options *o, struct notes *notes)
{
	struct annotated a = { 0 };

	while (o->samples && annotated_next(o, o->evsels->len, &a))
		for (u32 i = a.first; i < a.first + a.nr; i++)
			for (u32 k = 0; k < session_nr_files(o->session); k++)
				notes_add_measured_skid(
					notes, session_perfdata(session_file(o->session, k)),
					g_ptr_array_index(o->evsels, i));
}

void annotated_remark(const struct annotate_pages_options *o, struct notes *notes)
{
	add_skid(o, notes);
	notes_add_cut(notes, session_perfdata(o->session));
	notes_add_absent(notes, session_dsos(o->session), o->without_debug, o->samples, "data type",
			 dso_no_debug_info);
	notes_add_by_btf(notes, o->by_btf, o->samples);
	notes_add_no_memory(notes, o->without_memory, o->samples);
}

bool annotated_below_limit(const struct annotate_pages_options *o, u64 period,
			   const struct type_count *all)
{
	return percent_of(period, all->period) < o->percent_limit;
}

bool annotated_is_wanted(const struct annotate_pages_options *o, const struct type_profile *profile)
{
	if (o->type)
		return profile->type == o->type;
	return !o->pattern || type_name_matches(profile->type, o->pattern);
}

void annotated_type(const struct annotate_pages_options *o, const char *name, GString *out)
{
	char buffer[512];

	g_string_append(out, o->short_names ? type_name_short(name, buffer, sizeof(buffer)) : name);
}

const char *annotated_roles(u8 roles)
{
	static const char *const words[] = { "", "read", "write", "read, write" };

	return words[roles & (INSN_READ | INSN_WRITE)];
}
