// SPDX-License-Identifier: GPL-2.0-or-later
/* Adds the samples of one hist to another one. */
#include "base/progress.h"
#include "hist/private.h"

static u64 scaled(u64 value, double factor)
{
	return factor == 1 ? value : (u64)((double)value * factor);
}

/* Whether something is left of it. */
static bool add_sum(struct hist_sum *to, const struct hist_sum *from, double factor)
{
	to->period += scaled(from->period, factor);
	to->samples += scaled(from->samples, factor);
	to->latency += scaled(from->latency, factor);
	for (u32 i = 0; i < ARRAY_SIZE(to->by_mode); i++)
		to->by_mode[i] += scaled(from->by_mode[i], factor);
	for (u32 i = 0; i < ARRAY_SIZE(to->weight); i++)
		to->weight[i] += scaled(from->weight[i], factor);
	return to->period || to->samples;
}

static bool is_left(const struct hist *h, const struct hist_entry *e, double factor)
{
	struct hist_sum sum = { 0 };
	bool left = false;

	for (u32 m = 0; m < hist_nr_members(h); m++)
		left |= add_sum(&sum, &e->self[m], factor);
	return left;
}

static void merge_branches(struct hist *to, const struct hist_entry *entry, const struct hist *from,
			   const struct hist_entry *other, double factor)
{
	struct hist_branches b = hist_branches_of(from, other);
	struct hist_branches *sums;

	if (!b.nr)
		return;
	sums = hist_branches(to, entry);
	sums->nr += scaled(b.nr, factor);
	sums->predicted += scaled(b.predicted, factor);
	sums->aborts += scaled(b.aborts, factor);
	sums->cycles += scaled(b.cycles, factor);
}

static void merge_accesses(struct hist *to, const struct hist_entry *entry, const struct hist *from,
			   const struct hist_entry *other, double factor)
{
	/* Each access has an operation. */
	for (u32 i = OP_LOAD; i <= OP_OTHER; i++) {
		if (!hist_accesses_of(from, other, i))
			continue;
		for (u32 k = 0; k < NR_ACCESS_CLASSES; k++)
			hist_accesses(to, entry)->period[k] +=
				scaled(hist_accesses_of(from, other, k), factor);
		return;
	}
}

static struct hist_entry *merge_entry(struct hist *to, const u64 *keys, const struct hist *from,
				      const struct hist_entry *other, double factor)
{
	bool made;
	struct hist_entry *e = hist_find(to, keys, hist_hash(to, keys), &made);

	hist_add_thread(e, other->thread);
	e->shown |= other->shown;
	for (u32 m = 0; m < hist_nr_members(from); m++) {
		add_sum(&e->self[m], &other->self[m], factor);
		if (e->children)
			add_sum(&e->children[m], &other->self[m], factor);
	}
	merge_branches(to, e, from, other, factor);
	merge_accesses(to, e, from, other, factor);
	return e;
}

/* In the order in which they were added. */
static void merge_stacks(struct hist *to, struct stacks *mine, const struct hist *from,
			 const struct stacks *theirs, double factor, const u32 *entries)
{
	const GArray *stacks = hist_stacks(from);

	for (u32 i = 0; i < stacks->len; i++) {
		const struct hist_stack *s = &g_array_index(stacks, struct hist_stack, i);
		struct hist_weight w = { .samples = scaled(s->samples, factor),
					 .period = scaled(s->period, factor),
					 .latency = scaled(s->latency, factor) };

		if (entries[s->entry] && (w.samples || w.period))
			hist_add_stack(to, hist_at(to, entries[s->entry] - 1), s->member,
				       mine == theirs ? s->stack
						      : stacks_take(mine, theirs, s->stack),
				       &w);
	}
}

static void project_parts(struct hist *to, const struct hist *from, const u32 *entries)
{
	const GArray *parts = hist_parts(from);

	for (u32 i = 0; i < parts->len; i++) {
		struct hist_part part = g_array_index(parts, struct hist_part, i);

		if (!entries[part.entry])
			continue;
		part.entry = entries[part.entry] - 1;
		hist_add_part(to, &part);
	}
}

void hist_merge(struct hist *to, struct stacks *mine, const struct hist *from,
		const struct stacks *theirs, double factor)
{
	g_autofree u32 *entries = g_new0(u32, hist_nr(from) + 1); /* in @to, +1 */

	for (u32 i = 0; i < hist_nr(from); i++) {
		const struct hist_entry *other = hist_at(from, i);

		if (is_left(from, other, factor))
			entries[i] = merge_entry(to, other->keys, from, other, factor)->id + 1;
	}
	merge_stacks(to, mine, from, theirs, factor, entries);
}

void hist_project(struct hist *to, const struct hist *from, const struct stacks *stacks,
		  hist_project_fn *keys_of, void *arg, struct progress *progress)
{
	g_autofree u32 *entries = g_new0(u32, hist_nr(from) + 1); /* in @to, +1 */
	g_autofree u64 *keys = g_new0(u64, hist_nr_keys(to) + 1);

	for (u32 i = 0; i < hist_nr(from); i++) {
		const struct hist_entry *other = hist_at(from, i);

		if (keys_of(arg, other, keys))
			entries[i] = merge_entry(to, keys, from, other, 1)->id + 1;
		progress_step(progress, i);
		if (progress->stopped)
			return;
	}
	merge_stacks(to, (struct stacks *)stacks, from, stacks, 1, entries);
	project_parts(to, from, entries);
}
