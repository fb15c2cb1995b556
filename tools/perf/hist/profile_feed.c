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
#include "perfdata/event.h"

/* What only who() is told of. */
#define NEEDS_OF_WHO (NEED_THREAD | NEED_COMM | NEED_CPU)

/* The words in front of the keys. */
enum { WHERE_SLOT, WHERE_MODE, WHERE_STACK, WHERE_SHOWN, WHERE_KEYS };
enum { WHO_THREAD, WHO_KEYS };

#define LACKS_WORDS ((u32)(sizeof(struct lacks) + sizeof(u64) - 1) / (u32)sizeof(u64))

struct where {
	u32 slot;
	u32 tuple;
	u32 lacks; /* in feed.lacks */
	u16 filtered;
	bool left_out; /* counts nowhere */
	bool chain;
};

struct feed {
	struct session_feed base;
	struct profile *profile;
	GArray *wheres; /* struct where, by number */
	GArray *whos;	/* u32, by number: its tuple */
	struct tuples *where_tuples, *who_tuples;
	struct tuples *lacks; /* struct lacks as words */
	GArray *shown;	      /* u64 by lacks: samples */
	struct pairs *pairs;
	u64 *words; /* of one tuple */
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

static u32 number_of_lacks(struct feed *f, const struct place *place)
{
	u64 words[LACKS_WORDS] = { 0 };
	struct lacks lacks;
	u32 number;

	profile_lacks(f->profile, place, &lacks);
	memcpy(words, &lacks, sizeof(lacks));
	number = tuples_id(f->lacks, words);
	if (number >= f->shown->len)
		g_array_set_size(f->shown, number + 1);
	return number;
}

static void take_where(struct session_feed *base, const struct place *place, u32 filtered)
{
	struct feed *f = feed_of(base);
	struct profile *p = f->profile;
	struct where new = { .slot = profile_slot(p, place->session, place->evsel),
			     .lacks = number_of_lacks(f, place),
			     .filtered = (u16)filtered };

	new.left_out = p->options.no_unresolved && !place->ip->symbol;
	new.chain = place->nr_chain && (p->options.chains || p->options.children);
	if (!new.left_out && profile_has_row(p, filtered)) {
		f->words[WHERE_SLOT] = new.slot;
		f->words[WHERE_MODE] = profile_mode(place->cpumode);
		f->words[WHERE_SHOWN] = !filtered;
		take_keys(f, place, false, f->words + WHERE_KEYS);
		f->words[WHERE_STACK] = new.chain ? profile_stack(p, place) : 0;
		new.tuple = tuples_id(f->where_tuples, f->words);
	}
	g_array_append_val(f->wheres, new);
}

static void take_who(struct session_feed *base, const struct place *place)
{
	struct feed *f = feed_of(base);
	u32 tuple;

	f->words[WHO_THREAD] = (uintptr_t)(base->needs & NEED_THREAD ? place->thread : NULL);
	take_keys(f, place, true, f->words + WHO_KEYS);
	tuple = tuples_id(f->who_tuples, f->words);
	g_array_append_val(f->whos, tuple);
}

/* So many are summed at a time. */
#define AT_ONCE 16u

static bool count(struct feed *f, const struct session_share *share, struct pair *pair)
{
	const struct where *where = &g_array_index(f->wheres, struct where, share->where);
	struct slot *slot = profile_slot_at(f->profile, where->slot);
	struct profile_totals *t = profile_totals_of(slot);

	if (where->left_out)
		return false;
	t->period += share->period;
	t->samples++;
	if (!where->filtered) {
		t->shown_period += share->period;
		t->shown_samples++;
		g_array_index(f->shown, u64, where->lacks)++;
	}
	if (!profile_has_row(f->profile, where->filtered))
		return false;
	if (where->chain) {
		t->chain_period += share->period;
		slot->event->has_chains = true;
	}
	*pair = (struct pair){ where->tuple, g_array_index(f->whos, u32, share->who), 1,
			       share->period };
	return true;
}

static void add_some(struct feed *f, const struct session_share *shares, u32 nr)
{
	struct pair pairs[AT_ONCE];
	u32 nr_pairs = 0;

	for (u32 i = 0; i < nr; i++)
		__builtin_prefetch(&g_array_index(f->wheres, struct where, shares[i].where));
	for (u32 i = 0; i < nr; i++)
		nr_pairs += count(f, &shares[i], &pairs[nr_pairs]);
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

static void settle_pair(struct feed *f, const struct pair *pair)
{
	struct profile *p = f->profile;
	const u64 *where = tuples_at(f->where_tuples, pair->where);
	const u64 *who = tuples_at(f->who_tuples, pair->who);
	const struct slot *slot = profile_slot_at(p, (u32)where[WHERE_SLOT]);
	struct hist_weight weight = { .samples = pair->samples,
				      .period = pair->period,
				      .mode = (enum hist_mode)where[WHERE_MODE] };
	struct hist *hist = slot->event->taken;
	struct hist_entry *entry;

	join_keys(f, where, who, p->own->keys);
	if (p->max_rows && profile_fold_ids(p, hist, p->own->keys))
		p->folded_samples += pair->samples;
	entry = hist_add(hist, p->own->keys, slot->member, &weight,
			 (const struct thread *)(uintptr_t)who[WHO_THREAD]);
	entry->shown |= where[WHERE_SHOWN];
	if (where[WHERE_STACK])
		hist_add_stack(hist, entry, slot->member, (u32)where[WHERE_STACK], &weight);
}

static void settle(struct feed *f)
{
	for (u32 i = 0; i < pairs_nr(f->pairs); i++)
		settle_pair(f, pairs_at(f->pairs, i));
	for (u32 i = 0; i < f->shown->len; i++) {
		struct lacks lacks;

		memcpy(&lacks, tuples_at(f->lacks, i), sizeof(lacks));
		profile_count(f->profile, &lacks, g_array_index(f->shown, u64, i));
	}
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
		.wheres = g_array_new(FALSE, FALSE, sizeof(struct where)),
		.whos = g_array_new(FALSE, FALSE, sizeof(u32)),
		.lacks = tuples_new(LACKS_WORDS),
		.shown = g_array_new(FALSE, TRUE, sizeof(u64)),
		.pairs = pairs_new(),
		.words = g_new0(u64, WHERE_KEYS + nr_groups),
	};
	u32 nr_who = 0;
	bool ok;

	for (u32 i = 0; i < nr_groups; i++)
		nr_who += is_of_who(p->options.columns->groups->pdata[i]);
	f.where_tuples = tuples_new(WHERE_KEYS + nr_groups - nr_who);
	f.who_tuples = tuples_new(WHO_KEYS + nr_who);
	ok = session_feed(p->session, &f.base, error);
	if (ok)
		settle(&f);
	g_array_unref(f.wheres);
	g_array_unref(f.whos);
	g_array_unref(f.shown);
	tuples_free(f.lacks);
	tuples_free(f.where_tuples);
	tuples_free(f.who_tuples);
	pairs_free(f.pairs);
	g_free(f.words);
	return ok;
}
