// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A cross table as small as its limits want it.
 *
 *	frames	those with the least time (with what they call) are cut: their groups are the caller's
 *	sites	those with the least time become number 0
 *	values	of each key: the same
 *	groups	as few as these leave. If still too many, the small ones become one for each thread and
 *		event: they keep their time, and lose what else is known of them.
 *	moments	slices become longer; in the end groups fewer
 *
 * Each step makes a map from old numbers to new ones, and then groups and moments once more.
 */
#include <string.h>

#include "hist/cross_private.h"

static const struct cross_sums *sums_at(const struct cross *c, u32 group)
{
	return &g_array_index(c->own->sums, struct cross_sums, group);
}

static u64 weight_of(const struct cross_sums *sums)
{
	return sums->now.period + sums->before.period;
}

struct ranked {
	u64 weight;
	u32 i;
};

static gint compare_ranked(gconstpointer pa, gconstpointer pb)
{
	const struct ranked *a = pa, *b = pb;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return a->i < b->i ? -1 : a->i > b->i;
}

/* Marks the @nr largest of @weights (u64); of equal ones, the first. */
static bool *heaviest(const GArray *weights, u32 nr)
{
	g_autoptr(GArray)
		ranks = g_array_sized_new(FALSE, FALSE, sizeof(struct ranked), weights->len);
	bool *kept = g_new0(bool, weights->len + 1);

	for (u32 i = 0; i < weights->len; i++) {
		struct ranked rank = { g_array_index(weights, u64, i), i };

		g_array_append_val(ranks, rank);
	}
	g_array_sort(ranks, compare_ranked);
	for (u32 i = 0; i < MIN(nr, ranks->len); i++)
		kept[g_array_index(ranks, struct ranked, i).i] = true;
	return kept;
}

static GArray *new_weights(u32 nr)
{
	GArray *weights = g_array_new(FALSE, TRUE, sizeof(u64));

	g_array_set_size(weights, nr);
	return weights;
}

/* The weights of the groups, by the number in word @w of their tuples. */
static GArray *weigh(const struct cross *c, u32 w, u32 nr)
{
	GArray *weights = new_weights(nr);

	for (u32 i = 0; i < c->own->sums->len; i++)
		g_array_index(weights, u64, tuples_at(c->own->groups, i)[w]) +=
			weight_of(sums_at(c, i));
	return weights;
}

/* Rebuilds groups and moments; @words makes the new tuple of each group. */
typedef bool words_fn(const struct cross *c, void *arg, u32 group, u64 *words);

static void group_again(struct cross *c, words_fn *words, void *arg)
{
	struct cross_own *own = c->own;
	u32 nr_words = GROUP_KEYS + c->options.fields->len;
	struct tuples *groups = tuples_new(nr_words);
	GArray *sums = g_array_new(FALSE, TRUE, sizeof(struct cross_sums));
	g_autofree u32 *to = g_new0(u32, own->sums->len + 1);

	for (u32 i = 0; i < own->sums->len; i++) {
		const struct cross_sums *more = sums_at(c, i);
		struct cross_sums *there;

		memcpy(own->words, tuples_at(own->groups, i), nr_words * sizeof(u64));
		if (words(c, arg, i, own->words))
			c->folded += more->now.samples + more->before.samples;
		to[i] = tuples_id(groups, own->words);
		if (to[i] == sums->len)
			g_array_set_size(sums, to[i] + 1);
		there = &g_array_index(sums, struct cross_sums, to[i]);
		cross_sum_add(&there->now, &more->now);
		cross_sum_add(&there->before, &more->before);
	}
	moments_regroup(&own->now, to);
	moments_regroup(&own->before, to);
	tuples_free(own->groups);
	g_array_unref(own->sums);
	own->groups = groups;
	own->sums = sums;
}

/* Kept frames are numbered in their old order, so parents still come before children. */
static u32 *map_frames(struct cross *c, bool **kept)
{
	struct cross_own *own = c->own;
	u32 nr = own->frame_list->len;
	g_autoptr(GArray) weights = weigh(c, GROUP_FRAME, nr);
	u32 *to = g_new0(u32, nr);

	for (u32 i = nr; --i;)
		g_array_index(weights, u64, tuples_at(own->frames, i)[0]) +=
			g_array_index(weights, u64, i);
	*kept = heaviest(weights, c->options.limits.frames);
	g_array_set_size(c->frames, 1);
	for (u32 i = 1; i < nr; i++) {
		struct cross_frame frame = g_array_index(own->frame_list, struct cross_frame, i);

		frame.parent = to[tuples_at(own->frames, i)[0]];
		to[i] = (*kept)[i] ? c->frames->len : frame.parent;
		if ((*kept)[i])
			g_array_append_val(c->frames, frame);
	}
	return to;
}

static u32 *map_sites(struct cross *c)
{
	struct cross_own *own = c->own;
	g_autoptr(GArray) weights = weigh(c, GROUP_SITE, own->site_list->len);
	g_autofree bool *kept = heaviest(weights, c->options.limits.sites);
	u32 *to = g_new0(u32, own->site_list->len);

	g_array_set_size(c->sites, 1);
	for (u32 i = 1; i < own->site_list->len; i++) {
		if (!kept[i])
			continue;
		to[i] = c->sites->len;
		g_array_append_val(c->sites, g_array_index(own->site_list, struct cross_site, i));
	}
	return to;
}

/* The values of a key: kept ones go into c->values. @to maps the numbers of @numbers to these. */
struct value_map {
	struct tuples *numbers;
	u32 *to;
};

static struct value_map map_values(struct cross *c, u32 key)
{
	const struct field *field = c->options.fields->pdata[key];
	struct value_map map = { .numbers = tuples_new(1) };
	g_autoptr(GArray) weights = new_weights(0);
	g_autofree bool *kept = NULL;
	GArray *values = g_array_new(FALSE, TRUE, sizeof(struct cross_value));

	for (u32 i = 0; i < c->own->sums->len; i++) {
		u32 id = tuples_id(map.numbers, &tuples_at(c->own->groups, i)[GROUP_KEYS + key]);

		if (id == weights->len)
			g_array_set_size(weights, id + 1);
		g_array_index(weights, u64, id) += weight_of(sums_at(c, i));
	}
	kept = heaviest(weights, c->options.limits.values);
	map.to = g_new0(u32, weights->len + 1);
	g_array_set_size(values, 1);
	for (u32 i = 0; i < weights->len; i++) {
		struct cross_value value = { .key = *tuples_at(map.numbers, i) };

		if (!kept[i] || (field->id && value.key == FIELD_OTHERS))
			continue;
		map.to[i] = values->len;
		g_array_append_val(values, value);
	}
	g_ptr_array_add(c->values, values);
	return map;
}

struct maps {
	u32 *frames, *sites;
	bool *whole;		  /* by frame: it is not cut */
	struct value_map *values; /* by key */
};

static bool map_words(const struct cross *c, void *arg, u32 group, u64 *words)
{
	const struct maps *maps = arg;
	bool folded = !maps->whole[words[GROUP_FRAME]];

	words[GROUP_FRAME] = maps->frames[words[GROUP_FRAME]];
	words[GROUP_SITE] = maps->sites[words[GROUP_SITE]];
	folded |= !words[GROUP_SITE];
	for (u32 i = 0; i < c->options.fields->len; i++) {
		u64 *word = &words[GROUP_KEYS + i];

		*word = maps->values[i].to[tuples_id(maps->values[i].numbers, word)];
		folded |= !*word;
	}
	return folded;
}

/* Frames, sites and values are final; from now on groups refer to them by number. */
static void fold_parts(struct cross *c)
{
	u32 nr_keys = c->options.fields->len;
	struct maps maps = { .sites = map_sites(c),
			     .values = g_new0(struct value_map, nr_keys + 1) };

	maps.frames = map_frames(c, &maps.whole);
	for (u32 i = 0; i < nr_keys; i++)
		maps.values[i] = map_values(c, i);
	group_again(c, map_words, &maps);
	for (u32 i = 0; i < nr_keys; i++) {
		tuples_free(maps.values[i].numbers);
		g_free(maps.values[i].to);
	}
	g_free(maps.values);
	g_free(maps.frames);
	g_free(maps.whole);
	g_free(maps.sites);
}

/* Small groups keep event and thread. */
static bool keep_thread(const struct cross *c, void *arg, u32 group, u64 *words)
{
	const bool *kept = arg;

	if (kept[group])
		return false;
	words[GROUP_FRAME] = words[GROUP_SITE] = 0;
	for (u32 i = 0; i < c->options.fields->len; i++) {
		const struct field *field = c->options.fields->pdata[i];

		if (!(field->needs & (NEED_THREAD | NEED_COMM)))
			words[GROUP_KEYS + i] = 0;
	}
	return true;
}

static void fold_groups(struct cross *c, u32 limit)
{
	g_autoptr(GArray) weights = new_weights(c->own->sums->len);
	g_autofree bool *kept = NULL;

	if (c->own->sums->len <= limit)
		return;
	for (u32 i = 0; i < weights->len; i++)
		g_array_index(weights, u64, i) = weight_of(sums_at(c, i));
	kept = heaviest(weights, limit);
	group_again(c, keep_thread, kept);
}

static void fold_moments(struct cross *c, struct moments *m)
{
	for (u32 limit = c->options.limits.groups; m->list->len > c->options.limits.moments;) {
		if (moments_nr_slices(m) > MOMENTS_LEAST_SLICES) {
			moments_widen(m);
		} else {
			limit /= 2;
			if (!limit)
				break;
			fold_groups(c, limit);
		}
	}
}

static struct cross_value *value_of(const struct cross *c, u32 key, u32 value)
{
	return &g_array_index((const GArray *)c->values->pdata[key], struct cross_value, value);
}

static void list_groups(struct cross *c)
{
	for (u32 i = 0; i < c->own->sums->len; i++) {
		const u64 *words = tuples_at(c->own->groups, i);
		const struct cross_sums *sums = sums_at(c, i);
		struct cross_group group = {
			.event = (u32)words[GROUP_EVENT],
			.frame = (u32)words[GROUP_FRAME],
			.site = (u32)words[GROUP_SITE],
			.now = sums->now,
			.before = sums->before,
		};

		g_array_append_val(c->groups, group);
		cross_sum_add(&g_array_index(c->frames, struct cross_frame, group.frame).now,
			      &sums->now);
		cross_sum_add(&g_array_index(c->sites, struct cross_site, group.site).now,
			      &sums->now);
		for (u32 k = 0; k < c->options.fields->len; k++) {
			u32 number = (u32)words[GROUP_KEYS + k];
			struct cross_value *value = value_of(c, k, number);

			g_array_append_val(c->group_values, number);
			cross_sum_add(&value->now, &sums->now);
			cross_sum_add(&value->before, &sums->before);
		}
	}
	for (u32 i = c->frames->len; --i;) {
		const struct cross_frame *f = &g_array_index(c->frames, struct cross_frame, i);

		cross_sum_add(&g_array_index(c->frames, struct cross_frame, f->parent).now,
			      &f->now);
	}
}

static gint compare_moments(gconstpointer pa, gconstpointer pb)
{
	const struct cross_moment *a = pa, *b = pb;

	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	return a->slice < b->slice ? -1 : a->slice > b->slice;
}

/* Both timelines are drawn to one scale. */
static void fold_to_one_scale(struct cross *c)
{
	struct moments *now = &c->own->now, *before = &c->own->before;

	fold_moments(c, now);
	fold_moments(c, before);
	if (now->list->len && before->list->len) {
		while (now->shift < before->shift)
			moments_widen(now);
		while (before->shift < now->shift)
			moments_widen(before);
	}
	c->slice_ns = 1ull << (now->list->len ? now : before)->shift;
}

static void list_moments(const struct moments *m, struct cross_times *times)
{
	if (!m->list->len)
		return;
	times->first_ns = m->least << m->shift;
	times->nr_slices = (u32)moments_nr_slices(m);
	for (u32 i = 0; i < m->list->len; i++) {
		struct cross_moment moment = g_array_index(m->list, struct cross_moment, i);

		moment.slice = (u32)(g_array_index(m->slices, u64, i) - m->least);
		g_array_append_val(times->moments, moment);
	}
	g_array_sort(times->moments, compare_moments);
}

void cross_settle(struct cross *c)
{
	fold_parts(c);
	fold_groups(c, c->options.limits.groups);
	fold_to_one_scale(c);
	list_groups(c);
	list_moments(&c->own->now, &c->now);
	list_moments(&c->own->before, &c->before);
}
