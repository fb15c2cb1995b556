// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/base/visible.h"

struct visible_level;

/* An unfolded row. */
struct open {
	struct visible_level *below;
	u64 key;
	u64 before; /* number of visible rows below the unfolded rows before it */
	u32 at;	    /* its index among its siblings */
};

struct visible_level {
	struct row parent;
	struct visible_level *up;
	GArray *open; /* struct open, sorted by @at */
	u64 total;    /* number of visible rows in the level and below */
	u32 nr;	      /* number of rows in the level */
};

struct visible {
	struct rows *rows;
	struct visible_level *top;
};

static struct visible_level *level_new(struct rows *rows, struct row parent,
				       struct visible_level *up)
{
	struct visible_level *l = g_new0(struct visible_level, 1);

	l->parent = parent;
	l->up = up;
	l->open = g_array_new(FALSE, FALSE, sizeof(struct open));
	l->total = l->nr = rows->ops->nr(rows, parent);
	return l;
}

static struct open *open_at(const struct visible_level *l, u32 i)
{
	return &g_array_index(l->open, struct open, i);
}

static void level_free(struct visible_level *l)
{
	for (u32 i = 0; i < l->open->len; i++)
		level_free(open_at(l, i)->below);
	g_array_unref(l->open);
	g_free(l);
}

struct visible *visible_new(struct rows *rows)
{
	struct visible *v = g_new0(struct visible, 1);

	v->rows = rows;
	v->top = level_new(rows, (struct row){ ROW_NONE }, NULL);
	return v;
}

void visible_free(struct visible *v)
{
	if (!v)
		return;
	level_free(v->top);
	g_free(v);
}

u64 visible_nr(const struct visible *v)
{
	return v->top->total;
}

/* The number of unfolded rows at or before @position of the level. */
static u32 nr_open_until(const struct visible_level *l, u64 position)
{
	u32 low = 0, high = l->open->len;

	while (low < high) {
		u32 mid = low + (high - low) / 2;
		const struct open *o = open_at(l, mid);

		if (o->at + o->before <= position)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* A position in the whole list: its level, and its position there. */
struct visible_spot {
	struct visible_level *level;
	const struct open *open; /* set if the row at the spot is unfolded; else NULL */
	u32 at;
	u32 nr_open; /* unfolded rows of the level at the spot or before it */
	u32 depth;
};

static struct visible_spot spot_of(const struct visible *v, u64 position)
{
	struct visible_spot s = { .level = v->top };

	for (;;) {
		u32 nr = nr_open_until(s.level, position);
		const struct open *o = nr ? open_at(s.level, nr - 1) : NULL;
		u64 into = o ? position - o->at - o->before : 0;

		if (o && into && into <= o->below->total) {
			s.level = o->below;
			position = into - 1;
			s.depth++;
			continue;
		}
		if (o && !into)
			s.open = o;
		s.nr_open = nr;
		s.at = (u32)(position - (o ? o->before + (into ? o->below->total : 0) : 0));
		return s;
	}
}

/* The number of neighbouring rows from the spot on of which only the first may be unfolded. */
static u32 run_of(const struct visible_spot *s)
{
	if (s->open)
		return 1;
	if (s->nr_open < s->level->open->len)
		return open_at(s->level, s->nr_open)->at - s->at;
	return s->level->nr - s->at;
}

#define RUN 64 /* rows per request to the provider */

u32 visible_window(const struct visible *v, u64 from, struct visible_row *out, u32 nr)
{
	struct row run[RUN];
	u32 filled = 0;

	while (filled < nr && from + filled < v->top->total) {
		struct visible_spot s = spot_of(v, from + filled);
		u32 want = MIN(MIN(run_of(&s), nr - filled), RUN), got;

		got = v->rows->ops->window(v->rows, s.level->parent, s.at, run, want);
		for (u32 i = 0; i < got; i++)
			out[filled++] = (struct visible_row){ run[i], s.depth, s.open != NULL };
		if (got < want)
			break;
	}
	return filled;
}

/* Unfolded row @i of @level shows @more rows more than before. For n rows fewer, @more is 2^64 - n. */
static void grow(struct visible_level *level, u32 i, u64 more)
{
	for (; level; level = level->up) {
		level->total += more;
		for (u32 k = i + 1; k < level->open->len; k++)
			open_at(level, k)->before += more;
		for (i = 0; level->up && open_at(level->up, i)->below != level;)
			i++;
	}
}

static void open_row(struct visible *v, struct visible_level *level, struct row row, u32 at)
{
	struct open o = { .key = v->rows->ops->key(v->rows, row), .at = at };
	u32 i = 0;

	while (i < level->open->len && open_at(level, i)->at < at)
		i++;
	if (i)
		o.before = open_at(level, i - 1)->before + open_at(level, i - 1)->below->total;
	o.below = level_new(v->rows, row, level);
	g_array_insert_val(level->open, i, o);
	grow(level, i, o.below->total);
}

bool visible_open(struct visible *v, u64 position)
{
	struct visible_spot s;
	struct row row;

	if (position >= v->top->total)
		return false;
	s = spot_of(v, position);
	if (s.open || v->rows->ops->window(v->rows, s.level->parent, s.at, &row, 1) != 1 ||
	    !v->rows->ops->foldable(v->rows, row))
		return false;
	open_row(v, s.level, row, s.at);
	return true;
}

bool visible_close(struct visible *v, u64 position)
{
	struct visible_spot s;
	u32 i;

	if (position >= v->top->total)
		return false;
	s = spot_of(v, position);
	if (!s.open)
		return false;
	i = (u32)(s.open - open_at(s.level, 0));
	grow(s.level, i, 0 - s.open->below->total);
	level_free(s.open->below);
	g_array_remove_index(s.level->open, i);
	return true;
}

/* The last unfolded row of the top level at or before @position; NULL: there is none. */
static const struct open *last_open(const struct visible *v, u64 position)
{
	u32 nr = nr_open_until(v->top, position);

	return nr ? open_at(v->top, nr - 1) : NULL;
}

u64 visible_entry(const struct visible *v, u64 position)
{
	const struct open *o = last_open(v, position);
	u64 start = o ? o->at + o->before : 0;

	return o && position <= start + o->below->total ? start : position;
}

u64 visible_above(const struct visible *v, u64 position)
{
	const struct open *o = last_open(v, position);
	u64 start = o ? o->at + o->before : 0;

	if (!o)
		return position;
	return o->at +
	       (position <= start + o->below->total ? 0 : position - start - o->below->total);
}

void visible_close_all(struct visible *v)
{
	level_free(v->top);
	v->top = level_new(v->rows, (struct row){ ROW_NONE }, NULL);
}

/* Unfolds in @level the rows that are unfolded in @old. Rows with the same key are the same. */
static void follow(struct visible *v, struct visible_level *level, const struct visible_level *old)
{
	g_autoptr(GHashTable) keys = g_hash_table_new(g_int64_hash, g_int64_equal);
	struct row run[RUN];

	for (u32 i = 0; i < old->open->len; i++)
		g_hash_table_insert(keys, &open_at(old, i)->key, open_at(old, i)->below);
	for (u32 at = 0; at < level->nr && g_hash_table_size(keys); at += RUN) {
		u32 got = v->rows->ops->window(v->rows, level->parent, at, run, RUN);

		for (u32 i = 0; i < got; i++) {
			u64 key = v->rows->ops->key(v->rows, run[i]);
			const struct visible_level *was = g_hash_table_lookup(keys, &key);

			if (!was || !v->rows->ops->foldable(v->rows, run[i]))
				continue;
			g_hash_table_remove(keys, &key);
			open_row(v, level, run[i], at + i);
			follow(v, open_at(level, level->open->len - 1)->below, was);
		}
	}
}

void visible_follow(struct visible *v, struct rows *rows)
{
	struct visible_level *old = v->top;

	v->rows = rows;
	v->top = level_new(rows, (struct row){ ROW_NONE }, NULL);
	follow(v, v->top, old);
	level_free(old);
}

/* The same for the range from @from to before @to. */
static s64 find_between(const struct visible *v, u64 key, u64 from, u64 to)
{
	struct visible_row run[RUN];
	u32 got;

	for (u64 at = from; at < to && (got = visible_window(v, at, run, RUN)); at += got)
		for (u32 i = 0; i < got; i++)
			if (v->rows->ops->key(v->rows, run[i].row) == key)
				return (s64)(at + i);
	return -1;
}

s64 visible_find(const struct visible *v, u64 key, u64 near)
{
	s64 found = find_between(v, key, near - MIN(near, RUN), near + RUN);

	return found < 0 ? find_between(v, key, 0, UINT64_MAX) : found;
}
