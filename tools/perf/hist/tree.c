// SPDX-License-Identifier: GPL-2.0-or-later
#include "hist/tree.h"

#include <string.h>

#include "base/table.h"
#include "fields/paths.h"
#include "hist/order.h"
#include "hist/private.h"

/* Orders the children of every node; a child's list is built by prepending. */
static void sort_children(struct hist_tree *t, const struct hist_tree_options *o)
{
	struct hist_order *order = hist_order_new(o, t->nodes, t->nr);
	u32 nr = 0;

	t->order = g_new(u32, t->nr);
	for (u32 i = 0; i < t->nr; i++) {
		u32 *link = &t->nodes[i].first, *list = t->order + nr, nr_children = 0;

		for (u32 child = *link; child; child = t->nodes[child].next)
			list[nr_children++] = child;
		hist_order_sort(order, list, nr_children);
		t->nodes[i].nr = nr_children;
		t->nodes[i].below = nr;
		nr += nr_children;
		for (u32 k = 0; k < nr_children; k++) {
			*link = list[k];
			link = &t->nodes[list[k]].next;
		}
		*link = 0;
	}
	hist_order_free(order);
}

static void sum_up(struct hist_sum *to, const struct hist_sum *from, u32 nr)
{
	for (u32 m = 0; m < nr; m++) {
		to[m].period += from[m].period;
		to[m].samples += from[m].samples;
		to[m].latency += from[m].latency;
		for (u32 i = 0; i < HIST_NR_MODES; i++)
			to[m].by_mode[i] += from[m].by_mode[i];
		for (u32 i = 0; i < ARRAY_SIZE(to[m].weight); i++)
			to[m].weight[i] += from[m].weight[i];
	}
}

/*
 * Keeps the first @o->top nodes of the first level. If two or more others remain, one node with their sum replaces
 * them. With callers (--children), a sample counts in every function on its call chain. A sum over functions would
 * count it several times, so the node has none. Spans of an activity tree have no samples in common.
 */
static void keep_top(struct hist_tree *t, const struct hist_tree_options *o)
{
	u32 *link = &t->nodes[0].first, nr = 0, rest;
	struct hist_node *node;

	for (; o->top && *link && nr < o->top; nr++)
		link = &t->nodes[*link].next;
	if (!o->top || !*link || !t->nodes[*link].next)
		return;
	t->rest = g_new0(struct hist_sum, 2 * (size_t)o->nr_members);
	t->nodes = g_renew(struct hist_node, t->nodes, t->nr + 1);
	link = &t->nodes[0].first;
	for (u32 i = 0; i < o->top; i++)
		link = &t->nodes[*link].next;
	rest = *link;
	node = &t->nodes[t->nr];
	*node = (struct hist_node){ .entry = t->nodes[rest].entry, .self = t->rest };
	node->shared = t->nodes[rest].children && !o->columns->tree;
	if (t->nodes[rest].children && !node->shared)
		node->children = t->rest + o->nr_members;
	for (u32 i = rest; i; i = t->nodes[i].next, node->others++) {
		sum_up(t->rest, t->nodes[i].self, o->nr_members);
		if (node->children)
			sum_up(t->rest + o->nr_members, t->nodes[i].children, o->nr_members);
	}
	t->order[t->nodes[0].below + o->top] = t->nr;
	t->nodes[0].nr = o->top + 1;
	*link = t->nr++;
}

static void prepend(struct hist_tree *t, u32 parent, u32 node)
{
	t->nodes[node].parent = parent;
	t->nodes[node].next = t->nodes[parent].first;
	t->nodes[parent].first = node;
}

/* Inner nodes of a hierarchy, found by their keys up to their level. */
struct levels {
	const struct hist_tree_options *o;
	struct hist_tree *t;
	struct table index;
	u32 nr_sums;
	u32 width;  /* sums per node */
	u32 folded; /* the node of what is folded */
};

static bool same_path(const struct levels *l, const u64 *a, const u64 *b, u32 level)
{
	for (u32 i = 0; i < l->o->columns->groups->len; i++)
		if (g_array_index(l->o->columns->levels, u32, i) <= level && a[i] != b[i])
			return false;
	return true;
}

static u32 path_hash(const struct levels *l, const u64 *keys, u32 level)
{
	u64 mixed = level;

	for (u32 i = 0; i < l->o->columns->groups->len; i++)
		if (g_array_index(l->o->columns->levels, u32, i) <= level)
			mixed = table_mix(mixed, keys[i]);
	return table_fold(mixed);
}

static u32 inner_node(struct levels *l, const struct hist_entry *e, u32 parent, u32 level)
{
	u32 hash = path_hash(l, e->keys, level), at = hash, i;
	struct hist_sum *sums;
	s64 found;

	while ((found = table_next(&l->index, hash, &at)) >= 0) {
		const struct hist_node *n = &l->t->nodes[found];

		if (n->level == level && same_path(l, n->entry->keys, e->keys, level))
			return (u32)found;
	}
	i = l->t->nr++;
	sums = l->t->sums + l->nr_sums;
	l->nr_sums += l->width;
	l->t->nodes[i].entry = e;
	l->t->nodes[i].level = level;
	l->t->nodes[i].self = sums;
	if (e->children)
		l->t->nodes[i].children = sums + l->o->nr_members;
	prepend(l->t, parent, i);
	table_add(&l->index, hash, i);
	return i;
}

static void add_entry(struct levels *l, const struct hist_entry *e)
{
	u32 nr_levels = l->o->hierarchy ? MAX(l->o->columns->nr_levels, 1) : 1, at = 0, i;

	for (u32 level = 0; level + 1 < nr_levels; level++) {
		at = inner_node(l, e, at, level);
		sum_up((struct hist_sum *)l->t->nodes[at].self, e->self, l->o->nr_members);
		if (e->children)
			sum_up((struct hist_sum *)l->t->nodes[at].children, e->children,
			       l->o->nr_members);
	}
	i = l->t->nr++;
	l->t->nodes[i].entry = e;
	l->t->nodes[i].level = nr_levels - 1;
	l->t->nodes[i].self = e->self;
	l->t->nodes[i].children = e->children;
	prepend(l->t, at, i);
}

static bool is_folded(const struct hist_tree_options *o, const struct hist_entry *e)
{
	return o->folds && !o->hierarchy && e->keys[o->fold_key] != o->keep;
}

/* An idle sample is in each entry of its call chain, and is counted once: in the sum of the entries' own values. */
static void fold(struct levels *l, const struct hist_entry *e)
{
	struct hist_tree *t = l->t;
	u32 nr = l->o->nr_members;

	if (!t->folded) {
		t->folded = g_new0(struct hist_sum, nr);
		l->folded = t->nr++;
		t->nodes[l->folded] =
			(struct hist_node){ .entry = e, .self = t->folded, .folded = true };
		prepend(t, 0, l->folded);
	}
	t->nodes[l->folded].others++;
	sum_up(t->folded, e->self, nr);
}

struct hist_tree *hist_tree_new(const struct hist *hist, const struct hist_tree_options *o)
{
	struct hist_tree *t = g_new0(struct hist_tree, 1);
	u32 nr = hist_nr(hist), inner = o->hierarchy ? MAX(o->columns->nr_levels, 1) - 1 : 0;
	struct levels l = { .o = o, .t = t, .width = 2 * o->nr_members };

	t->nodes = g_new0(struct hist_node, (size_t)nr * (inner + 1) + 1);
	t->sums = g_new0(struct hist_sum, (size_t)nr * inner * l.width + 1);
	t->nr = 1;
	table_init(&l.index);
	for (u32 i = 0; i < nr; i++) {
		const struct hist_entry *e = hist_at(hist, i);

		if (e->shown && is_folded(o, e))
			fold(&l, e);
		else if (e->shown)
			add_entry(&l, e);
	}
	table_release(&l.index);
	sort_children(t, o);
	keep_top(t, o);
	return t;
}

/* Spans and their entries as nodes; see hist_tree_new_paths(). */
struct forest {
	const struct hist_tree_options *o;
	struct lexicon *lexicon;
	struct hist_tree *t;
	u32 *nodes;   /* of the tree, by path; 0: none yet */
	u32 nr_inner; /* of t->entries */
};

static u32 span_node(struct forest *f, u32 path, const struct hist_entry *like)
{
	u32 nr_keys = f->o->columns->groups->len, i, up = path_parent(f->lexicon, path), parent;
	struct hist_entry *entry;

	if (f->nodes[path])
		return f->nodes[path];
	parent = up == PATH_NONE ? 0 : span_node(f, up, like);
	entry = &f->t->entries[f->nr_inner];
	entry->keys = f->t->keys + (size_t)f->nr_inner * nr_keys;
	memcpy(entry->keys, like->keys, nr_keys * sizeof(u64));
	entry->keys[0] = path_key(path);
	entry->id = path;
	i = f->t->nr++;
	f->t->nodes[i].entry = entry;
	f->t->nodes[i].level = up == PATH_NONE ? 0 : f->t->nodes[parent].level + 1;
	f->t->nodes[i].self = f->t->sums + (size_t)f->nr_inner * 2 * f->o->nr_members;
	f->t->nodes[i].children = f->t->nodes[i].self + f->o->nr_members;
	f->nr_inner++;
	prepend(f->t, parent, i);
	f->nodes[path] = i;
	return i;
}

static void add_to_spans(struct forest *f, const struct hist_entry *e)
{
	u32 nr = f->o->nr_members, node = span_node(f, path_node(f->lexicon, e->keys[0]), e), leaf;

	sum_up((struct hist_sum *)f->t->nodes[node].self, e->self, nr);
	for (u32 up = node; up; up = f->t->nodes[up].parent)
		sum_up((struct hist_sum *)f->t->nodes[up].children, e->self, nr);
	if (f->o->columns->groups->len < 2)
		return;
	leaf = f->t->nr++;
	f->t->nodes[leaf].entry = e;
	f->t->nodes[leaf].level = f->t->nodes[node].level + 1;
	f->t->nodes[leaf].self = f->t->nodes[leaf].children = e->self;
	f->t->nodes[leaf].leaf = true;
	prepend(f->t, node, leaf);
}

struct hist_tree *hist_tree_new_paths(const struct hist *hist, const struct hist_tree_options *o,
				      struct lexicon *lexicon)
{
	struct forest f = { .o = o, .lexicon = lexicon, .t = g_new0(struct hist_tree, 1) };
	u32 nr = hist_nr(hist), nr_paths;

	/* Spans that samples told of become paths now. */
	for (u32 i = 0; i < nr; i++)
		path_node(lexicon, hist_at(hist, i)->keys[0]);
	nr_paths = path_nr(lexicon);
	f.t->nodes = g_new0(struct hist_node, (size_t)nr_paths + nr + 1);
	f.t->sums = g_new0(struct hist_sum, (size_t)nr_paths * 2 * o->nr_members + 1);
	f.t->entries = g_new0(struct hist_entry, nr_paths + 1);
	f.t->keys = g_new0(u64, (size_t)nr_paths * o->columns->groups->len + 1);
	f.t->nr = 1;
	f.nodes = g_new0(u32, nr_paths + 1);
	for (u32 i = 0; i < nr; i++)
		if (hist_at(hist, i)->shown)
			add_to_spans(&f, hist_at(hist, i));
	g_free(f.nodes);
	sort_children(f.t, o);
	keep_top(f.t, o);
	return f.t;
}

void hist_tree_free(struct hist_tree *t)
{
	if (!t)
		return;
	g_free(t->rest);
	g_free(t->folded);
	g_free(t->entries);
	g_free(t->keys);
	g_free(t->nodes);
	g_free(t->order);
	g_free(t->sums);
	g_free(t);
}
