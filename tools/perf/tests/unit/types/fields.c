// SPDX-License-Identifier: GPL-2.0-or-later
// The marks stand on the lines they speak of.
// clang-format off
/*
 * Accesses with known answers. A line's mark tells what the memory instructions of that
 * line may be typed as, alternatives divided by `|`:
 *
 *	@type	if it is typed, then so; with ~ in front, beside what the others ask for
 *	@must	and one instruction of the line is, in an optimized program
 *	@zero	as @must, and without optimization too
 *	@gcc	as @zero, by gcc (clang reaches it through the global offset table)
 *	@locals	what any access to the stack may be, anywhere in the file
 *
 * @locals struct node* | struct pair* | long int* | int* | int** | unsigned int* | char* | td_t* | int | long int
 * @locals struct pair +0 (x) | struct pair +0x4 (y) | struct node** | void* | struct tail* | unsigned int
 * @locals long | long* | long unsigned int | unsigned long | char** | struct both* | unsigned int[] | struct list*
 */
#define NOINLINE __attribute__((noinline))
#define INLINE	 static inline __attribute__((always_inline))

struct list {
	struct list *next, *prev;
};

struct pair {
	int x, y;
};

typedef struct {
	int a, b;
	long c;
} td_t;

struct node {
	long key;
	struct list lru;
	struct pair pairs[4];
	int numbers[4];
	union {
		int as_int;
		long as_long;
	};
	unsigned low : 3, high : 5;
	struct {
		char c1, c2;
	} inner;
	struct pair end;
	struct node *child[2];
	int matrix[2][3];
};

struct tail {
	long count;
	struct pair items[];
};

struct both {
	int before;
	const volatile struct pair *const restrict_me;
};

struct node nodes[10];
struct node one;
struct pair pairs_table[8];
static struct pair hidden;
int counter;
int counters[16];
td_t typed_def;
struct node *root;
__thread struct pair per_thread;
__thread long thread_counter;
extern struct pair elsewhere;
extern struct node elsewhere_table[]; /* where it is defined, a char[]: clang knows only that */
void sink(void *p);

NOINLINE long get_key(struct node *n) { return n->key; } // @must struct node +0 (key)
NOINLINE void *get_next(struct node *n) { return n->lru.next; } // @must struct node +0x8 (lru.next)
NOINLINE void *get_prev(struct node *n) { return n->lru.prev; } // @must struct node +0x10 (lru.prev)
NOINLINE int get_pair(struct node *n) { return n->pairs[2].y; } // @must struct node +0x2c (pairs.y)
NOINLINE int get_number(struct node *n) { return n->numbers[3]; } // @must struct node +0x44 (numbers)
NOINLINE int get_union(struct node *n) { return n->as_int; } // @must struct node +0x48 (as_int)
NOINLINE int get_c2(struct node *n) { return n->inner.c2; } // @must struct node +0x52 (inner.c2)
NOINLINE int get_end(struct node *n) { return n->end.y; } // @must struct node +0x58 (end.y)
NOINLINE void *get_child(struct node *n) { return n->child[1]; } // @must struct node +0x68 (child)
NOINLINE int get_matrix(struct node *n) { return n->matrix[1][2]; } // @must struct node +0x84 (matrix)
NOINLINE void set_bits(struct node *n, int v) { n->high = v; } // @must struct node +0x50 (low:3)
NOINLINE void set_key(struct node *n, long v) { n->key = v; } // @must struct node +0 (key)
NOINLINE void add_key(struct node *n, long v) { n->key += v; } // @must struct node +0 (key)
NOINLINE long get_typedef(td_t *t) { return t->c; } // @must td_t +0x8 (c)
NOINLINE int get_int(int *p) { return *p; } // @must int +0 (no field)
NOINLINE int get_fourth(int *p) { return p[3]; } // @must int +0 (no field)
NOINLINE int get_nth(int *p, long i) { return p[i]; } // @must int +0 (no field)
NOINLINE int get_nth_pair(struct pair *p, long i) { return p[i].y; } // @must struct pair +0x4 (y)
NOINLINE int nth_in_node(struct node *n, long i) { return n->numbers[i]; } // @must struct node +0x38 (numbers)
NOINLINE int nth_pair_in_node(struct node *n, long i) { return n->pairs[i].y; } // @must struct node +0x1c (pairs.y)
NOINLINE int before_in_node(struct node *n, long i) { return n->numbers[i - 1]; } // @type struct node +0x38 (numbers)
NOINLINE int get_item(struct tail *t, long i) { return t->items[i].x; } // @must struct tail +0x8 (items.x)
NOINLINE int qualified(const struct both *b) { return b->before; } // @must struct both +0 (before)
NOINLINE int char_at(char *s) { return s[5]; } // @must char +0 (no field)
NOINLINE void *slot(struct node **p) { return p[2]; } // @must struct node* +0 (no field)
NOINLINE int both_at_once(struct pair *p)
{
	const long *both = (const long *)&p->x;

	return *both == 0x100000001; // @must struct pair (one of several) | long* +0 (no field) | long int* +0 (no field)
}
NOINLINE int of_void(void *p) { return *(int *)p; } // @type int +0 (no field)
NOINLINE int of_number(unsigned long address) { return *(int *)address; } // @type int +0 (no field)

/* The element behind the pointer, or the structure around it: the operand does not tell. */
NOINLINE long around(struct list *l) { return ((struct node *)((char *)l - 8))->key; } // @type struct node +0 (key)

NOINLINE int get_global(void) { return one.end.x; } // @zero struct node +0x54 (end.x)
NOINLINE int get_element(void) { return nodes[3].numbers[1]; } // @zero struct node +0x3c (numbers)
NOINLINE int get_nth_global(long i) { return pairs_table[i].y; } // @must struct pair +0x4 (y)
NOINLINE int get_counters(void) { return counters[5]; } // @zero int[] +0x14 (no field)
NOINLINE void count(void) { counter++; } // @zero int +0 (no field)
NOINLINE long get_global_typedef(void) { return typed_def.c; } // @zero td_t +0x8 (c)
NOINLINE void *get_root(void) { return root; } // @zero struct node* +0 (no field)
NOINLINE void set_hidden(int v) { hidden.y = v; } // @zero struct pair +0x4 (y)
NOINLINE int get_hidden(void) { return hidden.y; } // @zero struct pair +0x4 (y)
NOINLINE int get_elsewhere(void) { return elsewhere.y; } // @gcc struct pair +0x4 (y)
NOINLINE int get_far_element(void) { return elsewhere_table[1].end.y; } // @type struct node +0x58 (end.y) | char[] +0xe0 (no field)

NOINLINE int next_id(void)
{
	static struct pair last;

	return ++last.y; // @zero struct pair +0x4 (y)
}

NOINLINE int get_per_thread(void) { return per_thread.y; } // @zero struct pair +0x4 (y)
NOINLINE void count_thread(void) { thread_counter++; } // @zero long int +0 (no field) | long +0 (no field)

NOINLINE void on_stack(int i)
{
	struct pair p[2];

	p[0].x = i; // @gcc struct pair +0 (x)
	p[1].y = i; // @gcc struct pair +0x4 (y)
	sink(p);
}

#ifdef __clang__
#define UNNAMED __attribute__((nodebug))
#else
#define UNNAMED
#endif

/* A pointer whose value is the stack pointer says nothing of the slots beside its target. */
INLINE long keep(int *at, const long *v)
{
	UNNAMED long a, b, c;
	int *p = 0;

	sink(p);
	p = at;
	a = v[0], b = v[1], c = v[2]; // @type long int +0 (no field) | long +0 (no field)
	sink(p);
	__asm__ volatile("" : : : "rbx", "r12", "r13", "r14", "r15");
	return (a << 3) ^ (b << 5) ^ (c << 7); // @type long int +0 (no field) | long +0 (no field)
}

NOINLINE long spill(const long *v)
{
	int here[4];

	return keep(here, v);
}

INLINE int inlined(struct pair *p) { return p->y; } NOINLINE int inlines(struct node *n) { return inlined(&n->pairs[1]); } // @must struct pair +0x4 (y) | struct node +0x24 (pairs.y)

NOINLINE long many(struct node *a, struct node *b, struct pair *c, long n)
{
	long sum = 0;

	while (n-- > 0) {
		sum += a->key; // @type struct node +0 (key)
		sum += b->end.x; // @type struct node +0x54 (end.x)
		c->x = (int)sum; // @type struct pair +0 (x)
		sink(a);
	}
	return sum;
}

int main(int argc, char **argv)
{
	static long words[64];

	if (argc < 99)
		return 0;
	get_key(&one);
	get_next(&one);
	get_prev(&one);
	on_stack(argc);
	spill(words);
	around(&one.lru);
	of_void(words);
	both_at_once(&hidden);
	many(&one, &nodes[1], &hidden, argc);
	return inlines(&one) + next_id() + get_hidden() + get_per_thread();
}
