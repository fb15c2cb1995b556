// SPDX-License-Identifier: GPL-2.0-or-later
/* The events of a profile: which hist and member of it the samples of an evsel go to. */
#include <string.h>

#include "hist/profile_private.h"
#include "perfdata/read/reader.h"

void profile_event_free(gpointer data)
{
	struct profile_event *e = data;

	if (e->hist != e->taken)
		hist_free(e->hist);
	hist_free(e->taken);
	g_ptr_array_unref(e->evsels);
	g_array_unref(e->totals);
	g_free(e);
}

static void add_member(struct profile *p, struct profile_event *e, u32 number)
{
	struct slot slot = { e, e->evsels->len };

	g_ptr_array_add(e->evsels, p->own->evsels->pdata[number]);
	g_array_set_size(e->totals, e->evsels->len);
	if (number >= p->own->slots->len)
		g_array_set_size(p->own->slots, number + 1);
	g_array_index(p->own->slots, struct slot, number) = slot;
}

struct hist *profile_new_hist(const struct profile *p, const struct profile_event *e)
{
	struct hist_options options = {
		.nr_keys = p->options.columns->groups->len + p->options.children,
		.nr_members = e->evsels->len,
		.children = p->options.children,
	};

	return hist_new(&options);
}

/* The event of that number, or the group that it leads. */
static void add_event(struct profile *p, u32 number)
{
	const GPtrArray *all = perfdata_evsels(session_perfdata(p->session));
	struct profile_event *e = g_new0(struct profile_event, 1);
	bool group = (p->options.group || p->options.group_all) && number < all->len;

	e->evsels = g_ptr_array_new();
	e->totals = g_array_new(FALSE, TRUE, sizeof(struct profile_totals));
	add_member(p, e, number);
	for (u32 i = 0; group && i < all->len; i++) {
		const struct evsel *other = g_ptr_array_index(all, i);

		if (i != number && (other->leader == number || p->options.group_all))
			add_member(p, e, i);
	}
	e->taken = e->hist = profile_new_hist(p, e);
	g_ptr_array_add(p->events, e);
}

/* Events of several files are one where their names are. */
static u32 number_elsewhere(struct profile *p, const struct evsel *evsel)
{
	gpointer known = g_hash_table_lookup(p->own->numbers, evsel);
	GPtrArray *evsels = p->own->evsels;
	u32 i = 0;

	if (known)
		return GPOINTER_TO_UINT(known) - 1;
	while (i < evsels->len &&
	       strcmp(((const struct evsel *)evsels->pdata[i])->name, evsel->name))
		i++;
	if (i == evsels->len)
		g_ptr_array_add(evsels, (void *)evsel);
	g_hash_table_insert(p->own->numbers, (void *)evsel, GUINT_TO_POINTER(i + 1));
	return i;
}

/* In the first file an event's number is its index; on a pipe there may be more by now. */
static u32 number_of(struct profile *p, const struct session *file, const struct evsel *evsel)
{
	const GPtrArray *all = perfdata_evsels(session_perfdata(p->session));

	if (file != p->session)
		return number_elsewhere(p, evsel);
	for (u32 i = p->own->evsels->len; i < all->len; i++)
		g_ptr_array_add(p->own->evsels, all->pdata[i]);
	return evsel->idx;
}

struct slot *profile_slot_at(const struct profile *p, u32 number)
{
	return &g_array_index(p->own->slots, struct slot, number);
}

struct profile_totals *profile_totals_of(const struct slot *slot)
{
	return &g_array_index(slot->event->totals, struct profile_totals, slot->member);
}

u32 profile_slot(struct profile *p, const struct session *file, const struct evsel *evsel)
{
	const GPtrArray *all = perfdata_evsels(session_perfdata(p->session));
	u32 number = number_of(p, file, evsel), leader = number;

	if (number < p->own->slots->len && profile_slot_at(p, number)->event)
		return number;
	if (p->options.group_all && number < all->len)
		leader = 0;
	else if (p->options.group && number < all->len && evsel->leader < all->len)
		leader = evsel->leader;
	add_event(p, leader);
	return number;
}

/* In the file's order, also those without a sample. */
void profile_add_events(struct profile *p)
{
	const GPtrArray *all = perfdata_evsels(session_perfdata(p->session));

	for (u32 i = 0; i < all->len; i++)
		profile_slot(p, p->session, g_ptr_array_index(all, i));
}
