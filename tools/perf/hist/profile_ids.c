// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the ids with the most time, in a pass over the samples that makes no rows. If the fields of ids need no fact
 * that differs in each sample, the pass takes samples by numbers (session_feed()). Each number of a where() stands for
 * one id of each such field.
 */
#include "hist/profile_private.h"
#include "perfdata/read/reader.h"

struct weighing {
	struct session_feed base;
	struct profile *profile;
	GPtrArray *fields; /* const struct field *: those of ids */
	GArray *ids;	   /* u32, one of each field by number; NO_ROW: not counted */
};
#define NO_ROW UINT32_MAX

static struct weighing *weighing_of(struct session_feed *base)
{
	return container_of(base, struct weighing, base);
}

static bool has_row(const struct profile *p, const struct place *place, u32 filtered)
{
	return profile_has_row(p, filtered) && !(p->options.no_unresolved && !place->ip->symbol);
}

static void take_where(struct session_feed *base, const struct place *place, u32 filtered)
{
	struct weighing *w = weighing_of(base);
	bool row = has_row(w->profile, place, filtered);

	for (u32 i = 0; i < w->fields->len; i++) {
		u32 id = row ? field_id(w->fields->pdata[i], w->profile->lexicon, place) : NO_ROW;

		g_array_append_val(w->ids, id);
	}
}

static void take_who(struct session_feed *base, const struct place *place)
{
}

static void add(struct session_feed *base, const struct session_share *shares, u32 nr)
{
	struct weighing *w = weighing_of(base);
	const u32 *ids = (const void *)w->ids->data;

	for (u32 i = 0; i < nr; i++)
		for (u32 k = 0; k < w->fields->len; k++) {
			u32 id = ids[(size_t)shares[i].where * w->fields->len + k];

			if (id != NO_ROW)
				lexicon_weigh_id(w->profile->lexicon, id, shares[i].period);
		}
}

static void forget(struct session_feed *base)
{
	g_array_set_size(weighing_of(base)->ids, 0);
}

static bool take_sample(const struct place *place, u32 filtered, void *arg, GError **error)
{
	const struct weighing *w = arg;
	u64 period = profile_period(w->profile, place);

	if (!has_row(w->profile, place, filtered))
		return true;
	for (u32 i = 0; i < w->fields->len; i++)
		lexicon_weigh_id(w->profile->lexicon,
				 field_id(w->fields->pdata[i], w->profile->lexicon, place), period);
	return true;
}

bool profile_weigh_ids(struct profile *p, GError **error)
{
	const GPtrArray *groups = p->options.columns->groups;
	struct weighing w = {
		.base = { .where = take_where, .who = take_who, .add = add, .forget = forget },
		.profile = p,
		.fields = g_ptr_array_new(),
		.ids = g_array_new(FALSE, FALSE, sizeof(u32)),
	};
	bool ok;

	for (u32 i = 0; i < groups->len; i++) {
		const struct field *field = groups->pdata[i];

		if (!field->id)
			continue;
		g_ptr_array_add(w.fields, (void *)field);
		w.base.needs |= field->needs;
	}
	/* The weight is the sample's own. */
	w.base.needs |= p->options.memory ? NEED_SAMPLE : 0;
	ok = session_can_feed(p->session, w.base.needs)
		     ? session_feed(p->session, &w.base, error)
		     : session_each_sample(p->session, w.base.needs, take_sample, &w, error);
	g_ptr_array_unref(w.fields);
	g_array_unref(w.ids);
	return ok;
}
