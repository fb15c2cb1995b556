// SPDX-License-Identifier: GPL-2.0-or-later
#include "hist/project.h"

#include <string.h>

#include "base/error.h"
#include "base/progress.h"
#include "hist/profile_private.h"

/* Fields of labels are made for each columns, so names say which are the same. */
static s32 group_of(const struct columns *columns, const struct field *field)
{
	for (u32 i = 0; i < columns->groups->len; i++) {
		const struct field *other = columns->groups->pdata[i];

		if (other == field ||
		    (field_label_key(field->name) && !strcmp(other->name, field->name)))
			return (s32)i;
	}
	return -1;
}

bool profile_entry_key(const struct columns *columns, const struct hist_entry *entry,
		       const struct field *field, u64 *key)
{
	s32 i = group_of(columns, field);

	if (i >= 0)
		*key = entry->keys[i];
	return i >= 0;
}

bool profile_can_project(const struct profile *wide, const struct columns *columns,
			 const GArray *terms)
{
	for (u32 i = 0; i < columns->groups->len; i++)
		if (group_of(wide->options.columns, columns->groups->pdata[i]) < 0)
			return false;
	for (u32 i = 0; i < terms_nr(terms); i++)
		if (group_of(wide->options.columns, terms_at(terms, i)->field) < 0)
			return false;
	return true;
}

/* A term, and for parts of texts what is known of keys met before. */
struct sieve {
	const struct term *term;
	u32 group;
	s32 later;	   /* group of the projection: callers are sieved, too; -1: samples are */
	GHashTable *known; /* key + 1 -> 1 or 2: no, yes */
};

struct projection {
	const struct profile *wide;
	u32 *groups; /* of @wide, by group of the projection */
	u32 nr_groups;
	struct sieve *sieves;
	u32 nr_sieves;
	struct profile *made;
	struct profile_event *event; /* of it, that is being made */
	struct progress progress;
};

static bool has_text(struct projection *p, struct sieve *s, u64 key)
{
	gpointer known = g_hash_table_lookup(s->known, GSIZE_TO_POINTER(key + 1));
	bool has;

	if (known)
		return GPOINTER_TO_UINT(known) == 2;
	has = term_matches(s->term, p->wide->lexicon, key);
	g_hash_table_insert(s->known, GSIZE_TO_POINTER(key + 1), GUINT_TO_POINTER(has ? 2 : 1));
	return has;
}

static bool lets_through(struct projection *p, struct sieve *s, u64 key)
{
	return term_is_of_text(s->term) ? has_text(p, s, key)
					: term_matches(s->term, p->wide->lexicon, key);
}

/* Those of samples, or those of rows. */
static bool passes(struct projection *p, const struct hist_entry *entry, bool later)
{
	for (u32 i = 0; i < p->nr_sieves; i++) {
		struct sieve *s = &p->sieves[i];

		if ((s->later >= 0) == later && !lets_through(p, s, entry->keys[s->group]))
			return false;
	}
	return true;
}

static void count_shown(struct profile_event *e, const struct hist_entry *entry)
{
	for (u32 m = 0; m < e->totals->len; m++) {
		struct profile_totals *t = &g_array_index(e->totals, struct profile_totals, m);

		t->shown_period += entry->self[m].period;
		t->shown_samples += entry->self[m].samples;
		t->shown_latency += entry->self[m].latency;
	}
}

static bool keys_of(void *arg, const struct hist_entry *entry, u64 *keys)
{
	struct projection *p = arg;

	if (!passes(p, entry, false))
		return false;
	if (entry->shown && passes(p, entry, true))
		count_shown(p->event, entry);
	for (u32 i = 0; i < p->nr_groups; i++)
		keys[i] = entry->keys[p->groups[i]];
	profile_set_hidden(p->made, keys, !entry->shown);
	return true;
}

static void projection_begin(struct projection *p, const struct profile *wide,
			     const struct columns *columns, const GArray *terms)
{
	*p = (struct projection){ .wide = wide,
				  .nr_groups = columns->groups->len,
				  .nr_sieves = terms_nr(terms) };
	p->groups = g_new0(u32, p->nr_groups + 1);
	p->sieves = g_new0(struct sieve, p->nr_sieves + 1);
	for (u32 i = 0; i < p->nr_groups; i++)
		p->groups[i] = (u32)group_of(wide->options.columns, columns->groups->pdata[i]);
	for (u32 i = 0; i < p->nr_sieves; i++) {
		const struct term *term = terms_at(terms, i);

		p->sieves[i] = (struct sieve){ term,
					       (u32)group_of(wide->options.columns, term->field),
					       term->part ? group_of(columns, term->field) : -1,
					       g_hash_table_new(NULL, NULL) };
	}
}

static void projection_end(struct projection *p)
{
	for (u32 i = 0; i < p->nr_sieves; i++)
		g_hash_table_unref(p->sieves[i].known);
	g_free(p->groups);
	g_free(p->sieves);
}

/* Shown of all of them is what keys_of() counts; chains' shares are of what is shown, too. */
static void begin_totals(struct profile_event *e, const struct profile_event *from)
{
	g_array_append_vals(e->totals, from->totals->data, from->totals->len);
	for (u32 m = 0; m < e->totals->len; m++) {
		struct profile_totals *t = &g_array_index(e->totals, struct profile_totals, m);

		t->shown_period = t->shown_samples = t->shown_latency = 0;
		t->called_period = t->called_latency = 0;
	}
}

static void end_totals(const struct profile *p, struct profile_event *e)
{
	for (u32 m = 0; m < e->totals->len; m++) {
		struct profile_totals *t = &g_array_index(e->totals, struct profile_totals, m);
		const struct evsel *evsel = e->evsels->pdata[m];

		if (profile_is_chained(p, evsel))
			t->shown_chain_period = t->shown_period;
	}
}

static void project_event(struct profile *p, struct projection *projection,
			  const struct profile_event *from)
{
	struct profile_event *e = g_new0(struct profile_event, 1);

	e->evsels = g_ptr_array_new();
	for (u32 i = 0; i < from->evsels->len; i++)
		g_ptr_array_add(e->evsels, from->evsels->pdata[i]);
	e->totals = g_array_new(FALSE, TRUE, sizeof(struct profile_totals));
	e->has_chains = from->has_chains;
	begin_totals(e, from);
	e->taken = e->hist = profile_new_hist(p, e);
	projection->made = p;
	projection->event = e;
	session_work(p->session, &projection->progress, "Adding up", hist_nr(from->taken));
	hist_project(e->taken, from->taken, p->stacks, keys_of, projection, &projection->progress);
	progress_end(&projection->progress);
	end_totals(p, e);
	g_ptr_array_add(p->events, e);
}

/* Rows, callers among them, whose text has not the part that is asked for. */
static void hide_rows(struct profile *p, struct projection *projection)
{
	for (u32 i = 0; i < projection->nr_sieves; i++) {
		struct sieve *s = &projection->sieves[i];

		for (u32 e = 0; e < p->events->len && s->later >= 0; e++) {
			struct hist *hist = ((struct profile_event *)p->events->pdata[e])->hist;

			for (u32 k = 0; k < hist_nr(hist); k++)
				hist_at(hist, k)->shown &=
					has_text(projection, s, hist_at(hist, k)->keys[s->later]);
		}
	}
}

static GArray *copy_of(const GArray *counts)
{
	GArray *copy = g_array_new(FALSE, TRUE, sizeof(u64));

	g_array_append_vals(copy, counts->data, counts->len);
	return copy;
}

/* Copies the counts that notes are made of. Notes are about the whole profile. */
static void copy_counts(struct profile *p, const struct profile *wide)
{
	g_array_unref(p->without_symbol);
	g_array_unref(p->without_debug);
	g_array_unref(p->without_unit);
	p->without_symbol = copy_of(wide->without_symbol);
	p->without_debug = copy_of(wide->without_debug);
	p->without_unit = copy_of(wide->without_unit);
	memcpy(p->activity_states, wide->activity_states, sizeof(p->activity_states));
	memcpy(p->addresses, wide->addresses, sizeof(p->addresses));
	p->without_memory = wide->without_memory;
	p->moved = wide->moved;
	p->masked = wide->masked;
	p->by_btf = wide->by_btf;
	p->with_chain = wide->with_chain;
	p->broken_chains = wide->broken_chains;
	p->with_ids = wide->with_ids;
	p->with_span = wide->with_span;
	p->folded_samples = wide->folded_samples;
	p->serial_samples = wide->serial_samples;
}

struct profile *profile_project(const struct profile *wide, const struct profile_options *options,
				const GArray *terms, GError **error)
{
	struct profile *p = profile_new(wide->session, wide->lexicon, options);
	struct projection projection;

	g_ptr_array_set_size(p->events, 0);
	stacks_free(p->stacks);
	clusters_free(p->clusters);
	p->stacks = wide->stacks;
	p->clusters = wide->clusters;
	p->own->projected = true;
	copy_counts(p, wide);
	projection_begin(&projection, wide, options->columns, terms);
	for (u32 i = 0; i < wide->events->len && !projection.progress.stopped; i++)
		project_event(p, &projection, g_ptr_array_index(wide->events, i));
	if (!projection.progress.stopped) {
		profile_look(p);
		hide_rows(p, &projection);
	}
	projection_end(&projection);
	if (!projection.progress.stopped)
		return p;
	profile_free(p);
	error_set(error, PERF_ERROR_STOPPED, "stopped");
	return NULL;
}
