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

/* A frame that gets the chain's sums: the chain from this frame on. */
struct charge {
	u32 stack;
	u32 hash; /* of its keys */
	bool shown;
	struct hist_entry *entry;
};

struct callers_pass {
	struct hist *h;
	const struct stacks *stacks;
	hist_frame_keys_fn *keys_of;
	void *arg;
	GArray *charges; /* struct charge: of the pair being charged */
	GArray *keys;	 /* u64: theirs, one tuple after the other */
	GArray *seen;	 /* u32 per entry: the last pair that charged it, +1 */
};

/* True once per entry and pair: a recursive function is charged once. */
static bool first_time(struct callers_pass *pass, u32 entry, u32 pair)
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

static struct charge *charge_at(const struct callers_pass *pass, u32 i)
{
	return &g_array_index(pass->charges, struct charge, i);
}

static const u64 *keys_at(const struct callers_pass *pass, u32 i)
{
	return &g_array_index(pass->keys, u64, (size_t)i * hist_nr_keys(pass->h));
}

/* The frames of @own, with the keys of their entries. */
static void collect(struct callers_pass *pass, const struct hist_stack *own)
{
	const struct hist_entry *from = hist_at(pass->h, own->entry);
	u32 nr_keys = hist_nr_keys(pass->h), nr = stacks_depth(pass->stacks, own->stack);
	u32 i = 0;

	g_array_set_size(pass->charges, nr);
	/* One more: there may be no keys at all. */
	g_array_set_size(pass->keys, nr * nr_keys + 1);
	for (u32 id = own->stack; id; id = stacks_rest(pass->stacks, id), i++) {
		u64 *keys = &g_array_index(pass->keys, u64, (size_t)i * nr_keys);
		struct charge *c = charge_at(pass, i);

		c->stack = id;
		c->shown =
			pass->keys_of(pass->arg, from->keys, stacks_first(pass->stacks, id), keys);
		c->hash = hist_hash(pass->h, keys);
		hist_prefetch_index(pass->h, c->hash);
	}
	for (i = 0; i < nr; i++)
		hist_prefetch_entry(pass->h, charge_at(pass, i)->hash);
}

/* Their entries, each once: a recursive function is charged once. */
static void find_entries(struct callers_pass *pass, const struct hist_stack *own, u32 pair)
{
	const struct thread *thread = hist_at(pass->h, own->entry)->thread;

	for (u32 i = 0; i < pass->charges->len; i++) {
		struct charge *c = charge_at(pass, i);
		bool made;
		struct hist_entry *e = hist_find(pass->h, keys_at(pass, i), c->hash, &made);

		e->shown |= c->shown;
		hist_add_thread(e, thread);
		c->entry = first_time(pass, e->id, pair) ? e : NULL;
		if (c->entry)
			hist_prefetch_stack(pass->h, e, own->member, c->stack);
	}
}

static void charge_callers(struct callers_pass *pass, const struct hist_stack *own, u32 pair)
{
	struct hist_entry *from = hist_at(pass->h, own->entry);

	first_time(pass, from->id, pair);
	note_depth(from, stacks_depth(pass->stacks, own->stack));
	collect(pass, own);
	find_entries(pass, own, pair);
	for (u32 i = 0; i < pass->charges->len; i++) {
		const struct charge *c = charge_at(pass, i);
		struct hist_entry *e = c->entry;
		struct hist_stack *s;

		if (!e)
			continue;
		e->children[own->member].period += own->period;
		e->children[own->member].samples += own->samples;
		e->children[own->member].latency += own->latency;
		note_depth(e, stacks_depth(pass->stacks, c->stack));
		s = hist_find_stack(pass->h, e, own->member, c->stack);
		s->period += own->period;
		s->samples += own->samples;
		s->latency += own->latency;
	}
}

void hist_add_callers(struct hist *h, const struct stacks *stacks, hist_frame_keys_fn *keys_of,
		      void *arg)
{
	/* Copies the pairs of samples, because the pass adds those of callers to the same list. */
	g_autoptr(GArray) own = g_array_copy(hist_stacks(h));
	g_autoptr(GArray) charges = g_array_new(FALSE, TRUE, sizeof(struct charge));
	g_autoptr(GArray) keys = g_array_new(FALSE, TRUE, sizeof(u64));
	g_autoptr(GArray) seen = g_array_new(FALSE, TRUE, sizeof(u32));
	struct callers_pass pass = { h, stacks, keys_of, arg, charges, keys, seen };

	for (u32 i = 0; i < own->len; i++)
		charge_callers(&pass, &g_array_index(own, struct hist_stack, i), i);
}
