// SPDX-License-Identifier: GPL-2.0-or-later
/* A cache with an age list, an index tree and waiters: links inside of what they link. */
#include <stddef.h>
#include <stdio.h>

#include "truth.h"

#define outer(p, type, member) ((type *)((char *)(p)-offsetof(type, member)))

struct link {
	struct link *next, *prev;
};

struct node {
	struct node *left, *right, *parent;
	unsigned int red;
};

struct page {
	unsigned long index;
	struct node by_index;
	unsigned int uses, flags;
	struct link by_age;
	struct link waiters;
	unsigned char data[16];
};

struct waiter {
	int priority;
	struct link entry;
	struct page *page;
	long woken;
};

struct cache {
	struct node *root;
	struct link ages;
	unsigned int nr, max;
	unsigned long evicted;
};

static void link_init(struct link *l)
{
	l->next = l->prev = l;
}

static void link_add(struct link *l, struct link *before)
{
	l->prev = before->prev;
	l->next = before;
	before->prev->next = l;
	before->prev = l;
}

static void link_del(struct link *l)
{
	l->prev->next = l->next;
	l->next->prev = l->prev;
}

static struct page *find(struct cache *cache, unsigned long index)
{
	struct node *n = cache->root;

	while (n) {
		struct page *page = outer(n, struct page, by_index);

		if (page->index == index)
			return page;
		n = index < page->index ? n->left : n->right;
	}
	return NULL;
}

static void insert(struct cache *cache, struct page *page)
{
	struct node **at = &cache->root, *parent = NULL;

	while (*at) {
		parent = *at;
		at = page->index < outer(parent, struct page, by_index)->index ? &parent->left
									       : &parent->right;
	}
	page->by_index.parent = parent;
	page->by_index.red = parent && !parent->red;
	*at = &page->by_index;
}

static struct node *leftmost(struct node *n)
{
	while (n->left)
		n = n->left;
	return n;
}

static void erase(struct cache *cache, struct page *page)
{
	struct node *n = &page->by_index, *child = n->left ? n->left : n->right;
	struct node **at = !n->parent		  ? &cache->root
			   : n->parent->left == n ? &n->parent->left
						  : &n->parent->right;

	if (n->left && n->right) {
		struct node *next = leftmost(n->right);

		next->left = n->left;
		n->left->parent = next;
		child = n->right;
	}
	if (child)
		child->parent = n->parent;
	*at = child;
}

static void evict(struct cache *cache)
{
	struct page *page = outer(cache->ages.next, struct page, by_age);

	link_del(&page->by_age);
	erase(cache, page);
	cache->evicted += page->uses + page->data[3];
	cache->nr--;
	truth_free(page);
}

static struct page *get(struct cache *cache, unsigned long index)
{
	struct page *page = find(cache, index);

	if (page) {
		link_del(&page->by_age);
	} else {
		if (cache->nr == cache->max)
			evict(cache);
		page = create(struct page);
		page->index = index;
		page->data[3] = (unsigned char)index;
		link_init(&page->waiters);
		insert(cache, page);
		cache->nr++;
	}
	link_add(&page->by_age, &cache->ages);
	page->uses++;
	return page;
}

static long wake(struct page *page)
{
	long sum = 0;

	for (struct link *l = page->waiters.next; l != &page->waiters; l = l->next) {
		struct waiter *w = outer(l, struct waiter, entry);

		w->woken++;
		sum += w->priority + (long)w->page->index;
	}
	return sum;
}

int main(void)
{
	struct cache *cache = create(struct cache);
	struct waiter *waiters = new_array(struct waiter, 12);
	long sum = 0;
	unsigned long ages = 0;

	link_init(&cache->ages);
	cache->max = 12;
	for (unsigned long i = 0; i < 60; i++)
		get(cache, i * 7919 % 31);
	for (int i = 0; i < 12; i++) {
		struct page *page = outer(cache->ages.prev, struct page, by_age);

		waiters[i].priority = i;
		waiters[i].page = page;
		link_add(&waiters[i].entry, &page->waiters);
		if (i % 3 == 2)
			sum += wake(page);
		if (i % 4 == 3)
			get(cache, (unsigned long)i);
	}
	for (struct link *l = cache->ages.next; l != &cache->ages; l = l->next)
		ages = ages * 3 + outer(l, struct page, by_age)->index;
	printf("%u %lu %ld %lu\n", cache->nr, cache->evicted, sum, ages);
	return 0;
}
