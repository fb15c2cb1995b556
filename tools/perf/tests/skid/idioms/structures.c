// SPDX-License-Identifier: GPL-2.0-or-later
/* Data structures as programs have them, with several structs, and with waits whose shares are known. */
#include "slow.h"

struct leaf {
	long key, seen;
	struct leaf *down;
	char rest[LINE - 3 * sizeof(long)];
};

static struct leaf *leaves(uint32_t nr)
{
	struct leaf *all = cold(nr * sizeof(*all));

	link_all(all, nr, sizeof(*all), offsetof(struct leaf, down));
	return all;
}

/* Each node with a leaf elsewhere. */
static void *leafy(void)
{
	uint32_t nr = COLD / sizeof(struct node);
	struct node *all = nodes();
	struct leaf *leaf = leaves(nr);

	for (uint32_t i = 0; i < nr; i++, leaf = leaf->down)
		all[i].leaf = leaf;
	return all;
}

/* Two waits in one block. truth two_waits: struct node +0x18 (leaf) 50, struct leaf +0 (key) 50 */
TESTED struct node *two_waits(struct node *n, long steps)
{
	for (; steps; steps--) {
		struct leaf *leaf = n->leaf;
		long key;

		KEEP(leaf);
		key = leaf->key;
		KEEP(key);
		leaf->seen = key;
		n = n->next;
		/* The next node waits for this leaf. */
		n = (struct node *)((char *)n + key);
	}
	return n;
}

/* truth three_waits: struct node +0x18 (leaf) 34, struct leaf +0x10 (down) 33, struct leaf +0 (key) 33 */
TESTED struct node *three_waits(struct node *n, long steps)
{
	for (; steps; steps--) {
		struct leaf *leaf = n->leaf;
		long key;

		KEEP(leaf);
		leaf = leaf->down;
		KEEP(leaf);
		key = leaf->key;
		KEEP(key);
		leaf->seen = key;
		n = (struct node *)((char *)n->next + key);
	}
	return n;
}

/* truth three_in_a_row: struct leaf +0x10 (down) 67, struct leaf +0x8 (seen) 33 */
TESTED struct leaf *three_in_a_row(struct leaf *l, long steps)
{
	for (; steps; steps--) {
		l = l->down->down;
		KEEP(l);
		l->seen++;
		asm volatile("" : : : "memory");
		USE(l->key);
		l = l->down;
	}
	return l;
}

static void *one_leaf(void)
{
	return leaves(COLD / sizeof(struct leaf));
}

/* truth list_find: struct leaf +0 (key) 100 */
TESTED struct leaf *list_find(struct leaf *l, long steps)
{
	long key = steps << 40;

	KEEP(key);
	for (; steps && l->key != key; steps--)
		l = l->down;
	return l;
}

/* Bucket, then its entry, both cold. */
struct entry {
	struct entry *chain;
	unsigned long key;
	long value;
	char rest[LINE - 3 * sizeof(long)];
};
struct bucket {
	unsigned nr;
	struct entry *first;
	char rest[LINE - 2 * sizeof(long)];
};
struct table {
	struct bucket *buckets;
	unsigned long mask, state;
};

static void *table(void)
{
	static struct table table;
	uint32_t nr = COLD / sizeof(struct bucket), *order = cycle(nr);
	struct entry *entries = cold(COLD);

	table.buckets = cold(COLD);
	table.mask = nr - 1;
	for (uint32_t i = 0; i < nr; i++) {
		entries[order[i]].key = i;
		entries[order[i]].value = i * 7;
		table.buckets[i].first = &entries[order[i]];
	}
	free(order);
	return &table;
}

/* Next key comes from the value. truth hash_probe: struct bucket +0x8 (first) 50, struct entry +0x8 (key) 50 */
TESTED struct table *hash_probe(struct table *t, long steps)
{
	unsigned long x = t->state;

	for (; steps; steps--) {
		unsigned long key = x >> 30 & t->mask;
		struct entry *e = t->buckets[key].first;

		asm volatile("" : : : "memory");
		for (; e; e = e->chain) {
			if (e->key == key) {
				x = (x + (unsigned long)e->value) * 6364136223846793005ul +
				    1442695040888963407ul;
				break;
			}
		}
		KEEP(x);
	}
	t->state = x;
	return t;
}

/* Numbers instead of pointers. */
struct row {
	uint32_t next, uses;
	long cost;
	char rest[LINE - 16];
};
static struct row *rows;

static void *numbered(void)
{
	uint32_t nr = COLD / sizeof(struct row), *order = cycle(nr);

	rows = cold(COLD);
	for (uint32_t i = 0; i < nr; i++)
		rows[i].next = order[i];
	free(order);
	return rows;
}

/* truth by_number: struct row +0x8 (cost) 100 */
TESTED struct row *by_number(struct row *from, long steps)
{
	uint32_t i = (uint32_t)(from - rows);
	long sum = 0;

	for (; steps; steps--) {
		sum += rows[i].cost;
		KEEP(sum);
		rows[i].uses++;
		i = rows[i].next;
	}
	return &rows[i];
}

/* A balanced tree in an array in random order: upper levels are in the caches, lower ones not. */
struct branch {
	unsigned long key;
	struct branch *kid[2];
	long visits;
	char rest[LINE - 4 * sizeof(long)];
};

static struct branch *grow(struct branch *all, uint32_t *order, uint32_t *nr, unsigned long from,
			   unsigned long to)
{
	unsigned long middle = from + (to - from) / 2;
	struct branch *b;

	if (from >= to)
		return NULL;
	b = &all[order[(*nr)++]];
	b->key = middle;
	b->kid[0] = grow(all, order, nr, from, middle);
	b->kid[1] = grow(all, order, nr, middle + 1, to);
	return b;
}

static void *tree(void)
{
	uint32_t size = COLD / sizeof(struct branch), *order = cycle(size), nr = 0;
	struct branch *all = cold(COLD), *root = grow(all, order, &nr, 0, size);

	free(order);
	return root;
}

/* The next key is known only when the last is found. truth tree_find: struct branch +0 (key) 100 */
TESTED struct branch *tree_find(struct branch *root, long steps)
{
	static unsigned long x = 1;

	for (steps /= 16; steps; steps--) {
		unsigned long key = x >> 35 & (COLD / sizeof(struct branch) - 1);
		struct branch *b = root;

		while (b && b->key != key)
			b = b->kid[key > b->key];
		x = (x + (unsigned long)(b ? b->visits : 0)) * 6364136223846793005ul +
		    1442695040888963407ul;
	}
	return root;
}

/* The head says which slot, and that is in another line of the same page mostly, so its wait is shorter. */
struct wide {
	struct wide *next;
	long which;
	char head[256 - 16];
	struct {
		long amount, other;
		char rest[256 - 16];
	} slot[2];
};

static void *wides(void)
{
	uint32_t nr = 2 * COLD / sizeof(struct wide);
	struct wide *all = cold(nr * sizeof(*all));

	link_all(all, nr, sizeof(*all), offsetof(struct wide, next));
	for (uint32_t i = 0; i < nr; i++)
		all[i].which = i & 1;
	return all;
}

/* truth two_lines: struct wide +0x8 (which) 75, struct wide +0x100 (slot[].amount) 25 */
TESTED struct wide *two_lines(struct wide *w, long steps)
{
	long sum = 0;

	for (; steps; steps--) {
		long which = w->which;

		KEEP(which);
		sum = w->slot[which].amount;
		KEEP(sum);
		w->slot[which].other = sum;
		w = (struct wide *)((char *)w->next + sum);
	}
	return w;
}

#define WALK(name, start)                                                                          \
	{                                                                                          \
#name, (walk_fn *)(void *)name, start                                              \
	}
static const struct idiom idioms[] = {
	WALK(two_waits, leafy),	   WALK(three_waits, leafy), WALK(three_in_a_row, one_leaf),
	WALK(list_find, one_leaf), WALK(hash_probe, table),  WALK(by_number, numbered),
	WALK(tree_find, tree),	   WALK(two_lines, wides),
};

int main(int argc, char **argv)
{
	return run_idiom(idioms, sizeof(idioms) / sizeof(*idioms), argc, argv);
}
