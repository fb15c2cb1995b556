// SPDX-License-Identifier: GPL-2.0-or-later
/* Allocators and what is kept by distance: a buddy allocator, slabs, a red-black tree by links, lists of relative pointers. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "truth.h"

#define NOINLINE	      __attribute__((noinline))
#define container_of(p, T, m) ((T *)((char *)(p)-offsetof(T, m)))

struct chunk {
	size_t size; /* low bits: in use, the one before is in use */
	struct chunk *fd, *bk;
};

struct region {
	struct chunk *bins[12];
	unsigned int occupied;
	char *start, *end;
	size_t allocated, splits, merges;
};

#define IN_USE	     1ul
#define chunk_len(c) ((c)->size & ~15ul)
#define chunk_of(p)  ((struct chunk *)((char *)(p) - sizeof(size_t)))
#define next_of(c)   ((struct chunk *)((char *)(c) + chunk_len(c)))

static int bin_of(size_t n)
{
	int b = 0;
	for (n >>= 5; n && b < 11; n >>= 1)
		b++;
	return b;
}

NOINLINE void bin_add(struct region *r, struct chunk *c)
{
	int b = bin_of(chunk_len(c));
	placed(c, struct chunk);
	c->fd = r->bins[b];
	c->bk = NULL;
	if (c->fd)
		c->fd->bk = c;
	r->bins[b] = c;
	r->occupied |= 1u << b;
	*(size_t *)((char *)c + chunk_len(c) - sizeof(size_t)) = chunk_len(c);
}

NOINLINE void bin_remove(struct region *r, struct chunk *c)
{
	int b = bin_of(chunk_len(c));
	if (c->bk)
		c->bk->fd = c->fd;
	else
		r->bins[b] = c->fd;
	if (c->fd)
		c->fd->bk = c->bk;
	if (!r->bins[b])
		r->occupied &= ~(1u << b);
}

NOINLINE void *region_alloc(struct region *r, size_t n)
{
	n = (n + sizeof(size_t) + 15) & ~15ul;
	if (n < 48)
		n = 48;
	for (unsigned int mask = r->occupied & (~0u << bin_of(n)); mask; mask &= mask - 1)
		for (struct chunk *c = r->bins[__builtin_ctz(mask)]; c; c = c->fd)
			if (chunk_len(c) >= n) {
				size_t rest = chunk_len(c) - n;
				bin_remove(r, c);
				if (rest >= 48) {
					struct chunk *tail = (struct chunk *)((char *)c + n);
					placed(tail, struct chunk);
					tail->size = rest;
					bin_add(r, tail);
					r->splits++;
					c->size = n;
				}
				c->size |= IN_USE;
				r->allocated += chunk_len(c);
				return (char *)c + sizeof(size_t);
			}
	return NULL;
}

NOINLINE void region_free(struct region *r, void *p)
{
	struct chunk *c = chunk_of(p), *next;
	placed(c, struct chunk);
	r->allocated -= chunk_len(c);
	c->size &= ~IN_USE;
	next = next_of(c);
	if ((char *)next < r->end && !(next->size & IN_USE)) {
		bin_remove(r, next);
		c->size += chunk_len(next);
		r->merges++;
	}
	bin_add(r, c);
}

/* A red-black tree whose links are inside of what it sorts. */
struct rb {
	uintptr_t parent_color;
	struct rb *left, *right;
};

struct rb_root {
	struct rb *top;
	size_t count;
};

struct extent {
	uint32_t flags;
	uint16_t refs;
	struct rb by_start;
	uint64_t start, len;
	struct rb by_len;
	struct extent *twin;
	float heat;
};

#define rb_parent(n) ((struct rb *)((n)->parent_color & ~3ul))
#define rb_red(n)    (!((n)->parent_color & 1))

NOINLINE void rb_rotate(struct rb_root *root, struct rb *n, bool left)
{
	struct rb *up = left ? n->right : n->left, *p = rb_parent(n),
		  *inner = left ? up->left : up->right;
	if (left) {
		n->right = inner;
		up->left = n;
	} else {
		n->left = inner;
		up->right = n;
	}
	if (inner)
		inner->parent_color = (inner->parent_color & 1) | (uintptr_t)n;
	up->parent_color = (up->parent_color & 1) | (uintptr_t)p;
	n->parent_color = (n->parent_color & 1) | (uintptr_t)up;
	if (!p)
		root->top = up;
	else if (p->left == n)
		p->left = up;
	else
		p->right = up;
}

NOINLINE void rb_fix(struct rb_root *root, struct rb *n)
{
	struct rb *p, *g, *u;
	while ((p = rb_parent(n)) && rb_red(p)) {
		g = rb_parent(p);
		u = g->left == p ? g->right : g->left;
		if (u && rb_red(u)) {
			u->parent_color |= 1;
			p->parent_color |= 1;
			g->parent_color &= ~1ul;
			n = g;
			continue;
		}
		if (g->left == p) {
			if (p->right == n) {
				rb_rotate(root, p, true);
				p = n;
			}
			rb_rotate(root, g, false);
		} else {
			if (p->left == n) {
				rb_rotate(root, p, false);
				p = n;
			}
			rb_rotate(root, g, true);
		}
		p->parent_color |= 1;
		g->parent_color &= ~1ul;
		break;
	}
	root->top->parent_color |= 1;
}

NOINLINE void add_by_start(struct rb_root *root, struct extent *e)
{
	struct rb **at = &root->top, *parent = NULL;
	while (*at) {
		parent = *at;
		at = e->start < container_of(parent, struct extent, by_start)->start
			     ? &parent->left
			     : &parent->right;
	}
	e->by_start.parent_color = (uintptr_t)parent;
	e->by_start.left = e->by_start.right = NULL;
	*at = &e->by_start;
	rb_fix(root, &e->by_start);
	root->count++;
}

NOINLINE void add_by_len(struct rb_root *root, struct extent *e)
{
	struct rb **at = &root->top, *parent = NULL;
	while (*at) {
		struct extent *other = container_of(*at, struct extent, by_len);
		parent = *at;
		if (e->len < other->len || (e->len == other->len && e->start < other->start))
			at = &parent->left;
		else
			at = &parent->right;
	}
	e->by_len.parent_color = (uintptr_t)parent;
	e->by_len.left = e->by_len.right = NULL;
	*at = &e->by_len;
	rb_fix(root, &e->by_len);
	root->count++;
}

NOINLINE struct extent *find_start(const struct rb_root *root, uint64_t start)
{
	struct rb *n = root->top, *best = NULL;
	while (n) {
		const struct extent *e = container_of(n, struct extent, by_start);
		if (start < e->start) {
			n = n->left;
		} else {
			best = n;
			if (start < e->start + e->len)
				break;
			n = n->right;
		}
	}
	return best ? container_of(best, struct extent, by_start) : NULL;
}

NOINLINE struct rb *rb_next(const struct rb *n)
{
	struct rb *p;
	if (n->right) {
		n = n->right;
		while (n->left)
			n = n->left;
		return (struct rb *)n;
	}
	while ((p = rb_parent(n)) && n == p->right)
		n = p;
	return p;
}

NOINLINE double walk(const struct rb_root *root)
{
	double sum = 0;
	struct rb *n = root->top;
	while (n && n->left)
		n = n->left;
	for (; n; n = rb_next(n)) {
		struct extent *e = container_of(n, struct extent, by_len);
		e->refs++;
		e->heat = e->heat * 0.5f + (float)e->len;
		if (e->twin)
			sum += e->twin->heat;
		sum += (double)e->heat + e->flags;
	}
	return sum;
}

/* A shared area without addresses: all is said by distances from where they stand, or from the base. */
struct rel {
	int32_t off;
};

struct word {
	struct rel next;
	uint32_t count;
	uint16_t len;
	char text[10];
};

struct area {
	uint32_t magic, used, size;
	struct rel buckets[8];
	struct rel longest;
	char space[];
};

static void *rel_get(const struct rel *r)
{
	return r->off ? (char *)r + r->off : NULL;
}
static void rel_set(struct rel *r, void *p)
{
	r->off = p ? (int32_t)((char *)p - (char *)r) : 0;
}

NOINLINE struct word *area_word(struct area *a, const char *text)
{
	uint32_t h = 5381;
	struct rel *bucket;
	struct word *w, *longest;
	for (const char *c = text; *c; c++)
		h = h * 33 ^ (unsigned char)*c;
	bucket = &a->buckets[h & 7];
	for (w = rel_get(bucket); w; w = rel_get(&w->next))
		if (!strcmp(w->text, text)) {
			w->count++;
			return w;
		}
	w = (struct word *)(a->space + a->used);
	placed(w, struct word);
	a->used += sizeof(*w);
	w->count = 1;
	w->len = (uint16_t)strlen(text);
	memcpy(w->text, text, w->len + 1u);
	rel_set(&w->next, rel_get(bucket));
	rel_set(bucket, w);
	longest = rel_get(&a->longest);
	if (!longest || longest->len < w->len)
		rel_set(&a->longest, w);
	return w;
}

NOINLINE uint32_t area_sum(const struct area *a)
{
	uint32_t sum = 0;
	for (int i = 0; i < 8; i++)
		for (const struct word *w = rel_get(&a->buckets[i]); w; w = rel_get(&w->next))
			sum += w->count * w->len + (unsigned char)w->text[w->len - 1];
	return sum;
}

int main(void)
{
	struct region r = { .occupied = 0 };
	struct rb_root starts = { NULL, 0 }, lens = { NULL, 0 };
	struct area *a = new_flexible(struct area, 2048);
	void *kept[24] = { NULL };
	struct extent *last = NULL;
	struct chunk *first;
	uint64_t found = 0;

	r.start = truth_alloc(8192, "unsigned char", 8192);
	r.end = r.start + 8192;
	first = (struct chunk *)r.start;
	placed(first, struct chunk);
	first->size = 8192;
	bin_add(&r, first);
	for (int i = 0; i < 120; i++) {
		int at = i * 7 % 24;
		if (kept[at])
			region_free(&r, kept[at]);
		kept[at] = region_alloc(&r, 20u + (unsigned)(i * 37 % 200));
	}
	for (int i = 0; i < 40; i++) {
		struct extent *e = create(struct extent);
		e->start = (uint64_t)(i * 29 % 40) * 100;
		e->len = 20 + (unsigned)i * 13 % 70;
		e->flags = (uint32_t)i & 3;
		e->twin = last;
		last = e;
		add_by_start(&starts, e);
		add_by_len(&lens, e);
	}
	for (uint64_t p = 0; p < 4000; p += 90) {
		struct extent *e = find_start(&starts, p);
		if (e)
			found += e->start + e->refs;
	}
	a->size = 2048;
	a->magic = 0x61726561;
	for (int i = 0; i < 60; i++) {
		char text[10];
		snprintf(text, sizeof(text), "w%d", i * i % 37 * 31);
		area_word(a, text);
	}
	printf("%zu %zu %zu %lu %.2f %zu %u %s\n", r.allocated, r.splits, r.merges, found,
	       walk(&lens), starts.count, area_sum(a), ((struct word *)rel_get(&a->longest))->text);
	return 0;
}
