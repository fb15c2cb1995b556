// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Samples by numbers (session_feed()). A number of where samples were becomes a tuple of all that a
 * row needs of it: event, mode, chain, keys. So does a number of who they were of. Samples are summed
 * by pairs of tuples; each pair is a row, or a part of one, and gets to it once, at the end.
 */
#include <string.h>

#include "hist/pairs.h"
#include "hist/profile_private.h"
#include "hist/tuples.h"

#define LACKS_WORDS ((sizeof(struct lacks) + sizeof(u64) - 1) / sizeof(u64))

/* Only who() gets these facts. */
#define NEEDS_OF_WHO (NEED_THREAD | NEED_COMM | NEED_CPU)

/* The words in front of the keys: what a row, and the totals, need beside them. */
enum {
	WHERE_SLOT,
	WHERE_FLAGS,
	WHERE_STACK,
	WHERE_REQUEST, /* cluster + 1 */
	WHERE_LACKS,
	WHERE_KEYS = WHERE_LACKS + LACKS_WORDS
};
enum { WHO_THREAD, WHO_CLUSTER, WHO_KEYS };

enum {
	MODE = 7,	  /* enum hist_mode */
	SHOWN = 1 << 3,	  /* no filter keeps it out */
	ROW = 1 << 4,	  /* has a row */
	CHAIN = 1 << 5,	  /* has a call chain */
	COUNTED = 1 << 6, /* is in the totals */
	CHAINED = 1 << 7, /* ... of samples whose event has chains, too */
	CALLED = 1 << 8,  /* a filter keeps it out, but not one of its callers */
};

/* The facts about a number that each sample needs: its tuple, and the tuple's slot and flags. */
struct numbered {
	u32 tuple;
	u32 slot : 23, flags : 9;
};
#define MOST_SLOTS (1u << 23)

struct feed {
	struct session_feed base;
	struct profile *profile;
	/* By number: struct numbered, u32 tuple. There are many numbers, and few tuples. */
	GArray *wheres, *whos;
	struct tuples *where_tuples, *who_tuples;
	struct pairs *pairs;
	u64 *words; /* of one tuple */
	u32 nr_who; /* keys of who */
	GPtrArray *
		entries; /* struct hist_entry * by number of a tuple of where, if who has no part in it */
};

static bool is_of_who(const struct field *field)
{
	return field->needs & NEEDS_OF_WHO;
}

/* Takes the keys of one kind, as many as there are. */
static u32 take_keys(const struct feed *f, const struct place *place, bool of_who, u64 *keys)
{
	const struct profile *p = f->profile;
	const GPtrArray *groups = p->options.columns->groups;
	u32 nr = 0;

	for (u32 i = 0; i < groups->len; i++) {
		const struct field *field = groups->pdata[i];

		if (is_of_who(field) == of_who)
			keys[nr++] = field->key(field, p->lexicon, place);
	}
	return nr;
}

static struct feed *feed_of(struct session_feed *base)
{
	return container_of(base, struct feed, base);
}

static u32 flags_of(const struct profile *p, const struct place *place, u32 filtered)
{
	bool chain = place->nr_chain && (p->options.chains || p->options.children);
	u32 flags = profile_mode(place->cpumode);

	if (p->options.no_unresolved && !place->ip->symbol)
		return 0;
	flags |= COUNTED | (filtered ? 0 : SHOWN) | (chain ? CHAIN : 0);
	flags |= profile_is_chained(p, place->evsel) ? CHAINED : 0;
	flags |= profile_is_called(p, place, filtered) ? CALLED : 0;
	return flags | (profile_has_row(p, filtered) ? ROW : 0);
}

static void take_where(struct session_feed *base, const struct place *place, u32 filtered)
{
	struct feed *f = feed_of(base);
	struct profile *p = f->profile;
	u32 nr_words = WHERE_KEYS + p->options.columns->groups->len;
	u32 slot = profile_slot(p, place->session, place->evsel);
	u32 flags = flags_of(p, place, filtered);
	struct numbered new = { .slot = slot % MOST_SLOTS, .flags = flags & 0x1ff };
	struct lacks lacks;

	memset(f->words, 0, nr_words * sizeof(u64));
	profile_lacks(p, place, &lacks);
	memcpy(f->words + WHERE_LACKS, &lacks, sizeof(lacks));
	f->words[WHERE_SLOT] = slot;
	f->words[WHERE_FLAGS] = flags;
	if (flags & ROW) {
		take_keys(f, place, false, f->words + WHERE_KEYS);
		f->words[WHERE_STACK] = flags & CHAIN ? profile_stack(p, place) : 0;
		if (p->clusters)
			f->words[WHERE_REQUEST] =
				(u64)(clusters_of_request(p->clusters, place) + 1);
	}
	new.tuple = tuples_id(f->where_tuples, f->words);
	g_array_append_val(f->wheres, new);
}

static void take_who(struct session_feed *base, const struct place *place)
{
	struct feed *f = feed_of(base);
	u32 tuple;

	f->words[WHO_THREAD] =
		(uintptr_t)(f->profile->own->row_needs & NEED_THREAD ? place->thread : NULL);
	f->words[WHO_CLUSTER] =
		f->profile->clusters ? clusters_of_thread(f->profile->clusters, place) : 0;
	take_keys(f, place, true, f->words + WHO_KEYS);
	tuple = tuples_id(f->who_tuples, f->words);
	g_array_append_val(f->whos, tuple);
}

/* So many are summed at a time. */
#define AT_ONCE 16u

static void count(struct profile_totals *t, u32 flags, u64 period)
{
	t->period += period;
	t->samples++;
	if (flags & SHOWN) {
		t->shown_period += period;
		t->shown_samples++;
	}
	t->called_period += flags & CALLED ? period : 0;
	if (flags & CHAINED) {
		t->chain_period += period;
		t->shown_chain_period += flags & (SHOWN | CALLED) ? period : 0;
	}
}

static void add_some(struct feed *f, const struct session_share *shares, u32 nr)
{
	const struct numbered *wheres = (const void *)f->wheres->data;
	const u32 *whos = (const void *)f->whos->data;
	struct profile_totals *totals = NULL;
	struct pair pairs[AT_ONCE];
	u32 nr_pairs = 0, last = 0;

	for (u32 i = 0; i < nr; i++)
		__builtin_prefetch(&wheres[shares[i].where]);
	for (u32 i = 0; i < nr; i++) {
		struct numbered where = wheres[shares[i].where];

		if (!(where.flags & COUNTED))
			continue;
		if (!totals || where.slot != last) {
			last = where.slot;
			totals = profile_totals_of(profile_slot_at(f->profile, last));
		}
		count(totals, where.flags, shares[i].period);
		if (where.flags & ROW)
			pairs[nr_pairs++] = (struct pair){ where.tuple, whos[shares[i].who], 1,
							   shares[i].period };
	}
	pairs_add(f->pairs, pairs, nr_pairs);
}

static void add(struct session_feed *base, const struct session_share *shares, u32 nr)
{
	for (u32 done = 0; done < nr; done += AT_ONCE)
		add_some(feed_of(base), shares + done, MIN(nr - done, AT_ONCE));
}

static void forget(struct session_feed *base)
{
	g_array_set_size(feed_of(base)->wheres, 0);
	g_array_set_size(feed_of(base)->whos, 0);
}

/* The whole tuple of a row, in the order of the columns. */
static void join_keys(const struct feed *f, const u64 *where, const u64 *who, u64 *keys)
{
	const GPtrArray *groups = f->profile->options.columns->groups;

	where += WHERE_KEYS;
	who += WHO_KEYS;
	for (u32 i = 0; i < groups->len; i++)
		keys[i] = is_of_who(groups->pdata[i]) ? *who++ : *where++;
}

static struct hist_entry *find_entry(struct feed *f, const struct pair *pair, const u64 *where,
				     const u64 *who, const struct hist_weight *weight)
{
	struct profile *p = f->profile;
	struct slot *slot = profile_slot_at(p, (u32)where[WHERE_SLOT]);
	struct hist *hist = slot->event->taken;

	join_keys(f, where, who, p->own->keys);
	profile_set_hidden(p, p->own->keys, !(where[WHERE_FLAGS] & SHOWN));
	if (p->max_rows && profile_fold_ids(p, hist, p->own->keys))
		p->folded_samples += pair->samples;
	return hist_add(hist, p->own->keys, slot->member, weight,
			(const struct thread *)(uintptr_t)who[WHO_THREAD]);
}

/* The entry of a pair, to which it is added. Without keys of who, it follows from where. */
static struct hist_entry *add_pair(struct feed *f, const struct pair *pair, const u64 *where,
				   const u64 *who, const struct hist_weight *weight)
{
	struct hist_entry **known = (struct hist_entry **)&f->entries->pdata[pair->where];
	const struct slot *slot = profile_slot_at(f->profile, (u32)where[WHERE_SLOT]);

	if (f->nr_who || f->profile->max_rows)
		return find_entry(f, pair, where, who, weight);
	if (!*known) {
		*known = find_entry(f, pair, where, who, weight);
		return *known;
	}
	hist_add_thread(*known, (const struct thread *)(uintptr_t)who[WHO_THREAD]);
	hist_add_to(*known, slot->member, weight);
	return *known;
}

static void add_part(struct hist *hist, const struct hist_entry *entry, const struct pair *pair,
		     const u64 *where, const u64 *who)
{
	const struct hist_part part = {
		.entry = entry->id,
		.stack = (u32)where[WHERE_STACK],
		.cluster =
			(u32)(where[WHERE_REQUEST] ? where[WHERE_REQUEST] - 1 : who[WHO_CLUSTER]),
		.period = pair->period,
		.samples = pair->samples,
	};

	hist_append_part(hist, &part);
}

static void settle_pair(struct feed *f, const struct pair *pair)
{
	struct profile *p = f->profile;
	const u64 *where = tuples_at(f->where_tuples, pair->where);
	const u64 *who = tuples_at(f->who_tuples, pair->who);
	struct slot *slot = profile_slot_at(p, (u32)where[WHERE_SLOT]);
	struct hist_weight weight = { .samples = pair->samples,
				      .period = pair->period,
				      .mode = (enum hist_mode)(where[WHERE_FLAGS] & MODE) };
	struct hist_entry *entry = add_pair(f, pair, where, who, &weight);

	entry->shown |= (where[WHERE_FLAGS] & SHOWN) != 0;
	slot->event->has_chains |= (where[WHERE_FLAGS] & CHAIN) != 0;
	if (where[WHERE_STACK])
		hist_add_stack(slot->event->taken, entry, slot->member, (u32)where[WHERE_STACK],
			       &weight);
	if (p->clusters && where[WHERE_FLAGS] & SHOWN)
		add_part(slot->event->taken, entry, pair, where, who);
}

/* Each shown tuple of where has a row. So all of its samples are in pairs. */
static void settle_one(const struct pair *pair, void *arg)
{
	struct feed *f = arg;
	const u64 *where = tuples_at(f->where_tuples, pair->where);
	struct lacks lacks;

	settle_pair(f, pair);
	memcpy(&lacks, where + WHERE_LACKS, sizeof(lacks));
	if (where[WHERE_FLAGS] & SHOWN)
		profile_count(f->profile, &lacks, pair->samples);
}

static void settle(struct feed *f)
{
	g_ptr_array_set_size(f->entries, (gint)tuples_nr(f->where_tuples));
	pairs_each(f->pairs, settle_one, f);
}

bool profile_feed(struct profile *p, GError **error)
{
	u32 nr_groups = p->options.columns->groups->len;
	struct feed f = {
		.base = { .needs = p->own->needs,
			  .where = take_where,
			  .who = take_who,
			  .add = add,
			  .forget = forget },
		.profile = p,
		.wheres = g_array_new(FALSE, FALSE, sizeof(struct numbered)),
		.whos = g_array_new(FALSE, FALSE, sizeof(u32)),
		.pairs = pairs_new(),
		.words = g_new0(u64, WHERE_KEYS + nr_groups),
		.entries = g_ptr_array_new(),
	};
	bool ok;

	for (u32 i = 0; i < nr_groups; i++)
		f.nr_who += is_of_who(p->options.columns->groups->pdata[i]);
	f.where_tuples = tuples_new(WHERE_KEYS + nr_groups - f.nr_who);
	f.who_tuples = tuples_new(WHO_KEYS + f.nr_who);
	ok = session_feed(p->session, &f.base, error);
	if (ok)
		settle(&f);
	g_array_unref(f.wheres);
	g_array_unref(f.whos);
	tuples_free(f.where_tuples);
	tuples_free(f.who_tuples);
	pairs_free(f.pairs);
	g_ptr_array_unref(f.entries);
	g_free(f.words);
	return ok;
}
