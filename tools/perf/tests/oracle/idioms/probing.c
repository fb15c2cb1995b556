// SPDX-License-Identifier: GPL-2.0-or-later
/* Hash tables without chains, a filter of bits, an LRU of indices. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "truth.h"

struct slot {
	uint64_t key;
	uint32_t value;
	uint16_t distance;
	uint8_t used;
};

struct table {
	struct slot *slots;
	uint32_t mask, nr;
	uint64_t probes;
	uint64_t filter[4];
};

struct interned {
	uint32_t hash, length;
	char text[16];
};

/* Slots inside of the table itself. */
struct names {
	unsigned int nr, collisions;
	struct interned *slots[32];
	struct interned empty;
};

struct lru {
	short next[17], prev[17];
	uint32_t keys[16];
	int hits, misses;
};

static uint64_t mix(uint64_t x)
{
	x ^= x >> 31;
	x *= 0x9e3779b97f4a7c15ull;
	return x ^ x >> 29;
}

__attribute__((noinline)) static struct slot *find(struct table *t, uint64_t key)
{
	uint64_t h = mix(key);

	if (!(t->filter[h >> 6 & 3] >> (h & 63) & 1))
		return NULL;
	for (uint32_t i = (uint32_t)h & t->mask, d = 0;; i = (i + 1) & t->mask, d++) {
		t->probes++;
		if (!t->slots[i].used || t->slots[i].distance < d)
			return NULL;
		if (t->slots[i].key == key)
			return &t->slots[i];
	}
}

static void place(struct table *t, struct slot s)
{
	uint32_t i = (uint32_t)mix(s.key) & t->mask;

	s.distance = 0;
	while (t->slots[i].used) {
		if (t->slots[i].distance < s.distance) {
			struct slot other = t->slots[i];

			t->slots[i] = s;
			s = other;
		}
		i = (i + 1) & t->mask;
		s.distance++;
	}
	t->slots[i] = s;
}

__attribute__((noinline)) static void grow(struct table *t)
{
	struct slot *old = t->slots;
	uint32_t n = old ? t->mask + 1 : 0;

	t->slots = new_array(struct slot, n ? n * 2 : 8);
	t->mask = n ? n * 2 - 1 : 7;
	for (uint32_t i = 0; i < n; i++)
		if (old[i].used)
			place(t, old[i]);
	truth_free(old);
}

__attribute__((noinline)) static void add(struct table *t, uint64_t key, uint32_t value)
{
	struct slot *s = find(t, key);
	uint64_t h = mix(key);

	if (s) {
		s->value += value;
		return;
	}
	if (!t->slots || t->nr * 4 >= t->mask * 3)
		grow(t);
	place(t, (struct slot){ .key = key, .value = value, .used = 1 });
	t->filter[h >> 6 & 3] |= 1ull << (h & 63);
	t->nr++;
}

/* Shifts back what follows. */
__attribute__((noinline)) static int del(struct table *t, uint64_t key)
{
	struct slot *s = find(t, key);
	uint32_t i;

	if (!s)
		return 0;
	i = (uint32_t)(s - t->slots);
	for (;;) {
		uint32_t next = (i + 1) & t->mask;

		if (!t->slots[next].used || !t->slots[next].distance)
			break;
		t->slots[i] = t->slots[next];
		t->slots[i].distance--;
		i = next;
	}
	t->slots[i].used = 0;
	t->nr--;
	return 1;
}

__attribute__((noinline)) static struct interned *intern(struct names *n, const char *text)
{
	uint32_t h = 2166136261u, at, length = (uint32_t)strlen(text);

	for (const char *p = text; *p; p++)
		h = (h ^ (unsigned char)*p) * 16777619u;
	for (at = h % 32; n->slots[at]; at = at ? at - 1 : 31) {
		struct interned *s = n->slots[at];

		if (s->hash == h && s->length == length && !memcmp(s->text, text, length))
			return s;
		n->collisions++;
	}
	n->slots[at] = create(struct interned);
	n->slots[at]->hash = h;
	n->slots[at]->length = length;
	memcpy(n->slots[at]->text, text, length < 16 ? length : 15);
	n->nr++;
	return n->slots[at];
}

__attribute__((noinline)) static void touch(struct lru *l, uint32_t key)
{
	int i;

	for (i = l->next[16]; i != 16 && l->keys[i] != key; i = l->next[i])
		;
	if (i == 16) {
		l->misses++;
		i = l->prev[16];
		l->keys[i] = key;
	} else {
		l->hits++;
	}
	l->next[l->prev[i]] = l->next[i];
	l->prev[l->next[i]] = l->prev[i];
	l->next[i] = l->next[16];
	l->prev[i] = 16;
	l->prev[l->next[i]] = (short)i;
	l->next[16] = (short)i;
}

/*
 * All books in one list; with many a row of shelves says where in it to begin, and how many are to be looked at.
 * The next one is the first member, as a list's head is a pointer alone.
 */
struct book {
	struct book *next, *before;
	const char *title;
	long lent;
};

struct library {
	uint32_t nr_shelves, nr;
	struct book *first;
	struct shelf {
		uint32_t nr;
		struct book *first;
	} * shelves;
};

struct town {
	long people;
	struct library library;
};

static struct book *find_book(const struct library *l, const char *title)
{
	struct book *book;
	uint32_t left;

	if (l->shelves) {
		const struct shelf *shelf = &l->shelves[(unsigned char)title[0] % l->nr_shelves];

		book = shelf->first;
		left = shelf->nr;
	} else {
		book = l->first;
		left = l->nr;
	}
	while (left--) {
		if (strcmp(book->title, title) == 0)
			return book;
		book = book->next;
	}
	return NULL;
}

__attribute__((noinline)) static struct book *lend(struct town *town, const char *title)
{
	struct book *book = find_book(&town->library, title);

	if (book)
		book->lent++;
	town->people += book != NULL;
	return book;
}

__attribute__((noinline)) static void buy(struct library *l, const char *title)
{
	struct book *book = create(struct book);
	struct shelf *shelf;

	if (l->nr == 5) {
		l->nr_shelves = 3;
		l->shelves = new_array(struct shelf, 3);
		for (struct book *b = l->first; b; b = b->next) {
			shelf = &l->shelves[(unsigned char)b->title[0] % 3];
			shelf->first = b;
			shelf->nr = l->nr;
		}
	}
	book->title = title;
	book->next = l->first;
	if (l->first)
		l->first->before = book;
	l->first = book;
	l->nr++;
	for (uint32_t i = 0; i < l->nr_shelves; i++) {
		shelf = &l->shelves[i];
		shelf->nr = l->nr;
		shelf->first = book;
	}
}

static long lend_all(void)
{
	static const char *const titles[] = { "apes", "bees",  "cows", "dogs",
					      "eels", "foxes", "gnus", "hens" };
	struct town *town = create(struct town);

	for (int i = 0; i < 8; i++) {
		buy(&town->library, titles[i]);
		for (int j = 0; j < 8; j++)
			lend(town, titles[j]);
	}
	return town->people;
}

int main(void)
{
	struct table *t = create(struct table);
	struct names *n = create(struct names);
	struct lru *l = create(struct lru);
	unsigned long sum = 0;
	char word[8];

	for (uint64_t i = 0; i < 60; i++)
		add(t, i * 7919 % 41, (uint32_t)i);
	for (uint64_t i = 0; i < 50; i += 3)
		sum += (unsigned long)del(t, i);
	for (uint64_t i = 0; i < 50; i++) {
		struct slot *s = find(t, i);

		sum += s ? s->value : 0;
	}
	for (int i = 0; i < 40; i++) {
		snprintf(word, sizeof(word), "w%d", i * 13 % 19);
		sum += intern(n, word)->hash & 15;
	}
	for (int i = 0; i < 17; i++) {
		l->next[i] = (short)((i + 1) % 17);
		l->prev[i] = (short)((i + 16) % 17);
	}
	for (uint32_t i = 0; i < 60; i++)
		touch(l, i * i % 23 + 1);
	sum += (unsigned long)lend_all();
	printf("%lu %u %u %d %d %lu\n", sum, n->nr, n->collisions, l->hits, l->misses,
	       (unsigned long)t->probes);
	truth_free(t->slots);
	truth_free(t);
	return 0;
}
