// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Joins profiles. Each key of a profile is printed once, and its text becomes a number: that of what it is the same as
 * in other recordings. A row is a tuple of these numbers.
 */
#include "compare/compare.h"

#include <linux/perf_event.h>
#include <string.h>

#include "base/error.h"
#include "base/table.h"
#include "compare/chains.h"
#include "compare/functions.h"
#include "compare/lines.h"
#include "compare/private.h"
#include "fields/identity.h"
#include "fields/waits.h"
#include "machine/machine.h"
#include "perfdata/evsel.h"
#include "perfdata/read/reader.h"
#include "session/session.h"

static void row_free(void *arg)
{
	struct compare_row *row = arg;

	g_free(row->texts);
	g_free(row->sums);
	g_free(row->values);
	g_free(row->verdicts);
	g_free(row);
}

static void event_free(void *arg)
{
	struct compare_event *e = arg;

	g_free(e->name);
	g_free(e->totals);
	g_free(e->shown);
	g_ptr_array_unref(e->rows);
	if (e->total)
		row_free(e->total);
	tuples_free(e->own->tuples);
	g_array_unref(e->own->clusters);
	g_array_unref(e->own->parts);
	g_array_unref(e->own->run_sums);
	g_array_unref(e->own->run_shown);
	g_free(e->own);
	g_free(e);
}

static void run_free(void *arg)
{
	struct compare_run *run = arg;

	g_free((char *)run->is.path);
	g_free(run);
}

struct comparison *comparison_new(const struct compare_options *options)
{
	struct comparison *c = g_new0(struct comparison, 1);

	c->options = *options;
	c->texts = intern_new();
	c->lines = compare_lines_new();
	c->functions = compare_functions_new();
	c->plain = g_hash_table_new(NULL, NULL);
	c->runs = g_ptr_array_new_with_free_func(run_free);
	c->events = g_ptr_array_new_with_free_func(event_free);
	c->nr_keys = options->keys->len;
	return c;
}

void comparison_free(struct comparison *c)
{
	if (!c)
		return;
	compare_lines_free(c->lines);
	compare_functions_free(c->functions);
	g_hash_table_unref(c->plain);
	intern_free(c->texts);
	g_ptr_array_unref(c->runs);
	g_ptr_array_unref(c->events);
	g_free(c);
}

static bool is_same_event(const struct compare_event *e, const struct evsel *evsel)
{
	/* Numbers of tracepoints differ from kernel to kernel. */
	if (e->type == PERF_TYPE_TRACEPOINT || evsel->attr.type == PERF_TYPE_TRACEPOINT)
		return e->type == evsel->attr.type && !strcmp(e->name, evsel->name);
	return e->type == evsel->attr.type && e->config == evsel->attr.config;
}

static struct compare_event *event_new(const struct comparison *c, const struct evsel *evsel)
{
	struct compare_event *e = g_new0(struct compare_event, 1);

	e->name = g_strdup(evsel->name);
	e->type = evsel->attr.type;
	e->config = evsel->attr.config;
	e->is_cpu = evsel_is_timer(evsel);
	e->is_wait = wait_is_event(evsel);
	e->is_time = e->is_cpu || e->is_wait;
	e->totals = g_new0(struct compare_sum, c->options.nr_sides);
	e->shown = g_new0(struct compare_sum, c->options.nr_sides);
	e->rows = g_ptr_array_new_with_free_func(row_free);
	e->own = g_new0(struct compare_event_own, 1);
	e->own->tuples = tuples_new(MAX(c->nr_keys, 1));
	e->own->clusters = g_array_new(FALSE, TRUE, sizeof(struct cluster));
	e->own->parts = g_array_new(FALSE, TRUE, sizeof(struct cluster_part));
	e->own->run_sums = g_array_new(FALSE, TRUE, sizeof(struct compare_sum));
	e->own->run_shown = g_array_new(FALSE, TRUE, sizeof(struct compare_sum));
	return e;
}

/* As upstream: events that the old side lacks are not compared. */
static struct compare_event *find_event(struct comparison *c, u32 run, const struct evsel *evsel)
{
	struct compare_event *e;

	for (u32 i = 0; i < c->events->len; i++)
		if (is_same_event(g_ptr_array_index(c->events, i), evsel))
			return g_ptr_array_index(c->events, i);
	if (run)
		return NULL;
	e = event_new(c, evsel);
	g_ptr_array_add(c->events, e);
	return e;
}

struct known_key {
	u64 value; /* of the profile */
	u32 identity, text;
	bool by_place;		  /* a line known by its contents, or a function by its file... */
	enum compare_moved moved; /* ...which of them, if its text differs */
};

struct known_keys {
	struct table index;
	GArray *all; /* struct known_key */
};

/* One recording's profile while it is taken. */
struct taker {
	struct comparison *c;
	const struct profile *profile;
	struct compare_names *names;
	const GPtrArray *groups;
	struct known_keys *known; /* one per key */
	struct known_key *now;	  /* one per key: those of the present entry */
	GHashTable *chains;	  /* number of a chain -> struct compare_chain * */
	u32 run, side;
	u32 nr_groups; /* of the keys: all but that of chains */
	struct compare_event *event;
	s32 *sides;    /* by entry of the event: its side; -1: none */
	s64 *rows;     /* ... and its row; -1: not known yet. With chains, it depends on the part */
	u32 *clusters; /* by side: the first one of this recording */
	u64 *words;
	u32 *texts;
};

/* A line by its contents; NULL: it is known by its text. */
static char *identify_line(struct taker *t, u64 value, struct known_key *known)
{
	struct line_place place;

	known->moved = MOVED_LINE;
	return lexicon_line_place(t->profile->lexicon, (u32)value, &place)
		       ? compare_lines_identity(t->c->lines, &place)
		       : NULL;
}

/* A function by its file, which becomes a part of @text; NULL: it is known by its name. */
static char *identify_function(struct taker *t, u64 value, const struct field *field, GString *text,
			       struct known_key *known)
{
	struct compare_function function;
	g_autofree char *name = NULL;

	known->moved = MOVED_FUNCTION;
	if (!compare_functions_tell(t->c->functions, !t->side, t->names,
				    lexicon_function(t->profile->lexicon, value), &function))
		return NULL;
	name = identity_new(field, text->str);
	g_string_printf(text, "%s (%s)", name, function.file);
	g_hash_table_insert(t->c->plain, GUINT_TO_POINTER(intern_id(t->c->texts, text->str)),
			    GUINT_TO_POINTER(intern_id(t->c->texts, name)));
	return g_strdup_printf("%s (%s)", name, function.same_as);
}

/* What a key that was not seen yet is. */
static struct known_key make_known(struct taker *t, u32 key, u64 value)
{
	const struct field *field = t->groups->pdata[key];
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *identity = NULL;
	struct known_key known = { .value = value };

	field_print(field, t->profile->lexicon, value, text);
	g_strchomp(text->str);
	if (g_str_has_prefix(field->name, "srcline"))
		identity = identify_line(t, value, &known);
	else if (!strcmp(field->name, "symbol"))
		identity = identify_function(t, value, field, text, &known);
	known.by_place = identity;
	if (!identity)
		identity = identity_new(field, text->str);
	known.identity = intern_id(t->c->texts, identity);
	known.text = intern_id(t->c->texts, text->str);
	return known;
}

/* The result is valid until the next call. */
static const struct known_key *look_up(struct taker *t, u32 key, u64 value)
{
	struct known_keys *keys = &t->known[key];
	u32 hash = table_fold(value), at = hash;
	struct known_key known;
	s64 i;

	while ((i = table_next(&keys->index, hash, &at)) >= 0)
		if (g_array_index(keys->all, struct known_key, i).value == value)
			return &g_array_index(keys->all, struct known_key, i);
	known = make_known(t, key, value);
	table_add(&keys->index, hash, keys->all->len);
	g_array_append_val(keys->all, known);
	return &g_array_index(keys->all, struct known_key, keys->all->len - 1);
}

static const struct compare_chain *look_up_chain(struct taker *t, u32 stack)
{
	struct compare_chain *known = g_hash_table_lookup(t->chains, GUINT_TO_POINTER(stack));

	if (!known) {
		known = g_new0(struct compare_chain, 1);
		*known = compare_chain_make(t->profile->stacks, stack,
					    &(struct compare_chain_names){ t->c->functions,
									   t->names, !t->side },
					    t->c->texts);
		g_hash_table_insert(t->chains, GUINT_TO_POINTER(stack), known);
	}
	return known;
}

/* A chain is shown as it is in the newest recording. */
static void settle_chain(const struct taker *t, struct compare_row *row)
{
	if (t->c->options.chains)
		row->texts[t->c->nr_keys - 1] = t->texts[t->c->nr_keys - 1];
}

/* The side of a row, by its key; -1: none. */
static s32 side_of(struct taker *t, const struct hist_entry *entry)
{
	const struct compare_options *o = &t->c->options;
	const char *text;

	if (o->split < 0)
		return (s32)t->side;
	text = intern_text(t->c->texts, look_up(t, (u32)o->split, entry->keys[o->split])->text);
	for (u32 i = 0; i < o->nr_sides; i++)
		if (!o->side_patterns[i] || g_pattern_match_simple(o->side_patterns[i], text))
			return (s32)i;
	return -1;
}

/* What is shown of keys that are the same but have different texts: the new one of a member or a line, else the common part. */
static void settle_text(struct taker *t, struct compare_row *row, u32 key,
			const struct known_key *known)
{
	u32 at, length;

	if (row->texts[key] == known->text)
		return;
	if (!known->by_place &&
	    !identity_offset(intern_text(t->c->texts, known->text), &at, &length)) {
		row->texts[key] = known->identity;
		return;
	}
	if (!row->old_text) {
		row->old_text = row->texts[key];
		row->moved_key = key;
		row->moved = known->by_place ? known->moved : MOVED_MEMBER;
	}
	row->texts[key] = known->text;
}

static u32 find_row(struct taker *t, const struct hist_entry *entry, u32 stack)
{
	u32 nr_keys = t->c->nr_keys, nr_sides = t->c->options.nr_sides, id;
	struct compare_row *row;

	for (u32 i = 0; i < t->nr_groups; i++) {
		t->now[i] = *look_up(t, i, entry->keys[i]);
		t->words[i] = t->now[i].identity;
		t->texts[i] = t->now[i].text;
	}
	if (t->c->options.chains) {
		const struct compare_chain *chain = look_up_chain(t, stack);

		t->words[nr_keys - 1] = chain->identity;
		t->texts[nr_keys - 1] = chain->text;
	}
	id = tuples_id(t->event->own->tuples, t->words);
	if (id < t->event->rows->len) {
		row = compare_row_at(t->event, id);
		for (u32 i = 0; i < t->nr_groups; i++)
			settle_text(t, row, i, &t->now[i]);
		settle_chain(t, row);
		return id;
	}
	row = g_new0(struct compare_row, 1);
	row->texts = g_memdup2(t->texts, MAX(nr_keys, 1) * sizeof(u32));
	row->sums = g_new0(struct compare_sum, nr_sides);
	row->values = g_new0(double, nr_sides);
	row->verdicts = g_new0(struct compare_verdict, nr_sides);
	g_ptr_array_add(t->event->rows, row);
	return id;
}

/* The entry itself is far from the parts in memory: it is read once. */
static u32 row_of(struct taker *t, const struct hist *hist, const struct hist_part *from)
{
	s64 *row = &t->rows[from->entry];

	if (*row < 0 || t->c->options.chains)
		*row = find_row(t, hist_at(hist, from->entry), from->stack);
	return (u32)*row;
}

static void take_part(struct taker *t, const struct hist *hist, const struct hist_part *from)
{
	struct compare_event_own *own = t->event->own;
	s32 side = t->sides[from->entry];
	struct cluster_part part = { .sum = { from->period, from->samples } };

	if (side < 0 || !from->samples)
		return;
	part.row = row_of(t, hist, from);
	part.cluster = t->clusters[side] + from->cluster;
	compare_sum_add(&compare_row_at(t->event, part.row)->sums[side], &part.sum);
	compare_sum_add(&g_array_index(own->clusters, struct cluster, part.cluster).sum, &part.sum);
	g_array_append_val(own->parts, part);
	/* Without a split, the totals are the profile's. */
	if (t->c->options.split < 0)
		return;
	compare_sum_add(&t->event->totals[side], &part.sum);
	compare_sum_add(&t->event->shown[side], &part.sum);
}

/* How many requests a cluster has on each side of a split is not known. */
static void add_clusters(struct taker *t, u32 side)
{
	GArray *all = t->event->own->clusters;
	const struct clusters *from = t->profile->clusters;
	u32 nr = clusters_nr_strata(from) * CLUSTERS_A_STRATUM, first = all->len;

	t->clusters[side] = first;
	for (u32 i = 0; i < nr; i++) {
		struct cluster cluster = {
			.run = t->run,
			.side = side,
			.stratum = (first + i) / CLUSTERS_A_STRATUM,
			.of_requests = clusters_is_of_requests(from, i / CLUSTERS_A_STRATUM),
		};

		if (cluster.of_requests && t->c->options.split < 0)
			cluster.requests = clusters_nr_requests(from, i);
		g_array_append_val(all, cluster);
	}
}

static void take_parts(struct taker *t, const struct hist *hist)
{
	const GArray *parts = hist_parts(hist);
	u32 nr = hist_nr(hist), nr_sides = t->c->options.nr_sides;

	t->sides = g_new(s32, nr + 1);
	t->rows = g_new(s64, nr + 1);
	t->clusters = g_new0(u32, nr_sides);
	for (u32 i = 0; i < nr_sides; i++)
		if (t->c->options.split >= 0 || i == t->side)
			add_clusters(t, i);
	for (u32 i = 0; i < nr; i++) {
		const struct hist_entry *entry = hist_at(hist, i);

		t->sides[i] = entry->shown ? side_of(t, entry) : -1;
		t->rows[i] = -1;
	}
	for (u32 i = 0; i < parts->len; i++)
		take_part(t, hist, &g_array_index(parts, struct hist_part, i));
	g_free(t->sides);
	g_free(t->rows);
	g_free(t->clusters);
}

static void add_to_run(GArray *sums, u32 run, const struct compare_sum *sum)
{
	if (sums->len <= run)
		g_array_set_size(sums, run + 1);
	compare_sum_add(&g_array_index(sums, struct compare_sum, run), sum);
}

static void take_event(struct taker *t, const struct profile_event *pe)
{
	const struct profile_totals *totals = &g_array_index(pe->totals, struct profile_totals, 0);
	struct compare_sum shown = { totals->shown_period, totals->shown_samples };
	struct compare_sum all = { totals->period, totals->samples };

	if (t->c->options.relative)
		all = shown;
	t->event = find_event(t->c, t->run, g_ptr_array_index(pe->evsels, 0));
	if (!t->event)
		return;
	add_to_run(t->event->own->run_sums, t->run, &all);
	add_to_run(t->event->own->run_shown, t->run, &shown);
	if (t->c->options.split < 0) {
		compare_sum_add(&t->event->totals[t->side], &all);
		compare_sum_add(&t->event->shown[t->side], &shown);
	}
	take_parts(t, pe->hist);
}

static bool has_chains(const struct profile *profile)
{
	bool has = false;

	for (u32 i = 0; i < profile->events->len; i++)
		has |= ((const struct profile_event *)profile->events->pdata[i])->has_chains;
	return has;
}

static bool check_profile(const struct comparison *c, const struct profile *profile,
			  const char *path, GError **error)
{
	if (profile->folded_samples)
		return error_set(error, PERF_ERROR_USAGE,
				 "%s: there are too many ids to compare one by one: compare by "
				 "names",
				 path);
	if (c->options.chains && !has_chains(profile))
		return error_set(error, PERF_ERROR_ABSENT,
				 "%s: -g compares call chains, and no sample has one: use perf "
				 "record -g",
				 path);
	return true;
}

static void begin_keys(struct taker *t)
{
	t->known = g_new0(struct known_keys, t->groups->len);
	t->now = g_new0(struct known_key, t->groups->len);
	for (u32 i = 0; i < t->groups->len; i++) {
		table_init(&t->known[i].index);
		t->known[i].all = g_array_new(FALSE, FALSE, sizeof(struct known_key));
	}
	t->words = g_new0(u64, MAX(t->c->nr_keys, 1));
	t->texts = g_new0(u32, MAX(t->c->nr_keys, 1));
}

static void end_keys(struct taker *t)
{
	for (u32 i = 0; i < t->groups->len; i++) {
		table_release(&t->known[i].index);
		g_array_unref(t->known[i].all);
	}
	g_free(t->known);
	g_free(t->now);
	g_free(t->words);
	g_free(t->texts);
}

void comparison_learn(struct comparison *c, u32 side, struct compare_names *names)
{
	compare_functions_learn(c->functions, !side, names);
}

const char *comparison_plain_text(const struct comparison *c, u32 text)
{
	u32 plain = GPOINTER_TO_UINT(g_hash_table_lookup(c->plain, GUINT_TO_POINTER(text)));

	return intern_text(c->texts, plain ? plain : text);
}

bool comparison_take(struct comparison *c, u32 side, const struct profile *profile,
		     struct compare_names *names, const struct compare_recording *recording,
		     GError **error)
{
	const GPtrArray *groups = profile->options.columns->groups;
	struct compare_run *run;
	struct taker t = { .c = c,
			   .profile = profile,
			   .names = names,
			   .groups = groups,
			   .run = c->runs->len,
			   .side = side,
			   .nr_groups = c->nr_keys - c->options.chains };

	if (!check_profile(c, profile, recording->path, error))
		return false;
	run = g_new0(struct compare_run, 1);
	run->is = *recording;
	run->is.path = g_strdup(recording->path);
	run->side = side;
	g_ptr_array_add(c->runs, run);
	compare_lines_begin(c->lines, session_packed(profile->lexicon->session));
	comparison_learn(c, side, names);
	t.chains = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	begin_keys(&t);
	for (u32 i = 0; i < profile->events->len; i++)
		take_event(&t, g_ptr_array_index(profile->events, i));
	end_keys(&t);
	g_hash_table_unref(t.chains);
	return true;
}

/* Sorts by row or by cluster, which are below @nr_values; those of one value keep their order. Linear: there may be millions. */
static void sort_parts_by(const struct cluster_part *from, struct cluster_part *to, u32 nr,
			  u32 nr_values, bool by_row)
{
	g_autofree u32 *starts = g_new0(u32, (size_t)nr_values + 1);

	for (u32 i = 0; i < nr; i++)
		starts[(by_row ? from[i].row : from[i].cluster) + 1]++;
	for (u32 i = 0; i < nr_values; i++)
		starts[i + 1] += starts[i];
	for (u32 i = 0; i < nr; i++)
		to[starts[by_row ? from[i].row : from[i].cluster]++] = from[i];
}

void compare_sort_parts(struct compare_event *event)
{
	GArray *parts = event->own->parts;
	struct cluster_part *all = (struct cluster_part *)(void *)parts->data;
	g_autofree struct cluster_part *sorted = g_new(struct cluster_part, parts->len);
	u32 kept = 0;

	if (!parts->len)
		return;
	sort_parts_by(all, sorted, parts->len, event->own->clusters->len, false);
	sort_parts_by(sorted, all, parts->len, event->rows->len, true);
	for (u32 i = 1; i < parts->len; i++) {
		if (all[kept].row != all[i].row || all[kept].cluster != all[i].cluster)
			all[++kept] = all[i];
		else
			compare_sum_add(&all[kept].sum, &all[i].sum);
	}
	g_array_set_size(parts, kept + 1);
}
