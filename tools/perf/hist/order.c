// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Many rows have equal times, so that keys decide, and keys lie far apart: row, entry, function, name.
 * So what decides is gathered once for each row as a few numbers, its words, which are compared in turn:
 *
 *	value	of the first column of the order, where that is one
 *	places	of the keys of columns with few keys: these keys are sorted beforehand, and
 *		the places of several columns are bits of one word
 *	numbers	of keys that are numbers (addresses), behind the places of what else they are of
 *		(functions)
 *	rank	of the first column that is neither, where its field has ranks: the first bytes of a
 *		function's name, or its address
 *
 * A word that is the same for all rows is none. Only rows that are equal in all words are compared column by
 * column.
 */
#include "hist/order.h"

#include "base/progress.h"
#include "base/table.h"

/* Keys of one column with their ranks. */
#define MOST_KEYS 1024u

static int compare_u64(u64 a, u64 b)
{
	return a > b ? -1 : a < b;
}

/* The larger value first: of the selected event, then of the others in turn. */
static int compare_values(const struct hist_tree_options *o, enum field_value value,
			  const struct hist_node *a, const struct hist_node *b)
{
	u32 first = o->sort_member < o->nr_members ? o->sort_member : 0;
	int result =
		compare_u64(hist_node_value(a, value, first), hist_node_value(b, value, first));

	/* Upstream compares the leader only if it is the event to sort by. */
	for (u32 m = 1; !result && m < o->nr_members; m++)
		result = compare_u64(hist_node_value(a, value, m), hist_node_value(b, value, m));
	return result;
}

/* If two functions of one thread have equal time, the caller is above the callee. */
static int compare_depths(const struct hist_tree_options *o, const struct hist_node *a,
			  const struct hist_node *b)
{
	int result;

	if (a->entry->thread != b->entry->thread)
		return 0;
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

/* The order of two nodes that are equal in all columns of the order. */
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

#define MOST_WORDS 8u

struct hist_order {
	const struct hist_tree_options *o;
	const struct hist_node *nodes;
	u32 first;		  /* number of the order's columns that the words contain */
	bool without_depths;	  /* compare_depths() is left out */
	bool ranked;		  /* the first one has ranks */
	bool last;		  /* ... and this is the last column that decides, including ties */
	u32 nr_words, bits;	  /* bits of the last word that are still free for ranks */
	u64 *words[MOST_WORDS];	  /* by node */
	struct field_rank *ranks; /* by node; NULL: none */
};

/* A row, with the first two of its words. */
struct sorted {
	u64 word[2];
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

static bool is_by_depth(const struct hist_order *s, const struct column *c)
{
	return is_value(c) && c->field->value == VALUE_OVERHEAD_CHILDREN && s->o->has_chains &&
	       !s->without_depths;
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
		if (c->key < 0) {
			result = compare_values(s->o, c->field->value, a, b);
			if (!result && is_by_depth(s, c))
				result = compare_depths(s->o, a, b);
		} else if (s->o->hierarchy && c->level != a->level)
			continue;
		else
			result = compare_keys(s->o->lexicon, c->field, a->entry->keys[c->key],
					      b->entry->keys[c->key]);
		if (result)
			return result;
	}
	return compare_ties(s->o, a, b);
}

static int compare_nodes(const struct hist_order *s, u32 x, u32 y)
{
	for (u32 i = 2; i < s->nr_words; i++)
		if (s->words[i][x] != s->words[i][y])
			return s->words[i][x] < s->words[i][y] ? -1 : 1;
	if (s->ranks) {
		const struct field_rank *p = &s->ranks[x], *q = &s->ranks[y];

		if (p->order != q->order)
			return p->order < q->order ? -1 : 1;
		if (s->last && p->whole && q->whole && p->group && p->group == q->group &&
		    p->tie != q->tie)
			return p->tie < q->tie ? -1 : 1;
	}
	return compare_columns(s, s->first, &s->nodes[x], &s->nodes[y]);
}

static int compare_sorted(const void *x, const void *y, void *arg)
{
	const struct sorted *p = x, *q = y;

	if (p->word[0] != q->word[0])
		return p->word[0] < q->word[0] ? -1 : 1;
	if (p->word[1] != q->word[1])
		return p->word[1] < q->word[1] ? -1 : 1;
	return compare_nodes(arg, p->node, q->node);
}

/* The distinct keys of a column, or their majors. */
struct keys {
	const struct hist_order *order;
	u32 key; /* of entries */
	u64 (*major)(const struct lexicon *lexicon, u64 key);
	int (*compare)(const struct lexicon *lexicon, u64 a,
		       u64 b); /* NULL: the smaller number stands before */
	GArray *list;	       /* struct ordered_key */
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

static u64 key_of(const struct keys *k, u32 node)
{
	u64 key = k->order->nodes[node].entry->keys[k->key];

	return k->major ? k->major(k->order->o->lexicon, key) : key;
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

static bool gather_keys(struct keys *k, u32 nr, u32 most)
{
	for (u32 i = 1; i < nr; i++) {
		struct ordered_key new = { key_of(k, i), 0 };
		u32 hash;

		if (find_key(k, new.key, &hash) >= 0)
			continue;
		if (k->list->len == most)
			return false;
		table_add(&k->index, hash, k->list->len);
		g_array_append_val(k->list, new);
	}
	return true;
}

static int compare_placed(const void *x, const void *y, void *arg)
{
	const struct keys *k = arg;
	u64 a = *(const u64 *)x, b = *(const u64 *)y;

	if (a == b)
		return 0;
	if (k->compare)
		return k->compare(k->order->o->lexicon, a, b);
	return a < b ? -1 : 1;
}

/*
 * Assigns ranks; keys without an order between them get the same rank. Returns the number of ranks.
 */
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

static u64 *new_word(struct hist_order *s, u32 nr)
{
	s->bits = 64;
	return s->words[s->nr_words++] = g_new0(u64, nr);
}

/* Removes the last word if it is the same for all rows. */
static void drop_same(struct hist_order *s, u32 nr)
{
	const u64 *word = s->words[s->nr_words - 1];

	for (u32 i = 2; i < nr; i++)
		if (word[i] != word[1])
			return;
	g_free(s->words[--s->nr_words]);
	s->bits = 64;
}

/* Adds the ranks of the keys to the last word if there is room, else to a new word. */
static bool add_places(struct hist_order *s, struct keys *k, u32 nr, u32 most)
{
	u32 hash, width;
	bool good;
	u64 *word;

	k->list = g_array_new(FALSE, FALSE, sizeof(struct ordered_key));
	table_init(&k->index);
	good = gather_keys(k, nr, most);
	if (good) {
		width = 64 - (u32)__builtin_clzll(place_keys(k));
		if (!s->nr_words || s->bits + width > 64) {
			new_word(s, nr);
			s->bits = 0;
		}
		word = s->words[s->nr_words - 1];
		for (u32 i = 1; i < nr; i++)
			word[i] = word[i] << width |
				  placed_at(k, (u32)find_key(k, key_of(k, i), &hash))->place;
		s->bits += width;
	}
	g_array_unref(k->list);
	table_release(&k->index);
	return good;
}

static void add_numbers(struct hist_order *s, const struct column *c, u32 nr)
{
	u64 *word = new_word(s, nr);

	for (u32 i = 1; i < nr; i++) {
		u64 key = s->nodes[i].entry->keys[c->key];

		word[i] = c->field->split ? c->field->split->number(s->o->lexicon, key) : key;
	}
	drop_same(s, nr);
}

static void add_values(struct hist_order *s, const struct column *c, u32 nr)
{
	u32 member = s->o->sort_member < s->o->nr_members ? s->o->sort_member : 0;
	u64 *word = new_word(s, nr);

	for (u32 i = 1; i < nr; i++)
		word[i] = ~hist_node_value(&s->nodes[i], c->field->value, member);
	drop_same(s, nr);
}

/* The order by @c, as words; false: this is not possible. */
static bool add_column(struct hist_order *s, const struct column *c, u32 nr)
{
	const struct field_split *split = c->field->split;
	struct keys k = { .order = s, .key = (u32)c->key, .compare = c->field->order };

	/* Each may need two. */
	if (s->nr_words + 2 > MOST_WORDS)
		return false;
	if (add_places(s, &k, nr, MOST_KEYS))
		return true;
	if (c->field->order && !split)
		return false;
	if (split && split->major) {
		k.major = split->major;
		k.compare = split->order;
		add_places(s, &k, nr, UINT32_MAX);
	}
	add_numbers(s, c, nr);
	return true;
}

static void add_ranks(struct hist_order *s, const struct column *c, u32 nr)
{
	s->ranks = g_new0(struct field_rank, nr);
	for (u32 i = 1; i < nr; i++)
		c->field->rank(s->o->lexicon, s->nodes[i].entry->keys[c->key], &s->ranks[i]);
}

/* True if nothing after column @i decides, except its own field's ties. */
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

/* Short lists, and lists whose columns differ by level, are sorted without words. */
#define LEAST_ROWS 64u

struct hist_order *hist_order_new(const struct hist_tree_options *o, const struct hist_node *nodes,
				  u32 nr)
{
	struct hist_order *s = g_new0(struct hist_order, 1);
	const struct column *c;

	s->o = o;
	s->nodes = nodes;
	if (o->hierarchy || o->columns->tree || nr < LEAST_ROWS)
		return s;
	c = column_at(s, 0);
	if (c && is_value(c))
		add_values(s, c, nr);
	/* With several events, the others decide, too; with callers, more than the value does. */
	if (c && is_value(c) && (o->nr_members > 1 || c->field->value == VALUE_OVERHEAD_CHILDREN))
		return s;
	s->first = c && is_value(c);
	while ((c = column_at(s, s->first)) && c->key >= 0 && add_column(s, c, nr))
		s->first++;
	c = column_at(s, s->first);
	s->ranked = c && c->key >= 0 && c->field->rank;
	s->last = s->ranked && is_last(s, s->first);
	if (s->ranked)
		add_ranks(s, c, nr);
	return s;
}

void hist_order_free(struct hist_order *s)
{
	for (u32 i = 0; i < s->nr_words; i++)
		g_free(s->words[i]);
	g_free(s->ranks);
	g_free(s);
}

/* Merges two sorted runs with @nr rows in all; the first run has @middle rows. */
static void merge_runs(const struct hist_order *s, const struct sorted *from, u32 middle, u32 nr,
		       struct sorted *to)
{
	u32 a = 0, b = middle;

	for (u32 i = 0; i < nr; i++) {
		bool second = a == middle ||
			      (b < nr && compare_sorted(&from[b], &from[a], (void *)s) < 0);

		to[i] = from[second ? b++ : a++];
	}
}

/* Number of rows that are sorted between two checks for a stop. */
#define RUN 16384u

static bool is_stopped(const struct hist_order *s, u64 *done, u32 more)
{
	struct progress *p = s->o->progress;

	*done += more;
	if (p)
		progress_step(p, *done);
	return p && p->stopped;
}

/* Sorts runs, then merges pairs of runs until one is left. */
static void sort_all(const struct hist_order *s, struct sorted **all, u32 nr)
{
	g_autofree struct sorted *room = nr > RUN ? g_new(struct sorted, nr) : NULL;
	u64 done = 0;

	for (u32 at = 0; at < nr && !is_stopped(s, &done, at ? RUN : 0); at += RUN)
		g_qsort_with_data(*all + at, (int)MIN(RUN, nr - at), sizeof(**all), compare_sorted,
				  (void *)s);
	for (u64 run = RUN; run < nr; run *= 2) {
		struct sorted *sorted = room;

		for (u64 at = 0; at < nr; at += 2 * run) {
			u32 left = (u32)MIN(2 * run, nr - at);

			if (is_stopped(s, &done, left))
				return;
			merge_runs(s, *all + at, (u32)MIN(run, left), left, room + at);
		}
		room = *all;
		*all = sorted;
	}
}

u64 hist_order_steps(u32 nr)
{
	u64 steps = nr;

	for (u64 run = RUN; run < nr; run *= 2)
		steps += nr;
	return steps;
}

/*
 * The order by depth alone is not transitive, because it only applies to rows of one thread. Example: a and b belong
 * to one thread; b may come before a, a before c, and c before b, by the next column. The result depends on the
 * initial order of rows, so rows are first sorted without depths.
 */
static void sort_by_depths(const struct hist_order *s, struct sorted **all, u32 nr)
{
	struct hist_order without = *s;
	u32 from = 0;

	without.without_depths = true;
	sort_all(&without, all, nr);
	for (u32 i = 1; i <= nr; i++) {
		if (i < nr && (*all)[i].word[0] == (*all)[from].word[0])
			continue;
		if (i - from > 1)
			g_qsort_with_data(*all + from, (int)(i - from), sizeof(**all),
					  compare_sorted, (void *)s);
		from = i;
	}
}

void hist_order_sort(const struct hist_order *s, u32 *list, u32 nr)
{
	const struct column *first = column_at(s, 0);
	struct sorted *all = nr > 1 ? g_new(struct sorted, nr) : NULL;

	if (nr < 2)
		return;
	for (u32 i = 0; i < nr; i++)
		all[i] = (struct sorted){ .word = { s->nr_words ? s->words[0][list[i]] : 0,
						    s->nr_words > 1 ? s->words[1][list[i]] : 0 },
					  .node = list[i] };
	if (first && is_by_depth(s, first))
		sort_by_depths(s, &all, nr);
	else
		sort_all(s, &all, nr);
	for (u32 i = 0; i < nr; i++)
		list[i] = all[i].node;
	g_free(all);
}
