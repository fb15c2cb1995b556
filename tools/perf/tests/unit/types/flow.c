// SPDX-License-Identifier: GPL-2.0-or-later
// The marks stand on the lines they speak of.
// clang-format off
/*
 * Accesses whose type no variable at the instruction tells: it has to be followed there, or
 * inferred. One function per mechanism; the marks are those of fields.c.
 *
 * @locals struct node* | struct head* | struct list* | struct item* | struct tree* | void* | long int | long | int | struct shape*
 * @locals struct node +0 (key) | struct node** | struct tree** | struct tree*** | int* | long int* | long* | char* | unsigned int
 * @locals struct packet* | struct header* | struct bin* | double | long unsigned int | unsigned long | unsigned char* | struct wide* | char** | struct several*
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

struct list {
	struct list *next, *prev;
};

struct item {
	int id;
	long weight;
};

struct node {
	long key;
	struct list lru;
	struct item *items;
	struct node *peer;
	int (*compare)(struct node *, struct node *);
	struct item *(*pick)(struct node *);
	int counts[8];
};

struct head {
	long key;
	struct head *next;
};

struct tree {
	struct tree *left, *right;
	long weight;
};

struct shape {
	int kind;
	union {
		struct node *node;
		long number;
	};
};

struct text {
	unsigned length;
	char bytes[];
};

struct pair {
	struct shape head, tail;
};

struct several {
	int kind;
	union {
		struct text *text;
		struct pair *pair;
	};
};

struct wide {
	long a[3];
	struct item rows[5][4];
};

struct header {
	unsigned length;
	struct item items[];
};

struct item table[32];
struct node *head;
int sink_int;
void sink(void *p);
NOINLINE struct node *find(long key);
NOINLINE int compare(const void *a, const void *b);

/* Chains without a variable. */
NOINLINE long chain(struct node *n) { return n->peer->peer->items->weight; } // @must struct item +0x8 (weight) | struct node +0x20 (peer) | struct node +0x18 (items)
/* What a call returns. */
NOINLINE long result(long k) { return find(k)->key; } // @zero struct node +0 (key)
/* A variable that says less than the call, and a cast back: what the call returned fits. */
NOINLINE long recast(long k)
{
	struct head *h = (struct head *)find(k);
	long key = h->key; // @type struct head +0 (key) | struct node +0 (key)

	return ((struct node *)h)->items->id + key; // @must struct item +0 (id) | struct node +0x18 (items) | ~struct head +0 (key)
}
/* Through a function pointer with a type. */
NOINLINE long pointed(struct node *n) { return n->pick(n)->weight; } // @zero struct item +0x8 (weight) | struct node +0x30 (pick)

/* Kept across a call, and what the library passes through. */
NOINLINE long kept(struct node *n, struct node *m)
{
	find(1);
	m = memcpy(m, n, sizeof(*m)); // @type struct node +0 (key) | struct node +0x10 (lru.prev) | struct node +0x20 (peer) | struct node +0x30 (pick) | struct node +0x38 (counts) | struct node +0x40 (counts) | struct node +0x48 (counts) | struct node +0x50 (counts) | struct node +0x8 (lru.next) | struct node +0x18 (items) | struct node +0x28 (compare) | ~struct node (one of several)
	return m->items->id + n->key; // @must struct item +0 (id) | struct node +0x18 (items) | struct node +0 (key)
}

/* A pointer that walks, and one that is reduced to steps of its own. */
NOINLINE long walk(struct item *items, int nr)
{
	long sum = 0;

	for (int i = 0; i < nr; i++)
		sum += items[i].weight; // @zero struct item +0x8 (weight) | ~struct item (one of several)
	for (struct item *i = items; i < items + nr; i++)
		sum ^= i->id; // @zero struct item +0 (id)
	return sum;
}

/* An array in a structure, and one of arrays. */
NOINLINE long inside(struct node *n, struct wide *w, int i, int j)
{
	long sum = n->counts[i]; // @zero struct node +0x38 (counts)

	sum += w->rows[i][j].weight; // @zero struct wide +0x20 (rows.weight)
	return sum + w->a[j]; // @zero struct wide +0 (a)
}

/* Both ways bring the same type. */
NOINLINE long joined(struct node *a, struct node *b, int which)
{
	struct node *n = which ? a->peer : b; // @type struct node +0x20 (peer)

	return n->key; // @must struct node +0 (key)
}

/* A loop over a list, the element around the link. */
NOINLINE long around(struct node *first)
{
	long sum = 0;

	for (struct list *l = first->lru.next; l != &first->lru; l = l->next) // @type struct node +0x8 (lru.next) | struct list +0 (next)
		sum += ((struct node *)((char *)l - offsetof(struct node, lru)))->key; // @type struct node +0 (key)
	return sum;
}

/* A pointer to the link, which is in another structure each time. */
NOINLINE void insert(struct tree **link, struct tree *t)
{
	while (*link) // @type struct tree* +0 (no field) | struct tree +0 (left) | struct tree (one of several) | struct tree +0x8 (right)
		link = t->weight < (*link)->weight ? &(*link)->left : &(*link)->right; // @must struct tree +0x10 (weight) | struct tree* +0 (no field)
	*link = t; // @type struct tree* +0 (no field)
}

/* What an untyped pointer is, its later use tells. */
NOINLINE long untyped(void *data)
{
	struct node *n = data;

	return n->key; // @must struct node +0 (key)
}

NOINLINE struct node *fresh(void)
{
	struct node *n = malloc(sizeof(*n));

	n->key = 4; // @zero struct node +0 (key)
	return n;
}

NOINLINE int compare(const void *a, const void *b)
{
	return ((const struct item *)a)->id; // @type struct item +0 (id)
}

/* Every arm of a switch is reached. */
NOINLINE long arms(struct node *n, int what)
{
	switch (what) { // @type int +0 (no field)
	case 0: return n->peer->key; // @must struct node +0 (key) | struct node +0x20 (peer)
	case 1: return n->items->weight; // @type struct item +0x8 (weight) | struct node +0x18 (items)
	case 2: find(2); return n->peer->peer->key; // @must struct node +0 (key) | struct node +0x20 (peer)
	case 3: sink(n); return n->items->id; // @must struct item +0 (id) | struct node +0x18 (items)
	case 4: return n->peer->items->weight; // @must struct item +0x8 (weight) | struct node +0x18 (items) | struct node +0x20 (peer)
	case 5: return n->peer->peer->peer->key; // @must struct node +0 (key) | struct node +0x20 (peer)
	case 6: sink(n->items); return n->items->weight; // @must struct item +0x8 (weight) | struct node +0x18 (items)
	default: return 0;
	}
}

/* A union's pointer beside its number. */
NOINLINE long member(struct shape *s)
{
	return s->kind ? s->node->key : s->number; // @must struct node +0 (key) | struct shape +0 (kind) | struct shape +0x8 (node)
}

/* A union of pointers: which one, only what is touched through it tells. */
NOINLINE long either_of(struct several *s)
{
	long sum = 0;

	for (unsigned i = 0; i < s->text->length; i++) // @type struct text +0 (length) | struct several +0x8 (text)
		sum += s->text->bytes[i]; // @must struct text +0x4 (bytes) | struct several +0x8 (text)
	return sum;
}

/* Memory that alloca() gave, and an array whose length is known when it runs. */
NOINLINE long given(int n)
{
	struct item *copy = __builtin_alloca((unsigned)n * sizeof(*copy));
	int order[n];

	sink(copy);
	sink(order);
	for (int i = 0; i < n; i++) {
		copy[i].weight = i; // @must struct item +0x8 (weight)
		order[i] = i; // @type int +0 (no field) | int[] +0 (no field)
	}
	sink(copy);
	sink(order);
	return copy[order[n / 2]].weight; // @type struct item +0x8 (weight) | int +0 (no field) | int[] +0 (no field)
}

/* An index less one: the start before it is added is in another variable, or in none. */
NOINLINE int ended(long n)
{
	char line[40];

	sink(line);
	line[n - 1] = 0; // @must char[] +0 (no field)
	sink(line);
	return 0;
}

/* Rows of a variable, whose address is a number where code is not position-independent. */
static double grid[8][8];

NOINLINE double along(int row, int column)
{
	double sum = 0;

	for (int i = 0; i < 8; i++) {
		sum += grid[row][i]; // @must double[] +0 (no field)
		grid[i][column] += sum; // @must double[] +0 (no field)
	}
	return sum;
}

/* Two members of one kind in structures that differ. */
NOINLINE int one_of(struct several *s, struct node *n, int which)
{
	int *p = which ? &s->kind : &n->counts[1];

	sink(p);
	return *p; // @type int +0 (no field) | int* +0 (no field)
}

/* Behind a structure, in an array without a bound. */
NOINLINE long trailing(struct header *h, unsigned i) { return h->items[i].weight; } // @must struct header +0x10 (items.weight)

/* Neighbours with a fixed index. */
NOINLINE long fixed(struct tree *t) { return t[0].weight + t[3].weight; } // @must struct tree +0x10 (weight)

/* A structure copied through vector registers. */
NOINLINE void copy(struct item *to, const struct item *from) { *to = *from; } // @zero struct item (one of several) | struct item +0 (id) | struct item +0x8 (weight)

/* More pointers than registers. */
NOINLINE long spilled(struct node *a, struct node *b, struct item *c, struct tree *d, struct wide *e, struct shape *f)
{
	struct item *g = a->items, *h = b->items; // @type struct node +0x18 (items)
	struct node *i = a->peer, *j = b->peer; // @type struct node +0x20 (peer)

	sink(g), sink(h), sink(i), sink(j), sink(d);
	return g->weight + h->weight + i->key + j->key + c->weight + d->weight + e->a[0] + f->kind; // @must struct item +0x8 (weight) | struct node +0 (key) | struct tree +0x10 (weight) | struct wide +0 (a) | struct shape +0 (kind) | struct node +0x18 (items) | struct node +0x20 (peer)
}

/* Two ways with nothing in common: no answer, whatever it is. */
NOINLINE int either(struct node *n, struct tree *t, int which)
{
	void *p = which ? (void *)&n->counts : (void *)&t->weight;

	return *(int *)p; // @type int +0 (no field)
}

NOINLINE struct node *find(long key)
{
	struct node *n;

	for (n = head; n; n = n->peer) // @type struct node* +0 (no field) | struct node +0x20 (peer)
		if (n->key == key) // @must struct node +0 (key)
			break;
	return n;
}

/* A copy of the library's variable, whose symbol has a version. clang does not declare it. */
NOINLINE int flush(void)
{
	return fflush(stderr); // @gcc FILE* +0 (no field)
}

int main(int argc, char **argv)
{
	static struct node n;
	static struct wide w;

	sink_int = (int)(chain(&n) + result(argc) + pointed(&n) + kept(&n, &n) + walk(table, argc) + inside(&n, &w, argc, argc) + // @type int +0 (no field)
		joined(&n, &n, argc) + around(&n) + untyped(&n) + fresh()->key + compare(&n, &n) + arms(&n, argc) + // @type struct node +0 (key)
		member((struct shape *)argv) + trailing((struct header *)argv, 1) + fixed((struct tree *)argv) +
		either_of((struct several *)argv) + given(argc) + ended(argc) + (long)along(argc & 7, argc & 3) + one_of((struct several *)argv, &n, argc) + either(&n, NULL, 1) + spilled(&n, &n, table, NULL, &w, NULL));
	copy(table, table + 1);
	insert(NULL, NULL);
	flush();
	return 0;
}
