// SPDX-License-Identifier: GPL-2.0-or-later
/* A set and lists that are changed through the address of the pointer to change. */
#include <stdio.h>
#include <string.h>

#include "truth.h"

struct item {
	int weight;
	struct item *left;
	struct item *right;
	char name[12];
	struct item *next;
};

struct set {
	unsigned int nr, depth;
	struct item *root;
	struct item *oldest;
	struct item **tail;
	struct item *buckets[8];
	long sum;
};

__attribute__((noinline)) static struct item *make(const char *name, int weight)
{
	struct item *it = create(struct item);

	strncpy(it->name, name, sizeof(it->name) - 1);
	it->weight = weight;
	return it;
}

__attribute__((noinline)) static int insert(struct set *set, struct item *it)
{
	struct item **pp;

	for (pp = &set->root; *pp; set->depth++) {
		int c = strcmp(it->name, (*pp)->name);

		if (!c)
			return 0;
		pp = c < 0 ? &(*pp)->left : &(*pp)->right;
	}
	*pp = it;
	set->nr++;
	*set->tail = it;
	set->tail = &it->next;
	return 1;
}

__attribute__((noinline)) static void lighter_left(struct set *set, struct item *it)
{
	struct item **pp;

	it->left = it->right = NULL;
	for (pp = &set->root; *pp && (*pp)->weight > it->weight; pp = &(*pp)->left)
		;
	it->left = *pp;
	*pp = it;
}

/* Takes one out of the list in order of age. */
__attribute__((noinline)) static struct item *unlink_age(struct set *set, int weight)
{
	for (struct item **pp = &set->oldest; *pp; pp = &(*pp)->next) {
		struct item *it = *pp;

		if (it->weight != weight)
			continue;
		*pp = it->next;
		if (set->tail == &it->next)
			set->tail = pp;
		it->next = NULL;
		return it;
	}
	return NULL;
}

static unsigned int hash(const char *s)
{
	unsigned int h = 5381;

	while (*s)
		h = h * 33 + (unsigned char)*s++;
	return h;
}

__attribute__((noinline)) static void chain(struct set *set, struct item *it)
{
	struct item **pp = &set->buckets[hash(it->name) & 7];

	while (*pp && (*pp)->weight < it->weight)
		pp = &(*pp)->next;
	it->next = *pp;
	*pp = it;
}

__attribute__((noinline)) static struct item *remove_least(struct item **root)
{
	struct item *it;

	while ((*root)->left)
		root = &(*root)->left;
	it = *root;
	*root = it->right;
	return it;
}

/* Merges two lists by weight. */
__attribute__((noinline)) static struct item *merge(struct item *a, struct item *b)
{
	struct item *head = NULL, **end = &head;

	while (a && b) {
		struct item **from = a->weight <= b->weight ? &a : &b;

		*end = *from;
		end = &(*from)->next;
		*from = (*from)->next;
	}
	*end = a ? a : b;
	return head;
}

int main(void)
{
	static const char *const names[] = {
		"pine", "oak", "elm", "ash", "fir", "yew", "oak", "box"
	};
	struct set *set = create(struct set);
	struct item *lists[2] = { NULL, NULL }, *all;
	struct item *taken;

	set->tail = &set->oldest;
	for (int i = 0; i < 8; i++) {
		struct item *it = make(names[i], (i * 5) % 7);

		if (!insert(set, it))
			truth_free(it);
	}
	taken = unlink_age(set, 3);
	while (set->root) {
		struct item *it = remove_least(&set->root);

		set->sum = set->sum * 3 + it->weight;
	}
	if (taken)
		lighter_left(set, taken);
	for (struct item *it = set->oldest, *next; it; it = next) {
		next = it->next;
		lighter_left(set, it);
		chain(set, it);
	}
	for (int i = 0; i < 8; i++)
		for (struct item *it = set->buckets[i]; it; it = it->left)
			set->sum += it->weight + i;
	for (int i = 0; i < 10; i++) {
		struct item *it = make("x", 20 - i);

		it->next = lists[i & 1];
		lists[i & 1] = it;
	}
	all = merge(lists[0], lists[1]);
	for (struct item *it = all; it; it = it->next)
		set->sum = set->sum * 2 + it->weight;
	printf("%ld %u %u\n", set->sum, set->nr, set->depth);
	return 0;
}
