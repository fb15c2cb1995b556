// SPDX-License-Identifier: GPL-2.0-or-later
#include "annotate/annotation.h"

#include "perfdata/event.h"
#include "perfdata/evsel.h"
#include "perfdata/read/reader.h"
#include "resolve/waited.h"

/* Facts that only who() of session_feed gets. where() gets all other facts, so no key can need both. */
#define NEED_OF_WHO (NEED_THREAD | NEED_COMM | NEED_CPU)

/* A place, for those of its samples that no filter keeps out. */
struct share {
	struct type_sample sample;
	struct access access;
	const struct code *sampled; /* the instruction that they name */
	bool late; /* they are charged to it, although the event names a later instruction than that which waited */
	bool left_out;
};

static void count_for(GArray *counts, const struct dso *dso, u64 nr)
{
	u32 id = dso_id(dso);

	if (counts->len <= id)
		g_array_set_size(counts, id + 1);
	g_array_index(counts, u64, id) += nr;
}

static void count_insn(struct annotation *a, const struct share *share)
{
	const struct code *ip = share->sample.ip;
	char name[32], operands[192];
	struct insn_count *count;
	const u8 *code;
	size_t left;

	code = ip->dso ? dso_listed_code(ip->dso, a->decoder, ip->vaddr, &left) : NULL;
	if (!code || !ip->symbol)
		return;
	insn_text(a->decoder, code, left, ip->vaddr, name, operands);
	count = g_hash_table_lookup(a->insns, name);
	if (!count) {
		count = g_new0(struct insn_count, 1);
		g_strlcpy(count->name, name, sizeof(count->name));
		g_hash_table_insert(a->insns, count->name, count);
	}
	if (share->access.how != ACCESS_UNKNOWN)
		count->good += share->sample.count.samples;
	else
		count->bad += share->sample.count.samples;
}

/* Called when all events are known. */
static void begin(struct annotation *a)
{
	if (a->nr_events)
		return;
	a->nr_events = perfdata_evsels(session_perfdata(a->options.session))->len;
	a->types = type_profiles_new(a->nr_events);
	a->code = code_profiles_new(a->nr_events);
}

static void take_share(struct annotation *a, struct share *share)
{
	struct type_sample *sample = &share->sample;
	struct dso *dso = sample->ip->dso;
	u64 nr = sample->count.samples;

	if (share->left_out || !nr)
		return;
	a->samples += nr;
	if (a->options.code) {
		code_profiles_add(a->code, sample->ip, sample->event, &sample->count);
		code_profiles_add_sampled(a->code, share->sampled, sample->event, &sample->count);
	}
	if (!a->options.types)
		return;
	sample->access = &share->access;
	type_profiles_add(a->types, sample);
	if (share->access.why == ACCESS_NO_DEBUGINFO && dso)
		count_for(a->without_debug, dso, nr);
	if (dso && dso_is_by_btf(dso))
		a->by_btf += nr;
	if (share->access.why == ACCESS_NO_MEMORY && share->late)
		a->without_memory += nr;
	if (a->options.insns)
		count_insn(a, share);
}

static bool is_wanted(const struct annotation *a, const struct place *place)
{
	const struct annotation_options *o = &a->options;

	for (u32 i = 0; i < terms_nr(o->only); i++) {
		const struct term *only = terms_at(o->only, i);

		if (!term_matches(only, o->lexicon,
				  only->field->key(only->field, o->lexicon, place)))
			return false;
	}
	return true;
}

static struct share share_of(const struct annotation *a, const struct place *place, u32 filtered)
{
	const struct annotation_options *o = &a->options;
	struct share share = { .sample = { .ip = place->ip,
					   .event = place->evsel->idx,
					   .moved = place->ip != place->sampled },
			       .sampled = place->sampled };

	share.left_out = filtered || share.sample.event >= a->nr_events || !is_wanted(a, place);
	share.late = session_names_later(o->session, place->evsel);
	if (place->access)
		share.access = *place->access;
	if (o->by && !share.left_out)
		share.sample.by = o->by->key(o->by, o->lexicon, place);
	return share;
}

static bool take_sample(const struct place *place, u32 filtered, void *arg, GError **error)
{
	struct annotation *a = arg;
	struct share share;

	begin(a);
	share = share_of(a, place, filtered);
	share.sample.count = (struct type_count){ 1, evsel_period(place->evsel, place->sample) };
	take_share(a, &share);
	return true;
}

/* Takes samples as two numbers (session_feed): each place is read once. */
struct annotation_feed {
	struct session_feed base;
	struct annotation *annotation;
	GArray *shares; /* struct share, by the number of where */
};

static struct annotation_feed *feed_of(struct session_feed *base)
{
	return container_of(base, struct annotation_feed, base);
}

static void take_where(struct session_feed *base, const struct place *place, u32 filtered)
{
	struct annotation_feed *f = feed_of(base);
	struct share share = share_of(f->annotation, place, filtered);

	g_array_append_val(f->shares, share);
}

static void take_who(struct session_feed *base, const struct place *place)
{
}

static void add_samples(struct session_feed *base, const struct session_share *shares, u32 nr)
{
	struct annotation_feed *f = feed_of(base);

	for (u32 i = 0; i < nr; i++) {
		struct share *share = &g_array_index(f->shares, struct share, shares[i].where);

		share->sample.count.samples++;
		share->sample.count.period += shares[i].period;
	}
}

static void take_all(struct session_feed *base)
{
	struct annotation_feed *f = feed_of(base);

	for (u32 i = 0; i < f->shares->len; i++)
		take_share(f->annotation, &g_array_index(f->shares, struct share, i));
	g_array_set_size(f->shares, 0);
}

static u32 needs_of(const struct annotation_options *o)
{
	u32 needs = NEED_SYMBOL | NEED_CHARGED | (o->types ? NEED_DATA_TYPE : 0) |
		    (o->by ? o->by->needs : 0);

	for (u32 i = 0; i < terms_nr(o->only); i++)
		needs |= terms_at(o->only, i)->field->needs;
	return needs;
}

bool annotation_read(struct annotation *a, GError **error)
{
	struct annotation_feed f = { .base = { .needs = needs_of(&a->options),
					       .where = take_where,
					       .who = take_who,
					       .add = add_samples,
					       .forget = take_all },
				     .annotation = a };
	struct session *session = a->options.session;
	bool ok;

	if (f.base.needs & NEED_OF_WHO || !session_can_feed(session, f.base.needs))
		return session_each_sample(session, f.base.needs, take_sample, a, error);
	begin(a);
	f.shares = g_array_new(FALSE, FALSE, sizeof(struct share));
	ok = session_feed(session, &f.base, error);
	take_all(&f.base);
	g_array_unref(f.shares);
	return ok;
}

struct annotation *annotation_new(const struct annotation_options *options)
{
	struct annotation *a = g_new0(struct annotation, 1);

	a->options = *options;
	a->options.only = terms_copy(options->only);
	a->decoder = insn_decoder_new(INSN_X86_64, NULL);
	a->insns = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
	a->without_debug = g_array_new(FALSE, TRUE, sizeof(u64));
	return a;
}

void annotation_free(struct annotation *a)
{
	if (!a)
		return;
	type_profiles_free(a->types);
	code_profiles_free(a->code);
	insn_decoder_free(a->decoder);
	g_hash_table_unref(a->insns);
	g_array_unref(a->without_debug);
	g_array_unref((GArray *)a->options.only);
	g_free(a);
}
