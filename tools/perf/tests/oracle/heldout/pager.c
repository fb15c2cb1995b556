// SPDX-License-Identifier: GPL-2.0-or-later
/* A small store: a B+tree of slotted pages in a buffer pool, cells at offsets, a log of records behind one another. */
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "truth.h"

#define NOINLINE  __attribute__((noinline))
#define PAGE_SIZE 512

typedef uint32_t pgno;

struct page_header {
	pgno self, next;
	uint16_t flags, nr;
	uint16_t lower, upper;
	pgno leftmost;
};

/* Offsets of the cells grow from the header, cells from the end. */
struct page {
	struct page_header h;
	uint16_t slots[];
};

struct leaf_cell {
	uint32_t key;
	uint16_t size;
	uint8_t kind, pad;
	unsigned char data[];
};

struct inner_cell {
	uint32_t key;
	pgno child;
};

struct frame {
	struct frame *next, *newer, *older;
	pgno number;
	int pins;
	bool dirty;
	struct page *page;
};

struct log_record {
	uint32_t length, checksum;
	uint64_t lsn;
	pgno page;
	uint8_t op;
};

struct store {
	unsigned char *disk;
	pgno nr_pages, root;
	struct frame *buckets[8];
	struct frame *newest, *oldest, *all;
	int nr_frames;
	unsigned char *log;
	uint32_t log_used;
	uint64_t lsn, hits, misses;
};

enum { PAGE_LEAF = 1, PAGE_INNER = 2 };

struct cursor {
	struct store *store;
	int depth;
	struct {
		pgno page;
		unsigned slot;
	} path[6];
};

static inline struct leaf_cell *leaf_at(struct page *p, unsigned i)
{
	return (struct leaf_cell *)((char *)p + p->slots[i]);
}

static inline struct inner_cell *inner_at(struct page *p, unsigned i)
{
	return (struct inner_cell *)((char *)p + p->slots[i]);
}

/* Says what lies where in a page that came from elsewhere. */
NOINLINE void name_cells(struct page *p)
{
	truth_object(p, PAGE_SIZE, "struct page", 11, 1);
	for (unsigned i = 0; i < p->h.nr; i++)
		if (p->h.flags == 1)
			truth_object(leaf_at(p, i), sizeof(struct leaf_cell) + leaf_at(p, i)->size,
				     "struct leaf_cell", 16, 1);
		else
			placed(inner_at(p, i), struct inner_cell);
}

NOINLINE void lru_remove(struct store *s, struct frame *f)
{
	if (f->newer)
		f->newer->older = f->older;
	else
		s->newest = f->older;
	if (f->older)
		f->older->newer = f->newer;
	else
		s->oldest = f->newer;
	f->newer = f->older = NULL;
}

NOINLINE void lru_touch(struct store *s, struct frame *f)
{
	f->older = s->newest;
	f->newer = NULL;
	if (s->newest)
		s->newest->newer = f;
	s->newest = f;
	if (!s->oldest)
		s->oldest = f;
}

NOINLINE struct frame *victim(struct store *s)
{
	for (struct frame *f = s->oldest; f; f = f->newer)
		if (!f->pins) {
			struct frame **at = &s->buckets[f->number & 7];
			while (*at != f)
				at = &(*at)->next;
			*at = f->next;
			lru_remove(s, f);
			if (f->dirty)
				memcpy(s->disk + (size_t)f->number * PAGE_SIZE, f->page, PAGE_SIZE);
			f->dirty = false;
			return f;
		}
	assert(!"all pinned");
	return NULL;
}

NOINLINE struct frame *pin(struct store *s, pgno number)
{
	struct frame *f = s->buckets[number & 7];
	while (f && f->number != number)
		f = f->next;
	if (f) {
		s->hits++;
		lru_remove(s, f);
	} else {
		s->misses++;
		f = victim(s);
		f->number = number;
		memcpy(f->page, s->disk + (size_t)number * PAGE_SIZE, PAGE_SIZE);
		name_cells(f->page);
		f->next = s->buckets[number & 7];
		s->buckets[number & 7] = f;
	}
	lru_touch(s, f);
	f->pins++;
	return f;
}

NOINLINE void unpin(struct frame *f, bool dirty)
{
	f->pins--;
	f->dirty |= dirty;
}

NOINLINE void write_log(struct store *s, uint8_t op, pgno page, const void *data, uint32_t size)
{
	struct log_record *r = (struct log_record *)(s->log + s->log_used);
	uint32_t total = (uint32_t)(sizeof(*r) + size + 7) & ~7u;
	const uint8_t *bytes = data;
	if (s->log_used + total > 4096) {
		s->log_used = 0;
		r = (struct log_record *)s->log;
	}
	placed(r, struct log_record);
	r->length = total;
	r->lsn = ++s->lsn;
	r->page = page;
	r->op = op;
	r->checksum = 0;
	memcpy(r + 1, data, size);
	for (uint32_t i = 0; i < size; i++)
		r->checksum = r->checksum * 31 + bytes[i];
	s->log_used += total;
}

NOINLINE unsigned search(struct page *p, uint32_t key, bool *exact)
{
	unsigned low = 0, high = p->h.nr;
	*exact = false;
	while (low < high) {
		unsigned mid = (low + high) / 2;
		uint32_t at = *(uint32_t *)((char *)p + p->slots[mid]);
		if (at == key) {
			*exact = true;
			return mid;
		}
		if (at < key)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

NOINLINE void page_init(struct page *p, pgno self, uint16_t flags)
{
	memset(p, 0, PAGE_SIZE);
	truth_object(p, PAGE_SIZE, "struct page", 11, 1);
	p->h.self = self;
	p->h.flags = flags;
	p->h.lower = sizeof(struct page_header);
	p->h.upper = PAGE_SIZE;
}

NOINLINE void *page_add(struct page *p, unsigned slot, size_t size)
{
	memmove(&p->slots[slot + 1], &p->slots[slot], (p->h.nr - slot) * sizeof(p->slots[0]));
	p->h.upper -= (uint16_t)((size + 7) & ~7u);
	p->slots[slot] = p->h.upper;
	p->h.lower += 2;
	p->h.nr++;
	if (p->h.flags == PAGE_LEAF)
		truth_object((char *)p + p->h.upper, size, "struct leaf_cell", 16, 1);
	else
		placed((char *)p + p->h.upper, struct inner_cell);
	return (char *)p + p->h.upper;
}

NOINLINE bool has_room(const struct page *p, size_t size)
{
	return p->h.lower + 2 + size + 8 <= p->h.upper;
}

NOINLINE bool insert_leaf(struct page *p, uint32_t key, uint8_t kind, const void *data,
			  uint16_t size)
{
	bool exact;
	unsigned slot = search(p, key, &exact);
	struct leaf_cell *c;
	if (exact) {
		c = leaf_at(p, slot);
		if (c->size >= size) {
			memcpy(c->data, data, size);
			c->kind = kind;
			return true;
		}
		return false;
	}
	if (!has_room(p, sizeof(*c) + size))
		return false;
	c = page_add(p, slot, sizeof(*c) + size);
	c->key = key;
	c->size = size;
	c->kind = kind;
	memcpy(c->data, data, size);
	return true;
}

NOINLINE pgno descend(struct cursor *c, uint32_t key)
{
	pgno at = c->store->root;
	c->depth = 0;
	for (;;) {
		struct frame *f = pin(c->store, at);
		struct page *p = f->page;
		bool exact;
		unsigned slot;
		if (p->h.flags & PAGE_LEAF) {
			unpin(f, false);
			return at;
		}
		slot = search(p, key, &exact);
		slot += exact;
		c->path[c->depth].page = at;
		c->path[c->depth++].slot = slot;
		at = slot ? inner_at(p, slot - 1)->child : p->h.leftmost;
		unpin(f, false);
	}
}

NOINLINE uint32_t split(struct store *s, struct page *from, struct page *to, pgno number)
{
	struct page *copy = truth_alloc(PAGE_SIZE, "struct page", 1);
	unsigned half = from->h.nr / 2;
	memcpy(copy, from, PAGE_SIZE);
	name_cells(copy);
	page_init(to, number, copy->h.flags);
	page_init(from, copy->h.self, copy->h.flags);
	to->h.next = copy->h.next;
	from->h.next = number;
	for (unsigned i = 0; i < copy->h.nr; i++) {
		struct page *dest = i < half ? from : to;
		const struct leaf_cell *c = leaf_at(copy, i);
		memcpy(page_add(dest, dest->h.nr, sizeof(*c) + c->size), c, sizeof(*c) + c->size);
	}
	truth_free(copy);
	write_log(s, 2, number, &to->h, sizeof(to->h));
	return leaf_at(to, 0)->key;
}

NOINLINE void add_to_root(struct store *s, uint32_t key, pgno child)
{
	struct frame *f = pin(s, s->root);
	if (f->page->h.flags & PAGE_LEAF) {
		pgno old = s->root;
		unpin(f, false);
		s->root = s->nr_pages++;
		f = pin(s, s->root);
		page_init(f->page, s->root, PAGE_INNER);
		f->page->h.leftmost = old;
	}
	bool exact;
	unsigned slot = search(f->page, key, &exact);
	struct inner_cell *c = page_add(f->page, slot, sizeof(*c));
	c->key = key;
	c->child = child;
	unpin(f, true);
}

NOINLINE void put(struct store *s, uint32_t key, uint8_t kind, const void *data, uint16_t size)
{
	struct cursor c = { .store = s };
	pgno at = descend(&c, key);
	struct frame *f = pin(s, at);
	write_log(s, kind, at, data, size);
	if (!insert_leaf(f->page, key, kind, data, size)) {
		pgno fresh = s->nr_pages++;
		struct frame *g = pin(s, fresh);
		uint32_t middle = split(s, f->page, g->page, fresh);
		insert_leaf(key < middle ? f->page : g->page, key, kind, data, size);
		unpin(g, true);
		unpin(f, true);
		add_to_root(s, middle, fresh);
		return;
	}
	unpin(f, true);
}

NOINLINE uint64_t scan(struct store *s, uint32_t from)
{
	struct cursor c = { .store = s };
	uint64_t sum = 0;
	for (pgno at = descend(&c, from); at;) {
		struct frame *f = pin(s, at);
		for (unsigned i = 0; i < f->page->h.nr; i++) {
			struct leaf_cell *cell = leaf_at(f->page, i);
			if (cell->kind == 1)
				sum += *(uint64_t *)cell->data;
			else
				for (int b = 0; b < cell->size; b++)
					sum = sum * 3 + cell->data[b];
			sum += cell->key;
		}
		at = f->page->h.next;
		unpin(f, false);
	}
	return sum;
}

NOINLINE uint64_t replay(const struct store *s)
{
	uint64_t sum = 0;
	for (uint32_t at = 0; at + sizeof(struct log_record) <= s->log_used;) {
		const struct log_record *r = (const void *)(s->log + at);
		sum += r->lsn * (r->op + 1) ^ r->checksum;
		if (r->page > s->nr_pages || !r->length)
			break;
		at += r->length;
	}
	return sum;
}

int main(void)
{
	struct store *s = create(struct store);
	uint64_t sum;

	s->disk = truth_alloc(64 * PAGE_SIZE, "unsigned char", 64 * PAGE_SIZE);
	s->log = truth_alloc(4096, "unsigned char", 4096);
	for (int i = 0; i < 6; i++) {
		struct frame *f = create(struct frame);
		f->page = truth_alloc(PAGE_SIZE, "struct page", 1);
		f->number = 1000u + (unsigned)i;
		f->next = s->buckets[f->number & 7];
		s->buckets[f->number & 7] = f;
		lru_touch(s, f);
		s->nr_frames++;
	}
	s->root = 1;
	s->nr_pages = 2;
	struct frame *f = pin(s, 1);
	page_init(f->page, 1, PAGE_LEAF);
	unpin(f, true);
	for (uint32_t i = 0; i < 150; i++) {
		uint64_t number = i * 77ull;
		uint32_t key = i * 2654435761u >> 20;
		if (i % 3)
			put(s, key, 1, &number, sizeof(number));
		else
			put(s, key, 2, "some text of a cell", (uint16_t)(5 + i % 12));
	}
	sum = scan(s, 0) ^ replay(s);
	printf("%lx %u pages, %lu hits, %lu misses\n", sum, s->nr_pages, s->hits, s->misses);
	return 0;
}
