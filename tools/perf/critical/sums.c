// SPDX-License-Identifier: GPL-2.0-or-later
#include "critical/sums.h"

#include "base/table.h"

struct summing {
	const struct path_tree *tree;
	GArray *sums; /* struct path_sum */
	struct table index;
};

static struct path_sum *sum_at(const struct summing *s, u32 i)
{
	return &g_array_index(s->sums, struct path_sum, i);
}

static void add(struct summing *s, u32 span, u32 what, enum path_sum_kind kind,
		const struct path_tree_node *node)
{
	struct path_sum new = { .span = span, .what = what, .kind = (u8)kind }, *sum = NULL;
	u32 hash = table_fold(table_mix((u64)span << 32 | what, kind)), at = hash;
	s64 i;

	while (!sum && (i = table_next(&s->index, hash, &at)) >= 0)
		if (sum_at(s, (u32)i)->span == span && sum_at(s, (u32)i)->what == what &&
		    sum_at(s, (u32)i)->kind == kind)
			sum = sum_at(s, (u32)i);
	if (!sum) {
		g_array_append_val(s->sums, new);
		table_add(&s->index, hash, s->sums->len - 1);
		sum = sum_at(s, s->sums->len - 1);
	}
	for (u32 k = 0; k < NR_CLASSES; k++)
		sum->ns[k] += node->ns[k];
}

static void add_lost(struct summing *s, u32 span, u32 what, enum path_sum_kind kind,
		     const struct path_tree_node *node)
{
	if (!span)
		return;
	add(s, span, 0, SUM_WAIT, node);
	add(s, span, what, kind, node);
}

/* @object: what the wait around the nodes is for. */
static void find_lost(struct summing *s, u32 node, u32 object)
{
	for (u32 i = path_tree_at(s->tree, node)->first; i != PATH_NO_NODE;
	     i = path_tree_at(s->tree, i)->next) {
		const struct path_tree_node *n = path_tree_at(s->tree, i);

		if (n->kind == NODE_BUSY)
			add_lost(s, n->text, 0, SUM_BUSY, n);
		else if (n->kind == NODE_MEANWHILE || n->kind == NODE_CPU)
			add_lost(s, n->text, 0, SUM_CPU, n);
		else if (n->kind == NODE_OWNER && n->text && n->how != ROLE_CHILD)
			add_lost(s, n->text, object, SUM_WAIT, n);
		else
			find_lost(s, i, n->kind == NODE_WAIT ? n->text : object);
	}
}

/* A lock below the same lock is counted already. */
static bool is_around(const struct path_tree *t, u32 node, u32 object)
{
	for (; node; node = path_tree_at(t, node)->parent)
		if (path_tree_at(t, node)->kind == NODE_WAIT &&
		    path_tree_at(t, node)->text == object)
			return true;
	return false;
}

static void find_causes(struct summing *s)
{
	for (u32 i = 1; i < path_tree_nr(s->tree); i++) {
		const struct path_tree_node *n = path_tree_at(s->tree, i);

		if (n->kind == NODE_WAIT && n->is_owned && !is_around(s->tree, n->parent, n->text))
			add(s, 0, n->text, SUM_WAIT, n);
		else if (n->kind == NODE_CODE)
			add(s, 0, n->text, SUM_CODE, n);
	}
}

static gint most_first(gconstpointer pa, gconstpointer pb)
{
	const struct path_sum *a = pa, *b = pb;

	for (u32 k = 0; k < NR_CLASSES; k++)
		if (a->ns[k] != b->ns[k])
			return a->ns[k] > b->ns[k] ? -1 : 1;
	return a->what < b->what ? -1 : a->what > b->what;
}

bool path_sum_is_whole(const struct path_sum *sum)
{
	return !sum->what && sum->kind == SUM_WAIT;
}

/* From @sums in order of time: each span's whole, and behind it its parts. */
static GArray *by_span(const GArray *sums)
{
	GArray *ordered = g_array_sized_new(FALSE, FALSE, sizeof(struct path_sum), sums->len);

	for (u32 i = 0; i < sums->len; i++) {
		const struct path_sum *whole = &g_array_index(sums, struct path_sum, i);

		if (!path_sum_is_whole(whole))
			continue;
		g_array_append_vals(ordered, whole, 1);
		for (u32 k = 0; k < sums->len; k++) {
			const struct path_sum *part = &g_array_index(sums, struct path_sum, k);

			if (part->span == whole->span && !path_sum_is_whole(part))
				g_array_append_vals(ordered, part, 1);
		}
	}
	return ordered;
}

#define MOST_SPANS 1000 /* of by_span(), which is quadratic in them */

GArray *path_sums_lost(const struct path_tree *tree)
{
	struct summing s = { .tree = tree };
	GArray *ordered;

	s.sums = g_array_new(FALSE, FALSE, sizeof(struct path_sum));
	table_init(&s.index);
	find_lost(&s, 0, 0);
	g_array_sort(s.sums, most_first);
	g_array_set_size(s.sums, MIN(s.sums->len, MOST_SPANS));
	ordered = by_span(s.sums);
	g_array_unref(s.sums);
	table_release(&s.index);
	return ordered;
}

GArray *path_sums_causes(const struct path_tree *tree)
{
	struct summing s = { .tree = tree };

	s.sums = g_array_new(FALSE, FALSE, sizeof(struct path_sum));
	table_init(&s.index);
	find_causes(&s);
	g_array_sort(s.sums, most_first);
	table_release(&s.index);
	return s.sums;
}
