// SPDX-License-Identifier: GPL-2.0-or-later
/* Search trees whose children are an array that a comparison indexes: a red-black tree and a treap. */
#include <stdbool.h>
#include <stdio.h>

#include "truth.h"

struct node {
	unsigned long key;
	struct node *up;
	struct node *kid[2];
	long value;
	bool red;
};

struct tree {
	long changed;
	struct node *root;
	struct node *last;
	unsigned int nr, rotations;
};

static void rotate(struct tree *t, struct node *n, int dir)
{
	struct node *c = n->kid[!dir], *p = n->up;

	t->rotations++;
	n->kid[!dir] = c->kid[dir];
	if (c->kid[dir])
		c->kid[dir]->up = n;
	c->up = p;
	if (!p)
		t->root = c;
	else
		p->kid[n == p->kid[1]] = c;
	c->kid[dir] = n;
	n->up = c;
}

__attribute__((noinline)) static void balance(struct tree *t, struct node *n)
{
	struct node *p;

	while ((p = n->up) && p->red) {
		struct node *g = p->up;
		int dir = p == g->kid[1];
		struct node *uncle = g->kid[!dir];

		if (uncle && uncle->red) {
			p->red = uncle->red = false;
			g->red = true;
			n = g;
			continue;
		}
		if (n == p->kid[!dir]) {
			rotate(t, p, dir);
			n = p;
			p = n->up;
		}
		p->red = false;
		g->red = true;
		rotate(t, g, !dir);
	}
	t->root->red = false;
}

__attribute__((noinline)) static struct node *insert(struct tree *t, unsigned long key, long value)
{
	struct node *p = NULL, *n = t->root;
	int dir = 0;

	while (n) {
		if (n->key == key) {
			n->value += value;
			return n;
		}
		dir = key > n->key;
		p = n;
		n = n->kid[dir];
	}
	n = create(struct node);
	n->key = key;
	n->value = value;
	n->up = p;
	n->red = true;
	if (p)
		p->kid[dir] = n;
	else
		t->root = n;
	t->nr++;
	t->last = n;
	balance(t, n);
	return n;
}

__attribute__((noinline)) static struct node *find(const struct tree *t, unsigned long k)
{
	struct node *n = t->root;

	while (n && n->key != k)
		n = n->kid[k > n->key];
	return n;
}

/* The first of at least @k. */
__attribute__((noinline)) static struct node *lower(const struct tree *t, unsigned long k)
{
	struct node *n = t->root, *best = NULL;

	while (n) {
		bool right = n->key < k;

		if (!right)
			best = n;
		n = n->kid[right];
	}
	return best;
}

__attribute__((noinline)) static struct node *step(struct node *n, int dir)
{
	if (n->kid[dir]) {
		n = n->kid[dir];
		while (n->kid[!dir])
			n = n->kid[!dir];
		return n;
	}
	while (n->up && n == n->up->kid[dir])
		n = n->up;
	return n->up;
}

__attribute__((noinline)) static void drop(struct node *n)
{
	for (int i = 0; i < 2; i++)
		if (n->kid[i])
			drop(n->kid[i]);
	truth_free(n);
}

/* Children first in the node: an index in front of everything. */
struct heap_node {
	struct heap_node *kid[2];
	unsigned int priority;
	int key;
};

__attribute__((noinline)) static struct heap_node *merge(struct heap_node *a, struct heap_node *b)
{
	struct heap_node *parts[2] = { a, b }, *top, **at = &top;

	while (parts[0] && parts[1]) {
		int side = parts[1]->priority > parts[0]->priority;

		*at = parts[side];
		at = &parts[side]->kid[!side];
		parts[side] = parts[side]->kid[!side];
	}
	*at = parts[0] ? parts[0] : parts[1];
	return top;
}

__attribute__((noinline)) static int height(const struct heap_node *n)
{
	int h[2] = { 0, 0 };

	for (int i = 0; i < 2; i++)
		if (n->kid[i])
			h[i] = height(n->kid[i]);
	return 1 + h[h[1] > h[0]];
}

int main(void)
{
	struct tree *t = create(struct tree);
	struct heap_node *all = NULL;
	unsigned long x = 7;
	long sum = 0;

	for (int i = 0; i < 40; i++) {
		x = (x * 1103515245 + 12345) & 0x7fffffff;
		insert(t, x % 50, i);
	}
	for (unsigned long k = 0; k < 50; k += 3) {
		struct node *n = find(t, k), *l = lower(t, k);

		sum += (n ? n->value : 0) + (l ? (long)l->key : 0);
	}
	for (struct node *n = lower(t, 0); n; n = step(n, 1))
		sum += n->value * (n->red ? 2 : 1);
	for (struct node *n = t->last; n; n = step(n, 0))
		sum -= n->value;
	for (int i = 0; i < 12; i++) {
		struct heap_node *h = create(struct heap_node);

		x = (x * 1103515245 + 12345) & 0x7fffffff;
		h->priority = (unsigned int)(x >> 8);
		h->key = i;
		all = all ? merge(all, h) : h;
	}
	printf("%ld %u %u %d\n", sum, t->nr, t->rotations, height(all));
	drop(t->root);
	truth_free(t);
	return 0;
}
