// SPDX-License-Identifier: GPL-2.0-or-later
/* Places by index, by distance and by links that know what points to them: a cache of files, cells, a grid, a heap. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "truth.h"

#define NOINLINE	      __attribute__((noinline))
#define container_of(p, T, m) ((T *)((char *)(p)-offsetof(T, m)))

/* A hash table whose entries know what points to them. */
struct hnode {
	struct hnode *next, **pprev;
};

struct hhead {
	struct hnode *first;
};

struct file {
	uint64_t ino;
	unsigned mode : 9, dirty : 1, kind : 3;
	uint32_t refs;
	struct hnode hash;
	char name[24];
	struct hnode lru;
	struct file *parent;
};

struct table {
	unsigned bits;
	uint32_t used;
	struct hhead buckets[16];
	struct hhead lru;
	struct file *last;
};

NOINLINE void h_add(struct hnode *n, struct hhead *h)
{
	n->next = h->first;
	if (h->first)
		h->first->pprev = &n->next;
	h->first = n;
	n->pprev = &h->first;
}

NOINLINE void h_del(struct hnode *n)
{
	*n->pprev = n->next;
	if (n->next)
		n->next->pprev = n->pprev;
}

NOINLINE struct file *lookup(struct table *t, uint64_t ino)
{
	for (struct hnode *n = t->buckets[ino & 15].first; n; n = n->next) {
		struct file *f = container_of(n, struct file, hash);
		if (f->ino == ino) {
			f->refs++;
			return f;
		}
	}
	return NULL;
}

NOINLINE struct file *add(struct table *t, uint64_t ino, const char *name)
{
	struct file *f = create(struct file);
	memset(f, 0, sizeof(*f));
	f->ino = ino;
	f->mode = 0644;
	f->kind = ino % 5;
	strncpy(f->name, name, sizeof(f->name) - 1);
	h_add(&f->hash, &t->buckets[ino & 15]);
	h_add(&f->lru, &t->lru);
	f->parent = t->last;
	t->last = f;
	t->used++;
	return f;
}

NOINLINE unsigned sweep(struct table *t)
{
	unsigned n = 0;
	for (unsigned i = 0; i < 16; i++)
		for (struct hnode **pp = &t->buckets[i].first, *p; (p = *pp);) {
			struct file *f = container_of(p, struct file, hash);
			if (f->kind == 3 && !f->dirty) {
				h_del(p);
				h_del(&f->lru);
				t->used--;
				n++;
			} else {
				f->dirty ^= 1;
				pp = &p->next;
			}
		}
	return n;
}

NOINLINE uint64_t depth(const struct file *f)
{
	uint64_t d = 0;
	while (f) {
		d += f->mode & 7;
		f = f->parent;
	}
	return d;
}

/* A list in an array, linked by indexes. */
struct cell {
	uint32_t next, prev;
	uint16_t val, pad;
	float w;
};

struct pool {
	uint32_t head, free, nr;
	struct cell cells[64];
	uint8_t used[64];
};

NOINLINE uint32_t pool_new(struct pool *p, unsigned v)
{
	uint32_t i = p->free;
	p->free = p->cells[i].next;
	p->cells[i].val = (uint16_t)v;
	p->cells[i].w = v * 0.5f;
	p->cells[i].next = p->head;
	p->cells[i].prev = 0;
	if (p->head)
		p->cells[p->head].prev = i;
	p->head = i;
	p->used[i] = 1;
	p->nr++;
	return i;
}

NOINLINE float pool_sum(const struct pool *p)
{
	float s = 0;
	for (uint32_t i = p->head; i; i = p->cells[i].next)
		s += p->cells[i].w * p->cells[i].val;
	return s;
}

NOINLINE void pool_drop(struct pool *p, uint32_t i)
{
	struct cell *c = &p->cells[i];
	if (c->prev)
		p->cells[c->prev].next = c->next;
	else
		p->head = c->next;
	if (c->next)
		p->cells[c->next].prev = c->prev;
	c->next = p->free;
	p->free = i;
	p->used[i] = 0;
	p->nr--;
}

/* A grid with a border: indexes with constants. */
struct grid {
	int w, h;
	double old[12][12];
	double now[12][12];
	int marks[12];
};

NOINLINE double relax(struct grid *g)
{
	double d = 0;
	for (int y = 1; y < 11; y++)
		for (int x = 1; x < 11; x++) {
			g->now[y][x] = (g->old[y - 1][x] + g->old[y + 1][x] + g->old[y][x - 1] +
					g->old[y][x + 1]) /
				       4;
			d += g->now[y][x] - g->old[y][x];
		}
	memcpy(g->old, g->now, sizeof(g->old));
	return d;
}

NOINLINE int diffs(struct grid *g, int n)
{
	int s = 0;
	for (int i = 1; i < n; i++)
		s += g->marks[i] - g->marks[i - 1];
	return s;
}

/* A heap that counts from 1, and a stack behind it. */
struct event {
	long when;
	int id;
	short kind;
};

struct queue {
	int n;
	struct event heap[32];
	int nfree;
	int free[32];
	long late;
};

NOINLINE void push(struct queue *q, long when, int id)
{
	int i = ++q->n;
	for (; i > 1 && q->heap[i / 2].when > when; i /= 2)
		q->heap[i] = q->heap[i / 2];
	q->heap[i].when = when;
	q->heap[i].id = id;
	q->heap[i].kind = (short)(id & 3);
}

NOINLINE struct event pop(struct queue *q)
{
	struct event top = q->heap[1], last = q->heap[q->n--];
	int i = 1, c;
	for (; (c = 2 * i) <= q->n; i = c) {
		if (c < q->n && q->heap[c + 1].when < q->heap[c].when)
			c++;
		if (last.when <= q->heap[c].when)
			break;
		q->heap[i] = q->heap[c];
	}
	q->heap[i] = last;
	q->free[q->nfree++] = top.id;
	return top;
}

NOINLINE int reuse(struct queue *q)
{
	q->nfree--;
	return q->free[q->nfree];
}

/* A list linked by distances. */
struct rel {
	int32_t next;
	int32_t key;
	int32_t val;
};

struct relist {
	int32_t first;
	uint32_t nr;
	struct rel items[20];
};

NOINLINE long rel_sum(const struct relist *l)
{
	long s = 0;
	const int32_t *at = &l->first;
	while (*at) {
		const struct rel *r = (const struct rel *)((const char *)at + *at);
		s += r->key * r->val;
		at = &r->next;
	}
	return s;
}

NOINLINE void rel_add(struct relist *l, int k, int v)
{
	struct rel *r = &l->items[l->nr++];
	r->key = k;
	r->val = v;
	r->next = l->first ? (int32_t)((char *)&l->first + l->first - (char *)&r->next) : 0;
	l->first = (int32_t)((char *)r - (char *)&l->first);
}

static struct grid grid;
static struct queue queue;
int main(void)
{
	struct table *t = create(struct table);
	struct pool *p = create(struct pool);
	struct relist *l = create(struct relist);
	double d = 0;
	long s = 0;
	char name[16];
	memset(t, 0, sizeof(*t));
	memset(p, 0, sizeof(*p));
	memset(l, 0, sizeof(*l));
	for (int i = 0; i < 24; i++) {
		snprintf(name, sizeof(name), "f%d", i);
		add(t, (uint64_t)i * 7, name);
	}
	for (int i = 0; i < 36; i++)
		s += lookup(t, (uint64_t)i) != NULL;
	s += sweep(t);
	s += sweep(t);
	s += (long)depth(t->last);
	for (uint32_t i = 1; i < 63; i++)
		p->cells[i].next = i + 1;
	p->free = 1;
	for (unsigned i = 0; i < 30; i++)
		pool_new(p, i);
	for (uint32_t i = 2; i < 30; i += 3)
		pool_drop(p, i);
	d += pool_sum(p);
	for (int y = 0; y < 12; y++) {
		grid.marks[y] = y * y;
		for (int x = 0; x < 12; x++)
			grid.old[y][x] = x == 0 ? 9 : y;
	}
	d += relax(&grid);
	s += diffs(&grid, 12);
	for (int i = 0; i < 25; i++)
		push(&queue, (i * 37) % 29, i);
	for (int i = 0; i < 25; i++)
		s += pop(&queue).when * i;
	for (int i = 0; i < 5; i++)
		s += reuse(&queue);
	for (int i = 0; i < 15; i++)
		rel_add(l, i, i + 1);
	s += rel_sum(l);
	printf("%ld %.3f\n", s, d);
	return 0;
}
