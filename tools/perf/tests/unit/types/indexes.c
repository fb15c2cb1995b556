// SPDX-License-Identifier: GPL-2.0-or-later
// The marks stand on the lines they speak of.
// clang-format off
/*
 * Indexes that reach back, up to a few, or between members: see flow.c for the marks.
 *
 * @locals double | struct halves* | struct whole* | struct third* | unsigned int* | struct vm* | struct reader* | struct node* | struct wheel* | struct timer* | struct timer** | struct pairs* | void* | struct session* | struct session | unsigned char** | unsigned char* | unsigned int | long int | long | int | char**
 */
#define NOINLINE __attribute__((noinline))

struct frame {
	const unsigned char *ip;
	int base, locals;
	long slots[2];
};

struct vm {
	long stack[32];
	struct frame frames[8];
	int sp, nf;
};

struct node {
	long key;
	struct node *up;
	struct node *kid[2];
	char name[16];
};

struct timer {
	struct timer *next;
	unsigned when;
};

struct wheel {
	long now;
	struct timer *near[16];
	struct timer *far[4];
};

struct reader {
	double operands[8];
	char operators[8];
	int nr_operators, depth;
	struct node *open[4];
};

struct session {
	long started;
	struct node nodes[8];
	long sums[64];
	struct vm *vm;
};

/* An index that begins far before its array: it is searched for at most 64 steps from the beginning. */
struct ten { long a, b, c, d, e, f, g, h, i, j; };
struct at_63 { struct ten a, b, c, d, e, f; long g, h, i; void *slots[7]; } at_63;
struct at_64 { struct ten a, b, c, d, e, f; long g, h, i, j; void *slots[7]; } at_64;

struct third { long a, b, c; };

struct pairs {
	short nr;
	long keys[7];
	void *values[7];
};

/* The constant leads into the array before. */
NOINLINE int leave(struct vm *v, const unsigned char **ip)
{
	v->nf--; // @type struct vm +0x204 (nf)
	*ip = v->frames[v->nf - 1].ip; // @must struct vm +0x100 (frames.ip) | struct vm +0x204 (nf) | unsigned char* +0 (no field)
	return 0;
}

NOINLINE int base(const struct vm *v) { return v->frames[v->nf - 1].base; } // @must struct vm +0x108 (frames.base) | struct vm +0x204 (nf)
NOINLINE int operator(const struct reader *r) { return r->operators[r->nr_operators - 1]; } // @must struct reader +0x40 (operators) | struct reader +0x48 (nr_operators)
NOINLINE struct node *outer(const struct reader *r) { return r->open[r->depth - 1]; } // @must struct reader +0x50 (open) | struct reader +0x4c (depth)

/* One of two, and not what follows them. */
NOINLINE struct node *find(struct node *n, long k)
{
	while (n && n->key != k) // @must struct node +0 (key)
		n = n->kid[k > n->key]; // @must struct node +0x10 (kid) | struct node +0 (key)
	return n;
}

/* gcc unrolls it: all copies after the first reach values by constants that lie in keys. */
NOINLINE void insert(struct pairs *p, long key, void *value)
{
	int i = p->nr++; // @must struct pairs +0 (nr)
	for (; i > 0 && p->keys[i - 1] > key; i--) {
		p->keys[i] = p->keys[i - 1];
		p->values[i] = p->values[i - 1]; // @must struct pairs +0x40 (values) | struct pairs +0x48 (values) | struct pairs (one of several)
	}
	p->keys[i] = key; // @must struct pairs +0x8 (keys)
	p->values[i] = value; // @must struct pairs +0x40 (values)
}

/* Two arrays of one owner, where no compiler makes two stores of it. */
NOINLINE void arm(struct wheel *w, struct timer *t, unsigned when)
{
	struct timer **list = &w->near[when & 15], **far = &w->far[when >> 4 & 3];

	__asm__("cmp $16, %2; cmovae %1, %0" : "+r"(list) : "r"(far), "r"(when) : "cc");
	t->next = *list; // @must struct wheel (one of several) | struct timer +0 (next)
	*list = t; // @must struct wheel (one of several)
}

/* Bytes that are written as numbers, behind an array of numbers: the loop never comes before its start. */
struct mixer {
	unsigned int state[16];
	unsigned char out[64];
	unsigned char nr;
} mixer;

NOINLINE void mix(const unsigned int *in, int nr)
{
	unsigned int *out = (unsigned int *)(void *)mixer.out;

	for (int i = 0; i < nr; i++) {
		unsigned int x = in[i];
		__asm__("" : "+r"(x));
		out[i] = x; // @type struct mixer +0x40 (out) | struct mixer +0x44 (out) | struct mixer +0x48 (out) | struct mixer +0x4c (out) | struct mixer (one of several) | unsigned int +0 (no field)
	}
	mixer.nr = 64; // @must struct mixer +0x80 (nr)
}

/* Without a position-independent address, the end of an array is a displacement: the start of another variable. */
struct whole { long x; int y; short z; };
struct halves { double d; float f, g; };
static struct whole wholes[8];
static struct halves halves[8];

NOINLINE double down(void)
{
	double sum = 0;
	for (struct halves *p = halves + 8; p-- > halves;)
		sum += p->g; // @type struct halves +0xc (g) | struct halves (one of several)
	return sum;
}

NOINLINE long down_wholes(void)
{
	long sum = 0;
	for (struct whole *p = wholes + 8; p-- > wholes;)
		sum += p->z; // @type struct whole +0xc (z) | struct whole (one of several)
	return sum;
}

NOINLINE void *in_reach(long i)
{
	void *slot; /* at_63.slots[i - 40] */
	__asm__("mov 0xb8(%1,%2,8),%0" : "=r"(slot) : "r"(&at_63), "r"(i)); // @must struct at_63 +0x1f8 (slots)
	return slot;
}

NOINLINE void *out_of_reach(long i)
{
	void *slot; /* at_64.slots[i - 40] */
	__asm__("mov 0xc0(%1,%2,8),%0" : "=r"(slot) : "r"(&at_64), "r"(i)); // @must struct at_64 (one of several)
	return slot;
}

/* A multiple of 8, which is no multiple of 72: its lowest bit counts. */
NOINLINE long masked(const struct third *t, long i)
{
	long v;
	__asm__("and $-72,%1; mov 8(%2,%1),%0" : "=&r"(v), "+r"(i) : "r"(t)); // @must struct third (one of several)
	return v;
}

/* Whole objects, and the part that a constant count stays in. */
NOINLINE void clear(struct session *s) { __builtin_memset(s, 0, sizeof(*s)); } // @gcc struct session (one of several) | struct session +0 (started) | struct session +0x388 (vm)
NOINLINE void copy(struct session *to, const struct session *from) { *to = *from; } // @gcc struct session (one of several)
NOINLINE void clear_sums(struct session *s) { __builtin_memset(s->sums, 0, sizeof(s->sums)); } // @type struct session (one of several) | struct session +0x188 (sums) | struct session +0x190 (sums) | struct session +0x380 (sums)

int main(int argc, char **argv)
{
	static struct session s, t;
	const unsigned char *ip;

	leave(s.vm, &ip);
	insert((struct pairs *)argv, argc, argv);
	arm((struct wheel *)argv, (struct timer *)argv, (unsigned)argc);
	clear(&s);
	copy(&s, &t);
	clear_sums(&s);
	mix((const unsigned int *)(void *)argv, argc);
	return (int)down() + (int)down_wholes() + (int)masked((const struct third *)argv, argc) + base(s.vm) + operator((struct reader *)argv) + outer((struct reader *)argv)->name[0] +
	       (find(s.nodes, argc) != (void *)0) + (in_reach(argc) == out_of_reach(argc));
}
