// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Three steps, none of them recursive since a hostile file may hold chains of thousands of
 * frames: merge the entry's chains into a tree of single frames, join runs into nodes, then
 * order siblings and cut those below the threshold.
 */
#include "hist/chain.h"

#include <math.h>
#include <string.h>

#include "base/table.h"
#include "dso/dso.h"

/* A tree of single frames. */
struct twig {
	const struct stack_frame *frame;
	u32 parent, first, next;
	u64 self_period, self_samples;
	u64 period, samples;
};

struct merge {
	GArray *twigs;
	struct table index;
};

static struct twig *twig_at(const struct merge *m, u32 i)
{
	return &g_array_index(m->twigs, struct twig, i);
}

static u32 merge_step(struct merge *m, u32 parent, const struct stack_frame *frame)
{
	u32 hash = table_fold(table_mix(frame->same, parent)), at = hash, i;
	struct twig new = { .frame = frame, .parent = parent };
	s64 found;

	while ((found = table_next(&m->index, hash, &at)) >= 0) {
		const struct twig *t = twig_at(m, (u32)found);

		if (t->parent == parent && t->frame->same == frame->same)
			return (u32)found;
	}
	i = m->twigs->len;
	new.next = twig_at(m, parent)->first;
	g_array_append_val(m->twigs, new);
	twig_at(m, parent)->first = i;
	table_add(&m->index, hash, i);
	return i;
}

static void merge_all(struct merge *m, const struct hist *hist, const struct stacks *stacks,
		      const struct hist_entry *entry)
{
	m->twigs = g_array_new(FALSE, TRUE, sizeof(struct twig));
	g_array_set_size(m->twigs, 1);
	table_init(&m->index);
	for (const struct hist_stack *s = NULL; (s = hist_next_stack(hist, entry, s));) {
		struct stack_walk walk = stacks_walk(stacks, s->stack);
		const struct stack_frame *frame;
		u32 at = 0;

		if (s->member)
			continue;
		while ((frame = stack_next(&walk)))
			at = merge_step(m, at, frame);
		twig_at(m, at)->self_period += s->period;
		twig_at(m, at)->self_samples += s->samples;
	}
	/* Children come after their parents in the array. */
	for (u32 i = m->twigs->len; i--;) {
		struct twig *t = twig_at(m, i), *parent = twig_at(m, t->parent);

		t->period += t->self_period;
		t->samples += t->self_samples;
		if (i) {
			parent->period += t->period;
			parent->samples += t->samples;
		}
	}
}

static void merge_release(struct merge *m)
{
	g_array_free(m->twigs, TRUE);
	table_release(&m->index);
}

/* Joins each run of single frames without fork and without own samples into the node @n. */
static u32 join_run(const struct merge *m, struct chain *c, struct chain_node *n, u32 twig,
		    u32 *nr_frames)
{
	n->frames = c->frames + *nr_frames;
	for (;;) {
		const struct twig *t = twig_at(m, twig);

		c->frames[(*nr_frames)++] = t->frame;
		n->nr_frames++;
		n->period = t->period;
		n->samples = t->samples;
		n->self_period = t->self_period;
		n->self_samples = t->self_samples;
		if (t->self_samples || !t->first || twig_at(m, t->first)->next)
			return twig;
		twig = t->first;
	}
}

static struct chain *join(const struct merge *m)
{
	struct chain *c = g_new0(struct chain, 1);
	g_autofree u32 *last = g_new0(u32, m->twigs->len); /* last twig of each node */
	u32 nr_frames = 0;

	c->nodes = g_new0(struct chain_node, m->twigs->len);
	c->frames = g_new0(const struct stack_frame *, m->twigs->len);
	c->nodes[0].period = twig_at(m, 0)->period;
	c->nodes[0].samples = twig_at(m, 0)->samples;
	c->nr = 1;
	for (u32 parent = 0; parent < c->nr; parent++) {
		u32 twig = twig_at(m, last[parent])->first;

		for (; twig; twig = twig_at(m, twig)->next) {
			struct chain_node *n = &c->nodes[c->nr];

			last[c->nr] = join_run(m, c, n, twig, &nr_frames);
			n->parent = parent;
			n->next = c->nodes[parent].first;
			c->nodes[parent].first = c->nr++;
		}
	}
	return c;
}

/*
 * The order of nodes with equal sums is upstream's, except that upstream sorts objects by pointer.
 */
static int compare_frames(const struct stack_frame *a, const struct stack_frame *b)
{
	const struct code *x = a->code, *y = b->code;
	u64 ax = x->dso ? dso_id(x->dso) + 1 : 0, ay = y->dso ? dso_id(y->dso) + 1 : 0;
	u64 vx = x->symbol ? x->symbol->start : x->vaddr;
	u64 vy = y->symbol ? y->symbol->start : y->vaddr;

	if (ax != ay)
		return ax > ay ? -1 : 1;
	if (vx != vy)
		return vx > vy ? -1 : 1;
	return 0;
}

static int compare_nodes(const void *a, const void *b, void *arg)
{
	const struct chain *c = arg;
	const struct chain_node *x = &c->nodes[*(const u32 *)a], *y = &c->nodes[*(const u32 *)b];

	if (x->period != y->period)
		return x->period > y->period ? -1 : 1;
	return compare_frames(x->frames[0], y->frames[0]);
}

/* Links @list as the children of @parent, except nodes below @least. */
static void link_children(struct chain *c, u32 parent, const u32 *list, u32 nr, u64 least)
{
	u32 *link = &c->nodes[parent].first;

	for (u32 i = 0; i < nr; i++) {
		struct chain_node *n = &c->nodes[list[i]];

		if (n->period < least)
			continue;
		*link = list[i];
		link = &n->next;
	}
	*link = 0;
}

static void order_graph(struct chain *c, const struct chain_options *options, u64 total)
{
	g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(u32));
	double part = options->threshold / 100.0;
	u64 least = (u64)(total * part);

	for (u32 i = 0; i < c->nr; i++) {
		const struct chain_node *n = &c->nodes[i];

		if (options->mode == CHAIN_FRACTAL)
			least = (u64)ceil((n->period - n->self_period) * part);
		g_array_set_size(list, 0);
		for (u32 child = n->first; child; child = c->nodes[child].next)
			g_array_append_val(list, child);
		g_array_sort_with_data(list, compare_nodes, c);
		link_children(c, i, (const u32 *)list->data, list->len, least);
	}
}

struct whole {
	u32 node;
	u32 rank; /* upstream visits children, by frame, before their parent */
};

static int compare_whole(const void *a, const void *b, void *arg)
{
	const struct chain *c = arg;
	const struct whole *w = a, *v = b;
	u64 x = c->nodes[w->node].self_period, y = c->nodes[v->node].self_period;

	if (x != y)
		return x > y ? -1 : 1;
	return w->rank < v->rank ? -1 : w->rank > v->rank;
}

static int compare_by_frame(const void *a, const void *b, void *arg)
{
	const struct chain *c = arg;

	return compare_frames(c->nodes[*(const u32 *)a].frames[0],
			      c->nodes[*(const u32 *)b].frames[0]);
}

/* Puts the children of every node in order of their first frame. */
static void order_by_frame(struct chain *c)
{
	g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(u32));

	for (u32 i = 0; i < c->nr; i++) {
		g_array_set_size(list, 0);
		for (u32 child = c->nodes[i].first; child; child = c->nodes[child].next)
			g_array_append_val(list, child);
		g_array_sort_with_data(list, compare_by_frame, c);
		link_children(c, i, (const u32 *)(const void *)list->data, list->len, 0);
	}
}

static u32 deepest_first(const struct chain *c, u32 i)
{
	while (c->nodes[i].first)
		i = c->nodes[i].first;
	return i;
}

/* The nodes where chains end, in the order of display. */
static GArray *whole_chains(struct chain *c, u64 least)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(struct whole));

	order_by_frame(c);
	for (u32 i = deepest_first(c, 0); i;) {
		const struct chain_node *n = &c->nodes[i];
		struct whole w = { i, list->len };

		if (n->self_samples && n->self_period >= least)
			g_array_append_val(list, w);
		i = n->next ? deepest_first(c, n->next) : n->parent;
	}
	g_array_sort_with_data(list, compare_whole, c);
	return list;
}

static u32 nr_frames_to(const struct chain *c, u32 i)
{
	u32 nr = 0;

	for (; i; i = c->nodes[i].parent)
		nr += c->nodes[i].nr_frames;
	return nr;
}

/* The chain that ends at node @i of @tree, as one node whose frames are at @frames. */
static struct chain_node whole_node(const struct chain *tree, u32 i,
				    const struct stack_frame **frames)
{
	struct chain_node n = tree->nodes[i];

	n.parent = n.first = n.next = 0;
	n.frames = frames;
	n.nr_frames = nr_frames_to(tree, i);
	for (u32 up = i, at = n.nr_frames; up; up = tree->nodes[up].parent) {
		const struct chain_node *u = &tree->nodes[up];

		at -= u->nr_frames;
		memcpy(frames + at, u->frames, u->nr_frames * sizeof(*frames));
	}
	return n;
}

/* One node per whole chain, all of them children of the root. */
static struct chain *flatten(struct chain *tree, u64 least)
{
	g_autoptr(GArray) list = whole_chains(tree, least);
	struct chain *flat = g_new0(struct chain, 1);
	u32 nr_frames = 0;

	for (u32 k = 0; k < list->len; k++)
		nr_frames += nr_frames_to(tree, g_array_index(list, struct whole, k).node);
	flat->nodes = g_new0(struct chain_node, list->len + 1);
	flat->frames = g_new0(const struct stack_frame *, nr_frames);
	flat->nr = list->len + 1;
	flat->nodes[0].period = tree->nodes[0].period;
	flat->nodes[0].samples = tree->nodes[0].samples;
	flat->nodes[0].first = list->len ? 1 : 0;
	nr_frames = 0;
	for (u32 k = 0; k < list->len; k++) {
		struct chain_node *n = &flat->nodes[k + 1];

		*n = whole_node(tree, g_array_index(list, struct whole, k).node,
				flat->frames + nr_frames);
		n->next = k + 1 < list->len ? k + 2 : 0;
		nr_frames += n->nr_frames;
	}
	return flat;
}

struct chain *chain_new(const struct hist *hist, const struct stacks *stacks,
			const struct hist_entry *entry, const struct chain_options *options,
			u64 total)
{
	struct chain *tree, *flat;
	struct merge m;

	merge_all(&m, hist, stacks, entry);
	tree = join(&m);
	merge_release(&m);
	if (options->mode == CHAIN_GRAPH || options->mode == CHAIN_FRACTAL) {
		order_graph(tree, options, total);
		return tree;
	}
	flat = flatten(tree, (u64)(total * options->threshold / 100.0));
	chain_free(tree);
	return flat;
}

/* Minimum period of a branch of the first level. */
static u64 least_of(const struct chain_options *options, u64 all, u64 total)
{
	double part = options->threshold / 100.0;

	return options->mode == CHAIN_FRACTAL ? (u64)ceil((double)all * part) : (u64)(total * part);
}

/* The sum of all chains that start with @frame's function; they make one branch. */
static u64 add_branch(GHashTable *branches, const struct stack_frame *frame, u64 period)
{
	u64 *sum = g_hash_table_lookup(branches, &frame->same);

	if (!sum) {
		u64 *same = g_new(u64, 2);

		same[0] = frame->same;
		sum = &same[1];
		*sum = 0;
		g_hash_table_insert(branches, same, sum);
	}
	return *sum += period;
}

bool chain_has_any(const struct hist *hist, const struct stacks *stacks,
		   const struct hist_entry *entry, const struct chain_options *options, u64 total)
{
	bool whole = options->mode == CHAIN_FLAT || options->mode == CHAIN_FOLDED, any = false;
	g_autoptr(GHashTable) branches = NULL;
	u64 all = 0, least;

	for (const struct hist_stack *s = NULL; (s = hist_next_stack(hist, entry, s));)
		all += !s->member && s->stack ? s->period : 0;
	least = least_of(options, all, total);
	for (const struct hist_stack *s = NULL; !any && (s = hist_next_stack(hist, entry, s));)
		any = !s->member && s->stack && s->period >= least;
	if (any || whole || all < least)
		return any;
	branches = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	for (const struct hist_stack *s = NULL; !any && (s = hist_next_stack(hist, entry, s));) {
		struct stack_walk walk = stacks_walk(stacks, s->stack);
		const struct stack_frame *frame = s->member ? NULL : stack_next(&walk);

		any = frame && add_branch(branches, frame, s->period) >= least;
	}
	return any;
}

void chain_free(struct chain *c)
{
	if (!c)
		return;
	g_free(c->nodes);
	g_free(c->frames);
	g_free(c);
}
