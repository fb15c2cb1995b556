// SPDX-License-Identifier: GPL-2.0-or-later
#include "advise/advice.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "advise/risks.h"
#include "fields/fields.h"

#define FEWEST	     30u   /* samples on a type, for a proposal */
#define LEAST_SAVED  0.003 /* of all time, at the low end of the interval */
#define CONFIDENCE   1.96
#define LEAST_CLOSED 16u /* a proposal for bytes saves a part of this many */
#define LITTLE	     1e-9
#define FURTHER	     0.25 /* cost of a further line of an object, in that of its first one */
#define POINTER_SIZE 8u
#define LEAST_COLD   24u /* bytes that are worth a pointer */
#define MOST_ALIGNED 8u	 /* members that get a line of their own */

static const struct {
	const char *word;
	bool applies;
} kinds[NR_ADVICE_KINDS] = {
	[ADVICE_REORDER] = { "reorder", true }, [ADVICE_CLOSE] = { "close", true },
	[ADVICE_ALIGN] = { "align", true },	[ADVICE_SPLIT] = { "split", false },
	[ADVICE_ARRAYS] = { "arrays", false },
};

const char *advice_kind_word(enum advice_kind kind)
{
	return kinds[kind].word;
}

bool advice_kind_parse(const char *word, enum advice_kind *kind)
{
	for (u32 i = 0; i < NR_ADVICE_KINDS; i++) {
		*kind = i;
		if (!strcmp(kinds[i].word, word))
			return true;
	}
	return false;
}

bool advice_applies(enum advice_kind kind)
{
	return kinds[kind].applies;
}

/* 1 - after / before of what a use costs that loads so many lines of an object. */
static double saved_of(const struct advice_list *l, const struct advise_use *use, double before,
		       double after)
{
	double further = l->unit == ADVICE_MISSES ? 1 : use->follows ? 0 : FURTHER;

	if (before <= 0)
		return 0;
	return 1 - (1 + further * (after - 1)) / (1 + further * (before - 1));
}

/* Samples fall on uses as balls into boxes: the variance of the saving is that of a weighted sum of multinomial shares. */
static void add_use(const struct advice_list *l, struct advice *a, double *squares,
		    const struct advise_use *use, double before, double after)
{
	double share = l->total.period ? (double)use->count.period / (double)l->total.period : 0;
	double saved = saved_of(l, use, before, after);

	a->saved += share * saved;
	*squares += share * saved * saved;
	a->most += share * (before > 0 ? 1 - after / before : 0);
}

static void set_interval(const struct advice_list *l, struct advice *a, double squares)
{
	double variance = (squares - a->saved * a->saved) / (double)MAX(l->total.samples, 1);
	double half = CONFIDENCE * sqrt(MAX(variance, 0));

	a->low = a->saved - half;
	a->high = MIN(a->saved + half, 1);
}

static void set_saved(const struct advice_list *l, struct advice *a)
{
	double squares = 0;

	a->lines = advise_lines(&a->after, &l->uses, l->line_size);
	if (l->unit == ADVICE_NEITHER)
		return;
	for (u32 i = 0; i < l->uses.uses->len; i++) {
		const struct advise_use *use = advise_use(&l->uses, i);

		add_use(l, a, &squares, use, advise_use_lines(&l->before, use, l->line_size),
			advise_use_lines(&a->after, use, l->line_size));
	}
	set_interval(l, a, squares);
}

static bool is_worth(const struct advice *a)
{
	return a->low >= LEAST_SAVED;
}

static void add(struct advice_list *l, struct advice *a, bool wanted)
{
	a->moved = advise_layout_moved(&a->after);
	if (wanted)
		g_array_append_vals(l->list, a, 1);
	else
		advise_layout_release(&a->after);
}

static struct advice start(const struct advice_list *l, enum advice_kind kind)
{
	struct advice a = { .kind = kind };

	advise_layout_copy(&a.after, &l->before);
	return a;
}

/* Worth it for its bytes, even if no use touches fewer lines; never if one touches more. */
static bool closes(const struct advice_list *l, const struct advice *close)
{
	return close->after.size < l->before.size &&
	       close->after.size + l->before.size / LEAST_CLOSED <= l->before.size &&
	       close->saved >= 0 && close->lines <= l->lines + LITTLE;
}

/* Both change the order. Where one does what the other does, too, it is that one alone. */
static void add_orders(struct advice_list *l)
{
	struct advice order = start(l, ADVICE_REORDER), close = start(l, ADVICE_CLOSE);
	bool by_order, by_close;

	advise_layout_best(&order.after, &l->parts, &l->uses, l->line_size);
	set_saved(l, &order);
	advise_layout_smallest(&close.after, &l->parts);
	set_saved(l, &close);
	by_order = is_worth(&order);
	by_close = closes(l, &close);
	if (by_order && by_close && close.lines <= order.lines + LITTLE &&
	    close.after.size <= order.after.size)
		by_order = false;
	else if (by_order && order.after.size <= close.after.size)
		by_close = false;
	add(l, &order, by_order);
	add(l, &close, by_close);
}

static void add_split(struct advice_list *l)
{
	struct advice a = start(l, ADVICE_SPLIT);
	u64 cold = 0;

	for (u32 i = 0; i < l->parts.parts->len; i++) {
		const struct advise_part *part = advise_part(&l->parts, i);

		if (part->place != PART_FREE || advise_is_touched(&l->uses, i))
			continue;
		cold += part->size;
		a.after.offset[i] = ADVISE_ABSENT;
	}
	advise_layout_place(&a.after, &l->parts);
	a.after.size = advise_align(advise_align(a.after.size, POINTER_SIZE) + POINTER_SIZE,
				    MAX(a.after.least, POINTER_SIZE));
	set_saved(l, &a);
	add(l, &a,
	    cold >= LEAST_COLD && a.after.size <= l->before.size - l->before.size / 4 &&
		    is_worth(&a));
}

static u64 bytes_of(const struct advise_use *use)
{
	u64 bytes = 0;

	for (u32 i = 0; i < use->parts->len; i++) {
		const struct use_part *p = &g_array_index(use->parts, struct use_part, i);

		bytes += p->to - p->from;
	}
	return bytes;
}

/* A loop over an array of structures that needs a quarter of each: arrays of members have all of a line in use. */
static void add_arrays(struct advice_list *l)
{
	struct advice a = start(l, ADVICE_ARRAYS);
	double squares = 0, lines = 0, weights = 0;

	for (u32 i = 0; i < l->uses.uses->len; i++) {
		const struct advise_use *use = advise_use(&l->uses, i);
		double before = advise_use_lines(&l->before, use, l->line_size), after = before;
		u64 bytes = bytes_of(use);

		/* Each line of neighbours is loaded once. */
		if (use->steps && use->loop)
			before = MIN(before, (double)l->before.size / l->line_size);
		if (use->steps && use->loop && bytes <= l->before.size / 4)
			after = MIN(before, (double)bytes / l->line_size);
		add_use(l, &a, &squares, use, before, after);
		lines += (double)use->count.period * after;
		weights += (double)use->count.period;
	}
	set_interval(l, &a, squares);
	a.lines = weights > 0 ? lines / weights : 0;
	add(l, &a, is_worth(&a));
}

/* Rows of the type that cost because of its layout. */
static bool is_false_sharing(const struct advice_list *l, const struct sharing *s,
			     const struct sharing_row *row)
{
	return (row->kind == SHARING_MEMBERS || row->kind == SHARING_NEIGHBOUR) && row->typed &&
	       row->offset >= 0 &&
	       !strcmp(intern_text(s->lexicon->texts, row->type), type_shown_name(l->parts.type));
}

/* Written parts get lines of their own, and so does what follows them. */
static void align_parts(struct advice_list *l, struct advise_layout *after, const bool *alone)
{
	bool before = false;

	for (u32 i = 0; i < l->parts.parts->len; i++) {
		if (alone[i] || before)
			after->align[i] = MAX(after->align[i], l->line_size);
		before = alone[i];
	}
	after->least = MAX(after->least, l->line_size);
	advise_layout_place(after, &l->parts);
}

static void add_align(struct advice_list *l, const struct sharing *s)
{
	g_autofree bool *alone = g_new0(bool, l->parts.parts->len);
	struct advice a = start(l, ADVICE_ALIGN);
	u64 period = 0, samples = 0;
	u32 nr = 0;

	for (u32 i = 0; s && i < s->rows->len; i++) {
		const struct sharing_row *row = &g_array_index(s->rows, struct sharing_row, i);
		s32 part;

		if (!is_false_sharing(l, s, row))
			continue;
		period += row->period;
		samples += row->samples;
		part = advise_part_at(&l->parts, (u64)row->offset);
		if (row->kind == SHARING_MEMBERS && row->writes && part >= 0 && !alone[part] &&
		    nr < MOST_ALIGNED) {
			alone[part] = true;
			nr++;
		}
	}
	align_parts(l, &a.after, alone);
	a.most = a.saved = s && s->period ? (double)period / (double)s->period : 0;
	set_interval(l, &a, a.saved);
	add(l, &a, samples >= FEWEST && is_worth(&a));
}

static int compare_advice(const void *pa, const void *pb)
{
	const struct advice *a = pa, *b = pb;

	if (advice_applies(a->kind) != advice_applies(b->kind))
		return advice_applies(a->kind) ? -1 : 1;
	if (a->saved > b->saved || a->saved < b->saved)
		return a->saved > b->saved ? -1 : 1;
	return (a->kind > b->kind) - (a->kind < b->kind);
}

static char *why_nothing(const struct advice_list *l)
{
	if (l->parts.refusal)
		return g_strdup(l->parts.refusal);
	if (l->declared.language == TYPE_LANGUAGE_OTHER)
		return g_strdup("its compiler chooses the order of members");
	if (l->uses.samples < FEWEST)
		return g_strdup_printf("only %" PRIu64 " samples are on it: a proposal needs %u",
				       l->uses.samples, FEWEST);
	return NULL;
}

static char *why_no_proposal(const struct advice_list *l)
{
	switch (l->unit) {
	case ADVICE_TIME:
		return g_strdup("no other layout would certainly save time or bytes");
	case ADVICE_MISSES:
		return g_strdup_printf("no other layout would certainly save %s or bytes",
				       l->event);
	default:
		return g_strdup_printf("another order would not save bytes, and %s counts neither "
				       "time nor cache misses",
				       l->event);
	}
}

static void propose(struct advice_list *l, const struct sharing *sharing)
{
	add_orders(l);
	if (l->unit != ADVICE_NEITHER) {
		add_align(l, sharing);
		add_split(l);
		add_arrays(l);
	}
	g_array_sort(l->list, compare_advice);
	if (!l->list->len)
		l->nothing = why_no_proposal(l);
}

/* Members that another type of the samples begins with, too, stay at the front. */
static void hold_common(struct advice_list *l, const GPtrArray *others)
{
	u32 most = 0;

	for (u32 i = 0; others && !l->parts.refusal && i < others->len; i++) {
		const struct type_profile *other = g_ptr_array_index(others, i);
		u32 nr = advise_parts_common(&l->parts, other->type);

		if (nr <= most)
			continue;
		most = nr;
		l->like = other->type;
	}
	advise_parts_hold(&l->parts, most);
}

/* From data addresses, if there are enough. */
static void see_begins(struct advice_list *l, const struct sharing *s)
{
	if (!s || s->line_size != l->line_size || l->line_size > ADVISE_MOST_LINE)
		return;
	l->begins.line = l->line_size;
	l->begins.size = l->parts.size;
	l->begins.samples = sharing_begins(s, type_shown_name(l->parts.type), l->begins.weights);
	if (l->begins.samples >= FEWEST)
		l->before.begins = &l->begins;
}

struct advice_list *advice_list_new(const struct advice_question *q)
{
	struct advice_list *l = g_new0(struct advice_list, 1);

	advise_parts_init(&l->parts, q->profile->type);
	hold_common(l, q->others);
	type_declared(q->profile->type, &l->declared);
	advise_uses_init(&l->uses, q->profile, q->event, &l->parts, q->types, q->decoder);
	advise_layout_init(&l->before, &l->parts);
	l->line_size = q->line_size;
	l->unit = q->unit;
	l->event = q->event_name;
	l->total = q->total;
	see_begins(l, q->sharing);
	l->list = g_array_new(FALSE, FALSE, sizeof(struct advice));
	l->lines = advise_lines(&l->before, &l->uses, l->line_size);
	l->nothing = why_nothing(l);
	if (!l->nothing)
		propose(l, q->sharing);
	l->risks = advise_risks(q, l);
	l->narrower = advise_narrower(q->values, &l->parts, FEWEST);
	return l;
}

void advice_list_free(struct advice_list *l)
{
	for (u32 i = 0; i < l->list->len; i++)
		advise_layout_release(&g_array_index(l->list, struct advice, i).after);
	g_array_unref(l->list);
	g_ptr_array_unref(l->risks);
	g_ptr_array_unref(l->narrower);
	advise_layout_release(&l->before);
	advise_uses_release(&l->uses);
	advise_parts_release(&l->parts);
	g_free(l->nothing);
	g_free(l);
}
