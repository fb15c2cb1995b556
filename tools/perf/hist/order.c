// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Many rows have equal times, so that keys decide, and keys lie far apart: row, entry, function, name.
 * So what decides is gathered once for each row, and rows are sorted by that alone:
 *
 *	value	of the first column of the order, where that is one
 *	place	of the keys of the next columns: keys of which there are few are sorted beforehand, and
 *		their places are numbers that are compared in one go
 *	rank	of the first column with many keys, where its field has ranks: the first bytes of a
 *		function's name, or its address
 *
 * Only rows that are equal in all of these are compared column by column.
 */
#include "hist/order.h"

#include "base/table.h"

/* Keys of one column whose places are found out. */
#define MOST_KEYS 1024u

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

struct hist_order {
	const struct hist_tree_options *o;
	const struct hist_node *nodes;
	u32 first;   /* of the order's columns: those before it are in value and place */
	bool ranked; /* the first one has ranks */
	bool last;   /* ... and is the last column that decides, ties included */
	u64 *places; /* by node; NULL: no column has any */
};

struct sorted {
	u64 value, place;
	struct field_rank rank;
	u32 node;
};

static const struct column *column_at(const struct hist_order *s, u32 i)
{
	return i < s->o->columns->order->len ? columns_order(s->o->columns, i) : NULL;
}

static bool is_value(const struct column *c)
{
	return c->key < 0 && !field_is_of_branches(c->field);
}

static u64 first_value(const struct hist_order *s, u32 node)
{
	const struct hist_tree_options *o = s->o;
	u32 member = o->sort_member < o->nr_members ? o->sort_member : 0;
	const struct column *c = column_at(s, 0);

	return c && is_value(c) ? hist_node_value(&s->nodes[node], c->field->value, member) : 0;
}

/* By the columns from @from on. */
static int compare_columns(const struct hist_order *s, u32 from, const struct hist_node *a,
			   const struct hist_node *b)
{
	for (u32 i = from; i < s->o->columns->order->len; i++) {
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

static int compare_nodes(const void *x, const void *y, void *arg)
{
	const struct hist_order *s = arg;
	const struct sorted *p = x, *q = y;

	if (p->value != q->value)
		return compare_u64(p->value, q->value);
	if (p->place != q->place)
		return p->place < q->place ? -1 : 1;
	if (p->rank.order != q->rank.order)
		return p->rank.order < q->rank.order ? -1 : 1;
	if (s->last && p->rank.whole && q->rank.whole && p->rank.group &&
	    p->rank.group == q->rank.group && p->rank.tie != q->rank.tie)
		return p->rank.tie < q->rank.tie ? -1 : 1;
	return compare_columns(s, s->first, &s->nodes[p->node], &s->nodes[q->node]);
}

/* The different keys of a column, if these are few. */
struct keys {
	const struct hist_order *order;
	const struct column *column;
	GArray *list; /* struct ordered_key */
	struct table index;
};

struct ordered_key {
	u64 key;
	u32 place;
};

static struct ordered_key *placed_at(const struct keys *k, u32 i)
{
	return &g_array_index(k->list, struct ordered_key, i);
}

/* The number of @key in the list, or -1. */
static s64 find_key(const struct keys *k, u64 key, u32 *hash)
{
	u32 at = *hash = table_fold(table_mix(0, key));
	s64 i;

	while ((i = table_next(&k->index, *hash, &at)) >= 0)
		if (placed_at(k, (u32)i)->key == key)
			break;
	return i;
}

static bool gather_keys(struct keys *k, u32 nr)
{
	for (u32 i = 1; i < nr; i++) {
		struct ordered_key new = { k->order->nodes[i].entry->keys[k->column->key], 0 };
		u32 hash;

		if (find_key(k, new.key, &hash) >= 0)
			continue;
		if (k->list->len == MOST_KEYS)
			return false;
		table_add(&k->index, hash, k->list->len);
		g_array_append_val(k->list, new);
	}
	return true;
}

static int compare_placed(const void *x, const void *y, void *arg)
{
	const struct keys *k = arg;

	return compare_keys(k->order->o->lexicon, k->column->field, *(const u64 *)x,
			    *(const u64 *)y);
}

/* Equal places for those of which none stands before the other; returns how many there are. */
static u32 place_keys(struct keys *k)
{
	g_autoptr(GArray) sorted = g_array_new(FALSE, FALSE, sizeof(u64));
	u32 place = 0, hash;

	for (u32 i = 0; i < k->list->len; i++)
		g_array_append_val(sorted, placed_at(k, i)->key);
	g_array_sort_with_data(sorted, compare_placed, k);
	for (u32 i = 0; i < sorted->len; i++) {
		const u64 *key = &g_array_index(sorted, u64, i);

		if (i && compare_placed(key - 1, key, k))
			place++;
		placed_at(k, (u32)find_key(k, *key, &hash))->place = place;
	}
	return place + 1;
}

/* Puts the places of one more column behind those of the columns before it. */
static bool add_places(struct hist_order *s, const struct column *column, u32 nr, u32 *bits)
{
	struct keys k = { s, column, g_array_new(FALSE, FALSE, sizeof(struct ordered_key)) };
	bool good;
	u32 hash, width;

	table_init(&k.index);
	good = gather_keys(&k, nr);
	width = good ? 64 - (u32)__builtin_clzll(place_keys(&k)) : 0;
	good = good && *bits + width <= 64;
	if (good && !s->places)
		s->places = g_new0(u64, nr);
	for (u32 i = 1; good && i < nr; i++)
		s->places[i] = s->places[i] << width |
			       placed_at(&k, (u32)find_key(&k, s->nodes[i].entry->keys[column->key],
							   &hash))
				       ->place;
	*bits += width;
	g_array_unref(k.list);
	table_release(&k.index);
	return good;
}

/* Whether nothing decides behind column @i but its own field's ties. */
static bool is_last(const struct hist_order *s, u32 i)
{
	const GPtrArray *groups = s->o->columns->groups;
	const struct field *field = column_at(s, i)->field;

	for (u32 k = i + 1; k < s->o->columns->order->len; k++)
		if (!field_is_of_branches(column_at(s, k)->field))
			return false;
	for (u32 k = 0; k < groups->len; k++)
		if (groups->pdata[k] != field && ((const struct field *)groups->pdata[k])->tie)
			return false;
	return true;
}

/* Few rows are sorted as they are, and so are rows whose columns differ by level. */
#define LEAST_ROWS 64u

struct hist_order *hist_order_new(const struct hist_tree_options *o, const struct hist_node *nodes,
				  u32 nr)
{
	struct hist_order *s = g_new0(struct hist_order, 1);
	const struct column *c;
	u32 bits = 0;

	s->o = o;
	s->nodes = nodes;
	if (o->hierarchy || o->columns->tree || nr < LEAST_ROWS)
		return s;
	c = column_at(s, 0);
	/* Of several events the others decide, too; and of callers more than the value. */
	if (c && is_value(c) && (o->nr_members > 1 || c->field->value == VALUE_OVERHEAD_CHILDREN))
		return s;
	s->first = c && is_value(c);
	while ((c = column_at(s, s->first)) && c->key >= 0 && add_places(s, c, nr, &bits))
		s->first++;
	c = column_at(s, s->first);
	s->ranked = c && c->key >= 0 && c->field->rank;
	s->last = s->ranked && is_last(s, s->first);
	return s;
}

void hist_order_free(struct hist_order *s)
{
	g_free(s->places);
	g_free(s);
}

static struct sorted sorted_of(const struct hist_order *s, u32 node)
{
	struct sorted one = { .value = first_value(s, node), .node = node };

	if (s->places)
		one.place = s->places[node];
	if (s->ranked) {
		const struct column *c = column_at(s, s->first);

		c->field->rank(s->o->lexicon, s->nodes[node].entry->keys[c->key], &one.rank);
	}
	return one;
}

void hist_order_sort(const struct hist_order *s, u32 *list, u32 nr)
{
	g_autofree struct sorted *all = nr > 1 ? g_new(struct sorted, nr) : NULL;

	if (nr < 2)
		return;
	for (u32 i = 0; i < nr; i++)
		all[i] = sorted_of(s, list[i]);
	g_qsort_with_data(all, (int)nr, sizeof(*all), compare_nodes, (void *)s);
	for (u32 i = 0; i < nr; i++)
		list[i] = all[i].node;
}
