// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A mapping is valid for a range of addresses and a range of time: a rectangle. A later mapping cuts away the part of
 * an older one that it covers, so rectangles never overlap:
 *
 *	  va ^      +--------+---------
 *	     |      |  libc  |  jit 1  ...   `now` has the rectangles that are open to the right,
 *	     |  +---+--+-----+---------      `past` those that have ended.
 *	     |  |  exe        ...
 *	     +--+-----------------------> time
 *
 * Example: libc is mapped at 0x7f00 at time 10, and jit1 over it at time 20. Then `now` has { 0x7f00, jit1, from 20 }
 * and `past` has { 0x7f00, libc, 10 to 20 }. A sample at time 25 finds jit1 in `now`. For a sample at time 15, jit1
 * starts too late, and libc is found in `past`.
 *
 * `now` answers nearly all look-ups. It is a sorted array, split into blocks of about a hundred pieces: an insertion
 * moves a few kilobytes, even in a process of 100,000 mappings. A forked process shares the blocks of its parent, and a
 * shared block is copied before it is written (copy-on-write). So a fork bomb costs only pointers. Mappings are added
 * in order of time, so at the fork the parent's `now` is the child's initial state.
 *
 * `past` is searched with a segment tree, which space_seal() builds. Each rectangle is stored at the O(log n) nodes
 * that cover its addresses. All rectangles of a node contain all addresses of the node. So they do not overlap in time,
 * and a binary search by time finds the right one. A look-up takes logarithmic time, even if a process (a just-in-time
 * compiler) maps the same address 100,000 times.
 */
#include "machine/space.h"

#include <string.h>

#include "base/search.h"

#define BLOCK_MAX  128
#define FIRST_ROOM 8

struct map_piece {
	u64 start, end;
	u64 time;
	const struct map *map; /* NULL: a hole made by space_add() */
};

struct piece_block {
	u32 shared_by; /* number of spaces */
	u32 nr, room;
	struct map_piece *piece;
};

struct past {
	u64 start, end;
	u64 from, to;
	const struct map *map;
};

struct node_range {
	u32 first, nr; /* in rects */
};

/* The segment tree of `past`. Its leaves are the intervals between neighbouring bounds. */
struct past_index {
	u64 *bounds; /* ascending */
	u32 nr_bounds;
	u32 leaves;		  /* number of leaves: a power of two */
	struct node_range *nodes; /* of 2 * leaves, heap order from 1 */
	u32 *rects;		  /* indices of past, by node, in order of time */
};

struct space {
	u64 start;
	GPtrArray *blocks; /* struct piece_block *, in order of address, none empty */
	GArray *past;	   /* struct past, in order of .to */
	struct past_index *index;
};

static struct piece_block *block_new(u32 room)
{
	struct piece_block *b = g_new(struct piece_block, 1);

	*b = (struct piece_block){ 1, 0, room, g_new(struct map_piece, room) };
	return b;
}

static void block_unref(void *p)
{
	struct piece_block *b = p;

	if (--b->shared_by)
		return;
	g_free(b->piece);
	g_free(b);
}

static void index_free(struct past_index *index)
{
	if (!index)
		return;
	g_free(index->bounds);
	g_free(index->nodes);
	g_free(index->rects);
	g_free(index);
}

struct space *space_new(u64 time, struct space *parent)
{
	struct space *space = g_new0(struct space, 1);

	space->start = time;
	space->blocks = g_ptr_array_new_with_free_func(block_unref);
	space->past = g_array_new(FALSE, FALSE, sizeof(struct past));
	for (u32 i = 0; parent && i < parent->blocks->len; i++) {
		struct piece_block *b = g_ptr_array_index(parent->blocks, i);

		b->shared_by++;
		g_ptr_array_add(space->blocks, b);
	}
	return space;
}

void space_free(struct space *space)
{
	if (!space)
		return;
	g_ptr_array_free(space->blocks, TRUE);
	g_array_free(space->past, TRUE);
	index_free(space->index);
	g_free(space);
}

u64 space_start(const struct space *space)
{
	return space->start;
}

static struct piece_block *block_at(const struct space *space, u32 i)
{
	return g_ptr_array_index(space->blocks, i);
}

/* The block @i, ready to be written: a shared block is copied first. */
static struct piece_block *own_block(struct space *space, u32 i)
{
	struct piece_block *b = block_at(space, i), *copy;

	if (b->shared_by == 1)
		return b;
	copy = block_new(b->room);
	copy->nr = b->nr;
	memcpy(copy->piece, b->piece, b->nr * sizeof(*b->piece));
	b->shared_by--;
	return space->blocks->pdata[i] = copy;
}

static u64 block_end(const struct piece_block *block)
{
	return block->piece[block->nr - 1].end;
}

/* Finds the first piece of `now` that ends above @va: its block and its index there. */
static bool first_above(const struct space *space, u64 va, u32 *block, u32 *at)
{
	u32 nr = space->blocks->len;
	const struct piece_block *b;

	/* After all pieces: the usual case when mappings come in order of address. */
	if (!nr || block_end(block_at(space, nr - 1)) <= va)
		return false;
	*block = SEARCH(i, 0, nr, block_end(block_at(space, i)) <= va);
	b = block_at(space, *block);
	*at = SEARCH(i, 0, b->nr, b->piece[i].end <= va);
	return true;
}

static void remove_at(struct space *space, u32 block, u32 at)
{
	struct piece_block *b = own_block(space, block);

	memmove(b->piece + at, b->piece + at + 1, (b->nr - at - 1) * sizeof(*b->piece));
	if (!--b->nr)
		g_ptr_array_remove_index(space->blocks, block);
}

static struct piece_block *add_block(struct space *space, u32 block, u32 room)
{
	struct piece_block *b = block_new(room);

	g_ptr_array_insert(space->blocks, (int)block, b);
	return b;
}

/*
 * Makes room for one more piece at *@at of @block; returns the block, and *@at may change. A full block is split. But
 * at the ends of a full block, a new block is started, so that pieces that come in ascending or descending order fill
 * their blocks.
 */
static struct piece_block *make_room(struct space *space, u32 block, u32 *at)
{
	struct piece_block *b, *upper;

	if (!*at && block && block_at(space, block - 1)->nr < BLOCK_MAX)
		*at = block_at(space, --block)->nr;
	if (block_at(space, block)->nr == BLOCK_MAX && (!*at || *at == BLOCK_MAX)) {
		block += *at == BLOCK_MAX;
		*at = 0;
		return add_block(space, block, FIRST_ROOM);
	}
	b = own_block(space, block);
	if (b->nr == BLOCK_MAX) {
		upper = add_block(space, block + 1, BLOCK_MAX);
		upper->nr = BLOCK_MAX / 2;
		b->nr -= upper->nr;
		memcpy(upper->piece, b->piece + b->nr, upper->nr * sizeof(*b->piece));
		if (*at > b->nr) {
			*at -= b->nr;
			b = upper;
		}
	} else if (b->nr == b->room) {
		b->room = MIN(2 * b->room, BLOCK_MAX);
		b->piece = g_renew(struct map_piece, b->piece, b->room);
	}
	return b;
}

/* Inserts a piece that does not overlap another one: cut() has removed overlaps. */
static void insert(struct space *space, const struct map_piece *piece)
{
	u32 block = 0, at = 0;
	struct piece_block *b;

	if (!space->blocks->len) {
		add_block(space, 0, FIRST_ROOM);
	} else if (!first_above(space, piece->start, &block, &at)) {
		block = space->blocks->len - 1;
		at = block_at(space, block)->nr;
	}
	b = make_room(space, block, &at);
	memmove(b->piece + at + 1, b->piece + at, (b->nr - at) * sizeof(*b->piece));
	b->piece[at] = *piece;
	b->nr++;
}

static bool is_code(const struct map *map)
{
	return map && !map->data;
}

/* Ends all pieces in [start, end) at @time, and moves them to `past`. True: one of them was code. */
static bool cut(struct space *space, u64 start, u64 end, u64 time)
{
	bool code = false;
	u32 block, at;

	while (first_above(space, start, &block, &at)) {
		struct map_piece old = block_at(space, block)->piece[at], rest;
		struct past gone = { MAX(old.start, start), MIN(old.end, end), old.time, time,
				     old.map };

		if (old.start >= end)
			break;
		code |= is_code(old.map);
		remove_at(space, block, at);
		if (gone.from < gone.to)
			g_array_append_val(space->past, gone);
		if (old.start < start) {
			rest = old;
			rest.end = start;
			insert(space, &rest);
		}
		if (old.end > end) {
			rest = old;
			rest.start = end;
			insert(space, &rest);
		}
	}
	return code;
}

bool space_add(struct space *space, const struct map *map, u64 start, u64 end, u64 time)
{
	struct map_piece piece = { start, end, time, map };
	bool code = is_code(map);

	if (start >= end)
		return false;
	index_free(space->index);
	space->index = NULL;
	code |= cut(space, start, end, time);
	insert(space, &piece);
	return code;
}

static int compare_u64(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

/* The index i with bounds[i - 1] <= va < bounds[i]. */
static u32 bound_of(const struct past_index *index, u64 va)
{
	return SEARCH(i, 0, index->nr_bounds, index->bounds[i] <= va);
}

static void collect_bounds(struct past_index *index, const GArray *past)
{
	u32 nr = 0;

	index->bounds = g_new(u64, 2 * past->len);
	for (u32 i = 0; i < past->len; i++) {
		const struct past *p = &g_array_index(past, struct past, i);

		index->bounds[nr++] = p->start;
		index->bounds[nr++] = p->end;
	}
	qsort(index->bounds, nr, sizeof(u64), compare_u64);
	for (u32 i = 0; i < nr; i++)
		if (!i || index->bounds[i] != index->bounds[index->nr_bounds - 1])
			index->bounds[index->nr_bounds++] = index->bounds[i];
}

/* Visits the O(log n) nodes of the segment tree that cover @p: starts at both ends of its leaves and goes upwards. */
static void each_node(struct past_index *index, const struct past *p,
		      void (*fn)(struct past_index *, u32 node, u32 rect), u32 rect)
{
	u32 low = bound_of(index, p->start) - 1 + index->leaves;
	u32 high = bound_of(index, p->end) - 1 + index->leaves;

	for (; low < high; low /= 2, high /= 2) {
		if (low & 1)
			fn(index, low++, rect);
		if (high & 1)
			fn(index, --high, rect);
	}
}

static void count_rect(struct past_index *index, u32 node, u32 rect)
{
	index->nodes[node].nr++;
}

static void note_rect(struct past_index *index, u32 node, u32 rect)
{
	struct node_range *n = &index->nodes[node];

	index->rects[n->first + n->nr++] = rect;
}

void space_seal(struct space *space)
{
	struct past_index *index;
	const struct past *all = (const void *)space->past->data;
	u32 total = 0;

	if (space->index || !space->past->len)
		return;
	index = g_new0(struct past_index, 1);
	collect_bounds(index, space->past);
	for (index->leaves = 1; index->leaves < index->nr_bounds; index->leaves *= 2)
		;
	index->nodes = g_new0(struct node_range, 2 * index->leaves);
	for (u32 i = 0; i < space->past->len; i++)
		each_node(index, &all[i], count_rect, i);
	for (u32 i = 1; i < 2 * index->leaves; i++) {
		index->nodes[i].first = total;
		total += index->nodes[i].nr;
		index->nodes[i].nr = 0;
	}
	index->rects = g_new(u32, total);
	/* `past` is sorted by .to, so the entries of each node are too. */
	for (u32 i = 0; i < space->past->len; i++)
		each_node(index, &all[i], note_rect, i);
	space->index = index;
}

static const struct past *find_in_node(const struct past_index *index, const struct past *all,
				       u32 node, u64 time)
{
	const struct node_range *n = &index->nodes[node];
	u32 end = n->first + n->nr, at;
	const struct past *p;

	at = SEARCH(i, n->first, end, all[index->rects[i]].to <= time);
	if (at == end)
		return NULL;
	p = &all[index->rects[at]];
	return p->from <= time ? p : NULL;
}

static const struct past *find_past(const struct space *space, u64 va, u64 time)
{
	const struct past_index *index = space->index;
	const struct past *all = (const void *)space->past->data;
	u32 leaf;

	if (!index) {
		for (u32 i = space->past->len; i-- && all[i].to > time;)
			if (all[i].from <= time && va >= all[i].start && va < all[i].end)
				return &all[i];
		return NULL;
	}
	leaf = bound_of(index, va);
	if (!leaf)
		return NULL;
	for (u32 node = leaf - 1 + index->leaves; node; node /= 2) {
		const struct past *p = find_in_node(index, all, node, time);

		if (p)
			return p;
	}
	return NULL;
}

struct space_hit space_find(const struct space *space, u64 va, u64 time)
{
	struct space_hit hit = { 0 };
	const struct map_piece *now;
	const struct past *p;
	u32 block, at;

	/* A piece can only be replaced by another one: an address that is not in `now` was never mapped. */
	if (!first_above(space, va, &block, &at))
		return (struct space_hit){ NULL, va, va + 1, 0, true };
	now = &block_at(space, block)->piece[at];
	if (now->start > va)
		return (struct space_hit){ NULL, va, now->start, 0, true };
	if (now->time <= time)
		return (struct space_hit){ now->map, now->start, now->end, now->time, true };
	p = find_past(space, va, time);
	if (p)
		hit.map = p->map;
	return hit;
}

static int by_start(const void *a, const void *b)
{
	return compare_u64(&((const struct map_piece *)a)->start,
			   &((const struct map_piece *)b)->start);
}

static GArray *pieces_at(const struct space *space, u64 time)
{
	GArray *pieces = g_array_new(FALSE, FALSE, sizeof(struct map_piece));

	for (u32 b = 0; b < space->blocks->len; b++)
		for (u32 i = 0; i < block_at(space, b)->nr; i++)
			if (block_at(space, b)->piece[i].time <= time)
				g_array_append_val(pieces, block_at(space, b)->piece[i]);
	for (u32 i = 0; i < space->past->len; i++) {
		const struct past *p = &g_array_index(space->past, struct past, i);
		struct map_piece piece = { p->start, p->end, p->from, p->map };

		if (p->from <= time && time < p->to)
			g_array_append_val(pieces, piece);
	}
	g_array_sort(pieces, by_start);
	return pieces;
}

void space_each(const struct space *space, u64 time,
		void (*fn)(const struct map *map, u64 start, u64 end, void *arg), void *arg)
{
	g_autoptr(GArray) pieces = pieces_at(space, time);
	struct map_piece whole = { 0 };

	/* Joins the pieces of a mapping that a later mapping has cut apart. */
	for (u32 i = 0; i < pieces->len; i++) {
		const struct map_piece *p = &g_array_index(pieces, struct map_piece, i);

		if (p->map == whole.map && p->start == whole.end) {
			whole.end = p->end;
			continue;
		}
		if (whole.map)
			fn(whole.map, whole.start, whole.end, arg);
		whole = *p;
	}
	if (whole.map)
		fn(whole.map, whole.start, whole.end, arg);
}
