// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The best order is searched for by moving one part at a time, or exchanging two, as long as that helps, from several first orders. Of 500 small
 * types drawn at random this finds the best of all orders for nearly all (test_advise); for the others, one that is nearly as good.
 */
#include "advise/layouts.h"

#include <string.h>

#define MALLOC_ALIGN 16u
#define MOST_MOVING  64u  /* parts that are moved in the search */
#define MOST_FEW     16u  /* up to so many parts, cold ones are moved, too */
#define MOST_WHOLE   128u /* with more parts, they move only among themselves */
#define LITTLE	     1e-9

void advise_layout_init(struct advise_layout *l, const struct advise_parts *parts)
{
	u32 nr = parts->parts->len;

	*l = (struct advise_layout){ .nr = nr,
				     .order = g_new(u32, nr),
				     .align = g_new(u32, nr),
				     .offset = g_new(u64, nr),
				     .size = parts->size,
				     .least = parts->align };
	for (u32 i = 0; i < nr; i++) {
		l->order[i] = i;
		l->align[i] = advise_part(parts, i)->align;
		l->offset[i] = advise_part(parts, i)->offset;
	}
}

void advise_layout_copy(struct advise_layout *to, const struct advise_layout *from)
{
	*to = *from;
	to->order = g_memdup2(from->order, from->nr * sizeof(*from->order));
	to->align = g_memdup2(from->align, from->nr * sizeof(*from->align));
	to->offset = g_memdup2(from->offset, from->nr * sizeof(*from->offset));
}

void advise_layout_release(struct advise_layout *l)
{
	g_free(l->order);
	g_free(l->align);
	g_free(l->offset);
}

void advise_layout_place(struct advise_layout *l, const struct advise_parts *parts)
{
	u64 at = 0, align = l->least;

	for (u32 i = 0; i < l->nr; i++) {
		u32 part = l->order[i];

		if (l->offset[part] == ADVISE_ABSENT)
			continue;
		at = advise_align(at, l->align[part]);
		align = MAX(align, l->align[part]);
		l->offset[part] = at;
		at += advise_part(parts, part)->size;
	}
	l->size = advise_align(at, align);
}

static u64 common_divisor(u64 a, u64 b)
{
	while (b) {
		u64 rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Objects begin at multiples of this. */
static u64 step_of(const struct advise_layout *l, const struct advise_use *use)
{
	u64 align = l->least;

	for (u32 i = 0; i < l->nr; i++)
		if (l->offset[i] != ADVISE_ABSENT)
			align = MAX(align, l->align[i]);
	return MAX(align, use->steps ? common_divisor(l->size, MALLOC_ALIGN) : MALLOC_ALIGN);
}

/* Lines that the parts of a use touch if the object begins at @base. Few parts: each counts the lines of those before it as its own. */
static u32 lines_at(const struct advise_layout *l, const struct advise_use *use, u64 base, u32 line)
{
	u32 nr = 0;

	for (u32 i = 0; i < use->parts->len; i++) {
		const struct use_part *p = &g_array_index(use->parts, struct use_part, i);
		u64 offset = l->offset[p->part], first, last;

		if (offset == ADVISE_ABSENT)
			continue;
		first = (base + offset + p->from) / line;
		last = (base + offset + MAX(p->to, p->from + 1) - 1) / line;
		nr += (u32)MIN(last - first + 1, UINT16_MAX);
		for (u32 j = 0; j < i; j++) {
			const struct use_part *q = &g_array_index(use->parts, struct use_part, j);
			u64 other = l->offset[q->part];

			if (other == ADVISE_ABSENT)
				continue;
			if ((base + other + q->from) / line <= first &&
			    first <= (base + other + MAX(q->to, q->from + 1) - 1) / line) {
				nr--;
				break;
			}
		}
	}
	return nr;
}

/* A type of another size, or that asks for a larger alignment, does not begin where it did. */
static bool knows_begins(const struct advise_layout *l, u32 line)
{
	u64 align = l->least;

	if (!l->begins || l->begins->size != l->size || l->begins->line != line)
		return false;
	for (u32 i = 0; i < l->nr; i++)
		if (l->offset[i] != ADVISE_ABSENT)
			align = MAX(align, l->align[i]);
	for (u32 base = 0; base < line; base++)
		if (l->begins->weights[base] && base % MIN(align, line))
			return false;
	return true;
}

static double lines_by_begins(const struct advise_layout *l, const struct advise_use *use, u32 line)
{
	double sum = 0, weights = 0;

	for (u32 base = 0; base < line; base++) {
		double weight = (double)l->begins->weights[base];

		if (weight > 0)
			sum += weight * lines_at(l, use, base, line);
		weights += weight;
	}
	return sum / weights;
}

double advise_use_lines(const struct advise_layout *l, const struct advise_use *use, u32 line)
{
	u64 step = step_of(l, use);
	u32 sum = 0, nr = 0;

	if (knows_begins(l, line))
		return lines_by_begins(l, use, line);
	for (u64 base = 0; base < line; base += step, nr++)
		sum += lines_at(l, use, base, line);
	return (double)sum / nr;
}

double advise_lines(const struct advise_layout *l, const struct advise_uses *uses, u32 line)
{
	double sum = 0, weights = 0;

	for (u32 i = 0; i < uses->uses->len; i++) {
		const struct advise_use *use = advise_use(uses, i);

		sum += (double)use->count.period * advise_use_lines(l, use, line);
		weights += (double)use->count.period;
	}
	return weights > 0 ? sum / weights : 0;
}

u32 advise_layout_moved(const struct advise_layout *l)
{
	u32 moved = 0;

	for (u32 i = 0; i < l->nr; i++)
		moved += i ? l->order[i] != l->order[i - 1] + 1 : 2 * (l->order[i] != 0);
	return moved;
}

struct order_search {
	const struct advise_parts *parts;
	const struct advise_uses *uses;
	u32 line;
	u64 room;     /* bytes of the type as it is */
	u64 flexible; /* where its flexible array begins */
	struct {
		double lines;
		u64 size;
		u32 moved;
	} cost;
	struct advise_layout best;
};

/* Where the flexible array begins, which is what an object without elements has in bytes; 0: there is none. */
static u64 flexible_at(const struct advise_layout *l, const struct advise_parts *parts)
{
	u32 last = parts->parts->len - 1;

	return parts->parts->len && advise_part(parts, last)->place == PART_LAST ? l->offset[last]
										 : 0;
}

/* Takes the layout if it is better: fewer lines, fewer bytes, fewer moves. */
static bool try_layout(struct order_search *s, struct advise_layout *l)
{
	double lines;
	u32 moved;
	bool better;

	advise_layout_place(l, s->parts);
	if (l->size > s->room || flexible_at(l, s->parts) > s->flexible)
		return false;
	lines = advise_lines(l, s->uses, s->line);
	moved = advise_layout_moved(l);
	better = lines < s->cost.lines - LITTLE;
	if (!better && lines < s->cost.lines + LITTLE)
		better = l->size < s->cost.size ||
			 (l->size == s->cost.size && moved < s->cost.moved);
	if (!better)
		return false;
	s->cost.lines = lines;
	s->cost.size = l->size;
	s->cost.moved = moved;
	advise_layout_release(&s->best);
	advise_layout_copy(&s->best, l);
	return true;
}

static void move(u32 *order, u32 from, u32 to)
{
	u32 part = order[from];

	if (from < to)
		memmove(order + from, order + from + 1, (to - from) * sizeof(*order));
	else
		memmove(order + to + 1, order + to, (from - to) * sizeof(*order));
	order[to] = part;
}

/* Where free parts may stand: [first, end) of the order. */
static void free_range(const struct advise_parts *parts, u32 *first, u32 *end)
{
	*first = 0;
	*end = parts->parts->len;
	while (*first < *end && advise_part(parts, *first)->place == PART_FIRST)
		++*first;
	while (*end > *first && advise_part(parts, *end - 1)->place == PART_LAST)
		--*end;
}

static void swap(u32 *order, u32 a, u32 b)
{
	u32 part = order[a];

	order[a] = order[b];
	order[b] = part;
}

static bool improve_once(struct order_search *s, u32 nr_touched)
{
	struct advise_layout l;
	u32 first, end, limit, moving = 0;
	bool better = false, few = s->parts->parts->len <= MOST_FEW;

	free_range(s->parts, &first, &end);
	limit = s->parts->parts->len > MOST_WHOLE ? MIN(end, first + nr_touched + 4) : end;
	advise_layout_copy(&l, &s->best);
	for (u32 from = first; from < end && moving < MOST_MOVING; from++) {
		if (!few && !advise_is_touched(s->uses, s->best.order[from]))
			continue;
		moving++;
		for (u32 to = first; to < limit; to++) {
			memcpy(l.order, s->best.order, l.nr * sizeof(*l.order));
			move(l.order, from, to);
			better |= from != to && try_layout(s, &l);
			memcpy(l.order, s->best.order, l.nr * sizeof(*l.order));
			swap(l.order, from, to);
			better |= few && from < to && try_layout(s, &l);
		}
	}
	advise_layout_release(&l);
	return better;
}

struct ranked_part {
	u32 part;
	u32 align;
	double weight; /* the time of the uses that touch it */
};

static double weight_of(const struct order_search *s, u32 part)
{
	double weight = 0;

	for (u32 i = 0; s->uses && i < s->uses->uses->len; i++)
		if (advise_use_part(advise_use(s->uses, i), part))
			weight += (double)advise_use(s->uses, i)->count.period;
	return weight;
}

static int by_weight(const void *pa, const void *pb)
{
	const struct ranked_part *a = pa, *b = pb;

	if (a->weight > b->weight || a->weight < b->weight)
		return a->weight > b->weight ? -1 : 1;
	return (a->part > b->part) - (a->part < b->part);
}

static int by_align(const void *pa, const void *pb)
{
	const struct ranked_part *a = pa, *b = pb;

	if ((a->weight > 0) != (b->weight > 0))
		return a->weight > 0 ? -1 : 1;
	if (a->align != b->align)
		return a->align > b->align ? -1 : 1;
	return by_weight(pa, pb);
}

/* Touched parts first by weight; cold ones in their order. */
static int touched_first(const void *pa, const void *pb)
{
	const struct ranked_part *a = pa, *b = pb;

	if (a->weight > 0 || b->weight > 0)
		return by_weight(pa, pb);
	return (a->part > b->part) - (a->part < b->part);
}

/* The same, but touched ones by their alignment: no holes among them. */
static int touched_first_aligned(const void *pa, const void *pb)
{
	const struct ranked_part *a = pa, *b = pb;

	return a->weight > 0 && b->weight > 0 ? by_align(pa, pb) : touched_first(pa, pb);
}

static void try_order(struct order_search *s, int (*compare)(const void *, const void *))
{
	g_autofree struct ranked_part *ranked = g_new(struct ranked_part, s->parts->parts->len);
	struct advise_layout l;
	u32 first, end;

	free_range(s->parts, &first, &end);
	for (u32 i = first; i < end; i++)
		ranked[i] =
			(struct ranked_part){ i, advise_part(s->parts, i)->align, weight_of(s, i) };
	qsort(ranked + first, end - first, sizeof(*ranked), compare);
	advise_layout_copy(&l, &s->best);
	for (u32 i = 0; i < l.nr; i++)
		l.order[i] = i >= first && i < end ? ranked[i].part : i;
	try_layout(s, &l);
	advise_layout_release(&l);
}

/* From the best layout so far. */
static void climb(struct order_search *s)
{
	u32 nr_touched = 0;

	for (u32 i = 0; i < s->parts->parts->len; i++)
		nr_touched += advise_is_touched(s->uses, i);
	while (improve_once(s, nr_touched))
		;
}

void advise_layout_best(struct advise_layout *l, const struct advise_parts *parts,
			const struct advise_uses *uses, u32 line)
{
	struct order_search s = { .parts = parts,
				  .uses = uses,
				  .line = line,
				  .room = l->size,
				  .flexible = flexible_at(l, parts) };

	advise_layout_copy(&s.best, l);
	s.cost.lines = advise_lines(l, uses, line);
	s.cost.size = l->size;
	s.cost.moved = advise_layout_moved(l);
	climb(&s);
	try_order(&s, touched_first);
	try_order(&s, touched_first_aligned);
	try_order(&s, by_align);
	climb(&s);
	advise_layout_release(l);
	*l = s.best;
}

/* Each part that can be put into a hole, by its alignment; the largest first leaves no holes. */
void advise_layout_smallest(struct advise_layout *l, const struct advise_parts *parts)
{
	struct order_search s = { .parts = parts, .flexible = flexible_at(l, parts) };
	struct advise_layout best;
	u32 first, end;

	free_range(parts, &first, &end);
	advise_layout_copy(&best, l);
	/* One part moved is less change than all sorted. */
	for (u32 from = first; from < end && parts->parts->len <= MOST_WHOLE; from++)
		for (u32 to = first; to < end; to++) {
			struct advise_layout one;

			advise_layout_copy(&one, l);
			move(one.order, from, to);
			advise_layout_place(&one, parts);
			if (one.size < best.size && flexible_at(&one, parts) <= s.flexible) {
				advise_layout_release(&best);
				advise_layout_copy(&best, &one);
			}
			advise_layout_release(&one);
		}
	advise_layout_copy(&s.best, l);
	s.room = best.size ? best.size - 1 : 0;
	s.uses = &(const struct advise_uses){ .uses = g_ptr_array_new() };
	s.cost.size = best.size;
	try_order(&s, by_align);
	g_ptr_array_unref(s.uses->uses);
	if (s.best.size < best.size) {
		advise_layout_release(&best);
		best = s.best;
	} else {
		advise_layout_release(&s.best);
	}
	advise_layout_release(l);
	*l = best;
}
