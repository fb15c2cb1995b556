// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * --children: "how much time went to this function and to what it called?"
 *
 * Upstream answers per sample: for each frame of its chain look up an entry and append the
 * rest of the chain to that entry's tree. Equal (entry, chain) pairs repeat thousands of
 * times, so here samples only count pairs (hist_add_stack), and this pass runs over the
 * distinct ones. A chain's rest has a number of its own (stacks.h), so nothing is copied.
 */
#include "hist/hist.h"

#include "hist/private.h"

struct pass {
	struct hist *h;
	const struct stacks *stacks;
	hist_frame_keys_fn *keys_of;
	void *arg;
	u64 *keys;
	GArray *seen; /* u32 per entry: the last pair that charged it, +1 */
};

/* True once per entry and pair: recursion is charged once. */
static bool first_time(struct pass *pass, u32 entry, u32 pair)
{
	u32 *seen;

	if (entry >= pass->seen->len)
		g_array_set_size(pass->seen, entry + 1);
	seen = &g_array_index(pass->seen, u32, entry);
	if (*seen == pair + 1)
		return false;
	*seen = pair + 1;
	return true;
}

static void note_depth(struct hist_entry *e, u32 depth)
{
	e->max_depth = MAX(e->max_depth, depth);
}

static void charge_callers(struct pass *pass, const struct hist_stack *own, u32 pair)
{
	struct hist_entry *from = hist_at(pass->h, own->entry);

	first_time(pass, from->id, pair);
	note_depth(from, stacks_depth(pass->stacks, own->stack));
	for (u32 id = own->stack; id; id = stacks_rest(pass->stacks, id)) {
		struct hist_entry *e;
		struct hist_stack *s;
		bool made, shown;

		shown = pass->keys_of(pass->arg, from->keys, stacks_first(pass->stacks, id),
				      pass->keys);
		e = hist_find(pass->h, pass->keys, &made);
		e->shown |= shown;
		if (made)
			e->thread = from->thread;
		if (!first_time(pass, e->id, pair))
			continue;
		e->children[own->member].period += own->period;
		e->children[own->member].samples += own->samples;
		e->children[own->member].latency += own->latency;
		note_depth(e, stacks_depth(pass->stacks, id));
		s = hist_find_stack(pass->h, e, own->member, id);
		s->period += own->period;
		s->samples += own->samples;
		s->latency += own->latency;
	}
}

void hist_add_callers(struct hist *h, const struct stacks *stacks, hist_frame_keys_fn *keys_of,
		      void *arg)
{
	/* The pairs of samples, before the pass adds those of callers to the same list. */
	g_autoptr(GArray) own = g_array_copy(hist_stacks(h));
	g_autofree u64 *keys = g_new0(u64, hist_nr_keys(h) + 1);
	g_autoptr(GArray) seen = g_array_new(FALSE, TRUE, sizeof(u32));
	struct pass pass = { h, stacks, keys_of, arg, keys, seen };

	for (u32 i = 0; i < own->len; i++)
		charge_callers(&pass, &g_array_index(own, struct hist_stack, i), i);
}
