// SPDX-License-Identifier: GPL-2.0-or-later
#include "hist/tree.h"

#include <string.h>

#include "base/table.h"
#include "fields/paths.h"
#include "hist/private.h"

double hist_node_weight(const struct hist_node *node, enum field_value value, u32 member)
{
	const struct hist_sum *sum = &node->self[member];

	return sum->samples ? (double)sum->weight[value - VALUE_WEIGHT1] / (double)sum->samples : 0;
}

u64 hist_node_value(const struct hist_node *node, enum field_value value, u32 member)
{
	const struct hist_sum *sum = &node->self[member];

	switch (value) {
	case VALUE_OVERHEAD_CHILDREN:
		return node->children ? node->children[member].period : sum->period;
	case VALUE_LATENCY:
		return sum->latency;
	case VALUE_LATENCY_CHILDREN:
		return node->children ? node->children[member].latency : sum->latency;
	case VALUE_OVERHEAD_SYS:
		return sum->by_mode[HIST_SYS];
	case VALUE_OVERHEAD_US:
		return sum->by_mode[HIST_US];
	case VALUE_OVERHEAD_GUEST_SYS:
		return sum->by_mode[HIST_GUEST_SYS];
	case VALUE_OVERHEAD_GUEST_US:
		return sum->by_mode[HIST_GUEST_US];
	case VALUE_SAMPLES:
		return sum->samples;
	case VALUE_WEIGHT1:
	case VALUE_WEIGHT2:
	case VALUE_WEIGHT3:
		return (u64)(hist_node_weight(node, value, member) * 1000);
	default:
		return sum->period;
	}
}

static int compare_u64(u64 a, u64 b)
{
	return a > b ? -1 : a < b;
}

/* The greater value first: of the event asked for, then of the others in turn. */
static int compare_values(const struct hist_tree_options *o, enum field_value value,
			  const struct hist_node *a, const struct hist_node *b)
{
	u32 first = o->sort_member < o->nr_members ? o->sort_member : 0;
	int result =
		compare_u64(hist_node_value(a, value, first), hist_node_value(b, value, first));

	/* Upstream asks the leader only when it is the one to sort by. */
	for (u32 m = 1; !result && m < o->nr_members; m++)
		result = compare_u64(hist_node_value(a, value, m), hist_node_value(b, value, m));
	if (result || value != VALUE_OVERHEAD_CHILDREN || !o->has_chains ||
	    a->entry->thread != b->entry->thread)
		return result;
	/* Of two functions with equal time the caller stands above the callee. */
	result = (int)b->entry->max_depth - (int)a->entry->max_depth;
	return o->caller_order ? result : -result;
}

static int compare_keys(const struct lexicon *lex, const struct field *field, u64 a, u64 b)
{
	if (a == b)
		return 0;
	if (field->order)
		return field->order(lex, a, b);
	return a < b ? -1 : 1;
}

/* For two nodes that the order of columns does not tell apart. */
static int compare_ties(const struct hist_tree_options *o, const struct hist_node *a,
			const struct hist_node *b)
{
	for (u32 i = 0; i < o->columns->groups->len; i++) {
		const struct field *field = g_ptr_array_index(o->columns->groups, i);
		u64 x = a->entry->keys[i], y = b->entry->keys[i];
		int result = x == y ? 0 : field->tie ? field->tie(o->lexicon, x, y) : 0;

		if (result)
			return result;
	}
	return a->entry->id < b->entry->id ? -1 : a->entry->id > b->entry->id;
}

struct sorting {
	const struct hist_tree_options *o;
	const struct hist_node *nodes;
};

/* A node, and what decides in nearly all comparisons: kept together, since nodes lie far apart. */
struct sorted {
	u64 value; /* of the first column of the order, where that is a value */
	u32 node;
};

static u64 first_value(const struct sorting *s, u32 node)
{
	const struct hist_tree_options *o = s->o;
	const struct column *c = o->columns->order->len ? columns_order(o->columns, 0) : NULL;
	u32 member = o->sort_member < o->nr_members ? o->sort_member : 0;

	if (!c || c->key >= 0 || field_is_of_branches(c->field))
		return 0;
	return hist_node_value(&s->nodes[node], c->field->value, member);
}

static int compare_nodes(const void *x, const void *y, void *arg)
{
	const struct sorting *s = arg;
	const struct sorted *p = x, *q = y;
	const struct hist_node *a = &s->nodes[p->node], *b = &s->nodes[q->node];

	if (p->value != q->value)
		return compare_u64(p->value, q->value);
	for (u32 i = 0; i < s->o->columns->order->len; i++) {
		const struct column *c = columns_order(s->o->columns, i);
		int result;

		if (field_is_of_branches(c->field))
			continue;
		if (c->key < 0)
			result = compare_values(s->o, c->field->value, a, b);
		else if (s->o->hierarchy && c->level != a->level)
			continue;
		else
			result = compare_keys(s->o->lexicon, c->field, a->entry->keys[c->key],
					      b->entry->keys[c->key]);
		if (result)
			return result;
	}
	return compare_ties(s->o, a, b);
}

/* Orders the children of every node; a child's list is built by prepending. */
static void sort_children(struct hist_tree *t, const struct hist_tree_options *o)
{
	g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(struct sorted));
	struct sorting s = { o, t->nodes };
	u32 nr = 0;

	t->order = g_new(u32, t->nr);
	for (u32 i = 0; i < t->nr; i++) {
		u32 *link = &t->nodes[i].first;

		g_array_set_size(list, 0);
		for (u32 child = *link; child; child = t->nodes[child].next) {
			struct sorted one = { first_value(&s, child), child };

			g_array_append_val(list, one);
		}
		g_array_sort_with_data(list, compare_nodes, &s);
		t->nodes[i].nr = list->len;
		t->nodes[i].below = nr;
		for (u32 k = 0; k < list->len; k++) {
			t->order[nr++] = g_array_index(list, struct sorted, k).node;
			*link = g_array_index(list, struct sorted, k).node;
			link = &t->nodes[*link].next;
		}
		*link = 0;
	}
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

/* Of the first level @o->top nodes stay, and one with the sum of the others if they are several. */
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
	if (t->nodes[rest].children)
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
	u32 width; /* sums per node */
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

		if (e->shown)
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
	g_free(t->entries);
	g_free(t->keys);
	g_free(t->nodes);
	g_free(t->order);
	g_free(t->sums);
	g_free(t);
}
