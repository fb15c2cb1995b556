// SPDX-License-Identifier: GPL-2.0-or-later
// The marks stand on the lines they speak of.
// clang-format off
/*
 * Pointers of which the debug information says too little by itself: what is cast inside expressions, what a
 * tag tells apart, what is found by a distance in bytes. See flow.c for the marks; a line whose mark names
 * nothing that could be there must have no type.
 *
 * @locals struct side* | unsigned char* | struct code_header* | struct code* | struct stream* | int | size_t | long | long int | struct header* | char** | union key* | struct right | struct left | struct gauge | struct cell | struct link
 * @locals struct known** | struct knot* | struct str* | struct list* | struct word* | struct pool* | struct thing*
 * @locals struct record* | struct column* | struct range* | struct joint* | struct value* | struct branch* | struct tree* | struct branch** | struct entry* | struct entry** | struct hash* | struct bucket* | struct phrase* | struct query_list** | (function_type)* | void* | char* | unsigned int | unsigned long | long unsigned int | unsigned char | struct ticket* | struct link* | struct cell* | short | short int | struct point* | struct log* | double* | double
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

/* A distance from a table, or a parameter, names a member. */
struct record {
	unsigned long id;
	unsigned int width, height;
	unsigned char kind;
	double weight;
};

struct column {
	const char *name;
	size_t offset;
};

NOINLINE unsigned int by_column(const struct record *r, const struct column *c)
{
	return *(const unsigned int *)((const char *)r + c->offset); // @must struct record (one of several) | struct column +0x8 (offset)
}

NOINLINE void by_parameter(struct record *r, size_t offset, unsigned int x)
{
	*(unsigned int *)((char *)r + offset) = x; // @must struct record (one of several)
}

/* A part of a pointer's bits is no pointer to the same. */
struct joint {
	struct joint *next;
	long bend;
};

struct range {
	long first, last;
};

NOINLINE long low_bits(struct joint *j, unsigned long n)
{
	struct range *low = (struct range *)((uintptr_t)j & 0xff);
	long sum;

	(void)low;
	__asm__ volatile("" : : : "memory");
	sum = j->bend; // @type struct joint +0x8 (bend)
	sum += j->next->bend; // @must struct joint +0 (next) | struct joint +0x8 (bend)
	__asm__ volatile("" : : "r"(n) : "memory");
	return sum + j->bend; // @must struct joint +0x8 (bend)
}

/* A distance that the object itself states leads behind it. */
struct log {
	unsigned int size, kind;
	unsigned long time;
};

NOINLINE unsigned int behind(const struct log *l)
{
	return *(const unsigned int *)((const char *)l + l->size); // @type struct log +0 (size)
}

/*
 * What objects begin with is neither one of a row, where a loop steps along the array behind it by just its
 * size, nor does it reach behind its last member.
 */
struct header {
	struct header *next;
	unsigned char tag, marked;
};

struct item {
	long number;
	unsigned char tag;
};

struct closure {
	struct header *next;
	unsigned char tag, marked, nr;
	struct header *gray;
	struct item items[4];
};

union any {
	struct header header;
	struct closure closure;
	long other[16];
};

NOINLINE unsigned int how_many(const struct header *h)
{
	return ((const union any *)h)->closure.nr; // @type union any +0xa (closure.nr) | struct closure +0xa (nr)
}

NOINLINE long all_tags(const struct header *h)
{
	unsigned int nr = how_many(h);
	long sum = 0;

	for (unsigned int i = 0; i < nr; i++)
		sum += ((const union any *)h)->closure.items[i].tag; // @type union any (one of several) | union any +0x20 (closure.items.tag) | union any +0x20 (other) | struct closure +0x20 (items.tag) | struct closure (one of several) | struct item +0x8 (tag)
	return sum;
}

/* Of a union's pointers the one that has what is touched; text is touched by bytes. */
struct value {
	int tag;
	union {
		double number;
		const char *text;
		struct value **items;
		struct record *record;
	} u;
};

NOINLINE char text_of(const struct value *v, unsigned long i) { return v->u.text[i]; } // @must char +0 (no field) | struct value +0x8 (u)
NOINLINE unsigned int height_of(const struct value *v) { return v->u.record->height; } // @must struct record +0xc (height) | struct value +0x8 (u)

/* The root, or a place in an array of links. */
struct branch {
	long key;
	struct branch *child[2];
};

struct tree {
	int nr;
	struct branch *root;
};

NOINLINE void put(struct tree *t, struct branch *b)
{
	struct branch **at = &t->root;

	while (*at) // @type struct branch +0x8 (child) | struct branch* +0 (no field) | struct tree +0x8 (root)
		at = &(*at)->child[b->key > (*at)->key]; // @type struct branch +0x8 (child) | struct branch +0 (key) | struct branch* +0 (no field) | struct tree +0x8 (root)
	__asm__("" : "+r"(at));
	*at = b; // @must struct branch* +0 (no field) | struct branch +0x8 (child) | struct tree +0x8 (root)
}

/* The node's address is also that of its first member, the next pointer; its key is no part of a pointer. */
struct known {
	struct known *next;
	unsigned int from, to;
};

NOINLINE void drop_next(void *n, unsigned int from)
{
	struct known **at = (void *)0;

	while (((struct known *)n)->from != from) { // @type struct known +0x8 (from) | void* +0 (no field)
		at = n;
		n = *at; // @type struct known +0 (next) | struct known* +0 (no field)
	}
	if (at)
		*at = (void *)0; // @type struct known +0 (next) | struct known* +0 (no field)
}

/* Two heads, of which one is an element's of a row, then the elements, which begin with the next. */
struct entry {
	struct entry *next, *before;
	unsigned long key;
};

struct bucket {
	unsigned int count;
	struct entry *chain;
};

struct hash {
	unsigned int size, count;
	struct entry *first;
	struct bucket *table;
};

NOINLINE struct entry *seek(struct hash *h, unsigned int key)
{
	struct entry **at, *e;
	unsigned int n;

	if (h->table) {
		struct bucket *b = &h->table[key % h->size]; // @type struct hash +0x10 (table) | struct hash +0 (size)
		at = &b->chain;
		n = b->count; // @type struct bucket +0 (count)
	} else {
		at = &h->first;
		n = h->count; // @type struct hash +0x4 (count)
	}
	while (n--) {
		__asm__("" : "+r"(at));
		e = *at; // @must struct entry* +0 (no field)
		if (e->key == key) // @type struct entry +0x10 (key)
			return e;
		at = &e->next;
	}
	return NULL;
}

/* A pointer in a union, then one that another structure begins with. */
struct query {
	struct query_list *list;
	unsigned long flags;
};

struct query_list {
	long nr;
};

struct phrase {
	long op;
	union {
		struct query_list *list;
		struct query *query;
	} x;
};

NOINLINE long count_of(struct phrase *p, struct query *(*query_of)(struct phrase *))
{
	struct query_list **at = &p->x.list;

	if (p->op) // @type struct phrase +0 (op)
		at = &query_of(p)->list;
	__asm__("" : "+r"(at));
	return (*at)->nr; // @type struct query_list* +0 (no field) | struct query_list +0 (nr) | struct phrase +0x8 (x.list) | struct phrase +0x8 (x) | struct query +0 (list)
}

/* No variable ever has the type, and one structure has the shape. */
struct meter {
	unsigned long bytes;
	unsigned int calls;
	unsigned short errors;
	unsigned char last;
};

struct gauge {
	double low, high;
	unsigned int nr;
};

NOINLINE void count(void *self, unsigned int n)
{
	((struct meter *)self)->bytes += n; // @must struct meter +0 (bytes)
	((struct meter *)self)->calls++; // @must struct meter +0x8 (calls)
	((struct meter *)self)->last = (unsigned char)n; // @must struct meter +0xe (last)
}

/* Numbers of one size may be an array, and two structures the same. */
NOINLINE double span(void *self) { return ((struct gauge *)self)->high - ((struct gauge *)self)->low; } // @type nothing

struct left { long a; int b; short c; };
struct right { long x; int y; short z; };

NOINLINE void either(void *self)
{
	((struct left *)self)->a = 1; // @type nothing
	((struct left *)self)->b = 2; // @type nothing
	((struct left *)self)->c = 3; // @type nothing
}

/* What is around a link: of the structures that have one, one has both. */
struct link {
	struct link *next, *prev;
};

struct ticket {
	int number;
	struct link waiting;
	unsigned char urgent;
};

struct cell {
	long row, column;
	struct link used;
	struct link *free;
};

NOINLINE void take(struct link *l)
{
	((struct ticket *)((char *)l - offsetof(struct ticket, waiting)))->number = 1; // @must struct ticket +0 (number)
	((struct ticket *)((char *)l - offsetof(struct ticket, waiting)))->urgent = 1; // @must struct ticket +0x18 (urgent)
}

/* Padding of one member of a union is another's member. */
union key {
	struct { unsigned char tag; } head;
	struct { unsigned char tag, kind; unsigned int number; } full;
};

NOINLINE void mark(union key *k)
{
	__asm__("movw $0x201, %0" : "=m"(*(short *)&k->full)); // @must union key (one of several) | struct  (one of several)
}

/* Two structures of a union's pointers have something wherever the program reads; one has just that. */
struct str {
	unsigned int len, hash;
	char text[];
};

struct list {
	size_t nr, room;
	struct word *at;
};

struct word {
	unsigned char tag, mark;
	union {
		double number;
		struct str *str;
		struct list *list;
		struct word *next;
	} u;
};

NOINLINE unsigned int hash_of(const struct word *w)
{
	return w->u.str->len * 3 + w->u.str->hash; // @must struct str +0x4 (hash) | struct str +0 (len) | struct word +0x8 (u)
}

NOINLINE size_t room_of(const struct word *w)
{
	return w->u.list->nr * 3 + w->u.list->room; // @must struct list +0x8 (room) | struct list +0 (nr) | struct word +0x8 (u)
}

NOINLINE void set_str(struct word *w, unsigned int len)
{
	w->u.str = malloc(sizeof(struct str) + len); // @type struct word +0x8 (u)
	w->u.str->len = len; // @must struct str +0 (len) | struct word +0x8 (u)
	w->u.str->hash = 7; // @must struct str +0x4 (hash) | struct word +0x8 (u)
}

/* A place in an array of structures, or a member before the array: neither is the structure's first member. */
struct pool {
	unsigned int head, nr;
	struct {
		unsigned int next, prev;
		unsigned short value;
	} cells[64];
};

NOINLINE void skip_cell(struct pool *p, unsigned int prev, unsigned int next)
{
	*(prev ? &p->cells[prev].next : &p->head) = next; // @type struct pool (one of several) | unsigned int +0 (no field) | struct pool +0x8 (cells.next)
	p->cells[next].prev = prev; // @type struct pool +0xc (cells.prev)
}

/* Bit fields before a link are changed by bytes; text lies at the same distance before another link. */
struct knot {
	struct knot *next, **back;
};

struct thing {
	unsigned long id;
	unsigned int mode : 9, dirty : 1;
	struct knot by_id;
	char name[24];
	struct knot by_age;
};

NOINLINE void touch(struct knot *k)
{
	((struct thing *)((char *)k - offsetof(struct thing, by_id)))->dirty ^= 1; // @type struct thing +0x8 (mode:9) | struct thing +0x9 (mode:9) | struct thing +0x9 (dirty:1)
}

/* The structure around one of two members of a type. 48 is the distance between them, and the size of one. */
struct side {
	unsigned int flags, room;
	long sums[5];
};

struct stream {
	int kind;
	unsigned int state;
	struct side in, out;
};

NOINLINE unsigned int stream_of(struct side *side)
{
	struct stream *s = side->flags & 0x80000000 ? (struct stream *)((char *)side - offsetof(struct stream, out)) : (struct stream *)((char *)side - offsetof(struct stream, in)); // @type struct side +0 (flags) | struct stream +0x8 (in.flags) | struct side +0x3 (flags) | ~struct stream* +0 (no field)

	return s->state + side->room; // @must struct stream +0x4 (state) | struct side +0x4 (room) | ~struct stream* +0 (no field) | ~struct side* +0 (no field)
}

/* Entries behind a header of their size. A variable is at the sum of two registers. */
struct code_header {
	unsigned int fast, log;
};

struct code {
	unsigned short next;
	unsigned char extra, bits;
	unsigned int base;
};

NOINLINE unsigned int decode(const void *table, const unsigned char *from, unsigned int n)
{
	const struct code_header *header = (const struct code_header *)table;
	const struct code *codes = (const struct code *)(header + 1);
	unsigned int state = header->log, sum = header->fast; // @type struct code_header +0 (fast) | struct code_header +0x4 (log)

	while (n--) {
		const struct code *code = &codes[state];

		sum += code->base + code->extra; // @must struct code +0x2 (extra) | struct code +0x4 (base) | unsigned char +0 (no field)
		state = code->next + (from[n] & code->bits); // @must struct code +0 (next) | struct code +0x3 (bits) | unsigned char +0 (no field)
	}
	return sum;
}

int main(int argc, char **argv)
{
	struct record *r = (struct record *)(void *)argv;
	struct value *v = (struct value *)(void *)argv;
	struct left l;
	struct right x = { 1, 2, 3 };
	struct gauge g = { 1, 2, argc };
	struct cell c = { 0 };

	if (argc < 99)
		return 0;
	all_tags((struct header *)(void *)argv);
	by_parameter(r, offsetof(struct record, width), by_column(r, (struct column *)(void *)argv));
	put((struct tree *)(void *)argv, (struct branch *)(void *)argv);
	drop_next(argv, (unsigned int)argc);
	count(argv, behind((struct log *)(void *)argv));
	either(&l);
	either(&x);
	take(&c.used);
	mark((union key *)(void *)argv);
	touch((struct knot *)(void *)argv);
	skip_cell((struct pool *)(void *)argv, (unsigned int)argc, 3);
	set_str((struct word *)(void *)argv, hash_of((struct word *)(void *)argv));
	argc += (int)low_bits((struct joint *)(void *)argv, (unsigned long)argc);
	argc += (int)room_of((struct word *)(void *)argv);
	argc += (int)decode(argv, (unsigned char *)argv[0], (unsigned int)argc);
	argc += (int)stream_of((struct side *)(void *)argv);
	return text_of(v, 1) + (int)height_of(v) + (int)span(&g) + (int)(long)c.free;
}
