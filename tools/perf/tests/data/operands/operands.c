// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Forms that an operand can have and compilers seldom use, and what is no variable at all, in one
 * function each. Built by `build` as programs without a library, linked statically, at a fixed
 * place and at any; nothing of it ever runs.
 */
#include <immintrin.h>
#include <stdarg.h>

#define NOINLINE  __attribute__((noinline))
#define AVX2	  __attribute__((target("avx2")))
#define AVX512	  __attribute__((target("avx512f")))
#define GUARDED	  __attribute__((stack_protect))
#define WITH_MOVS __attribute__((target("tune=k8")))

struct list {
	struct list *next, *prev;
};

struct entry {
	long key;
	int hits, misses;
	struct list link;
	double weight;
};

struct index {
	int nr;
	long long *values;
	struct entry *entries;
	int slots[16];
	__m256i wanted;
	__m512i many;
};

struct twins {
	unsigned long low, high;
} __attribute__((aligned(16)));

struct machine {
	struct twins pair;
	struct entry *current;
	unsigned long flags;
	int state;
	int (*step)(struct machine *machine, int input);
};

typedef int (*action_fn)(struct machine *machine, int input);

struct table {
	const char *name;
	action_fn enter, leave;
};

void sink(void *p);
void sink_many(void *a, void *b, long c, long d, long e, long f, long g, long h);
void give_up(struct machine *machine, int why) __attribute__((noreturn));
int reset(struct machine *machine, int input), count(struct machine *machine, int input);
extern const struct table tables[4];

/* Gathers and scatters: of numbers behind a pointer, of an array in a structure, of members. */
NOINLINE AVX2 long gather_values(struct index *ix)
{
	__m256i v = _mm256_i64gather_epi64(ix->values, ix->wanted, 8);

	return _mm256_extract_epi64(v, 0) + _mm256_extract_epi64(v, 3);
}

NOINLINE AVX2 int gather_slots(struct index *ix)
{
	__m256i v = _mm256_i32gather_epi32(ix->slots, ix->wanted, 4);

	return _mm256_extract_epi32(v, 5);
}

NOINLINE AVX512 void scatter_values(struct index *ix, long long by)
{
	__m512i v = _mm512_i64gather_epi64(ix->many, ix->values, 8);

	_mm512_i64scatter_epi64(ix->values, ix->many, _mm512_add_epi64(v, _mm512_set1_epi64(by)),
				8);
}

/* Pushes and pops of members. */
NOINLINE void move_key(struct entry *to, const struct entry *from)
{
	__asm__ volatile("pushq %1\n\tpopq %0" : "=m"(to->key) : "m"(from->key) : "memory");
}

NOINLINE void push_arguments(struct machine *m)
{
	sink_many(m, 0, 1, 2, 3, 4, m->current->key, (long)m->flags);
}

/* Exchanges. */
NOINLINE unsigned long exchange(struct machine *m, unsigned long flags)
{
	unsigned long old = __atomic_exchange_n(&m->flags, flags, __ATOMIC_SEQ_CST);
	int zero = 0;

	__atomic_compare_exchange_n(&m->state, &zero, 7, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	__asm__ volatile("lock cmpxchg16b %0"
			 : "+m"(m->pair)
			 : "a"(0ul), "d"(0ul), "b"(flags), "c"(old)
			 : "cc");
	return old;
}

/* A conditional move of a member, and of one of two pointers. */
NOINLINE long choose(struct entry *a, struct entry *b, int which)
{
	struct entry *e;

	__asm__("test %2, %2\n\tmov %1, %0\n\tcmovne %3, %0"
		: "=&r"(e)
		: "r"(a), "r"(which), "r"(b)
		: "cc");
	__asm__("cmovg %1, %2" : "+m"(e->key), "+m"(e->hits), "+r"(which));
	return e->misses + which;
}

/* Calls and jumps through memory. */
NOINLINE int call_member(struct machine *m, int input)
{
	return m->step(m, input) + m->state;
}

NOINLINE int call_table(struct machine *m, int which, int input)
{
	int left = tables[which].leave(m, input);

	return left + m->state;
}

NOINLINE int jump_table(struct machine *m, int which)
{
	return tables[which].enter(m, which);
}

NOINLINE int jump_member(struct machine *m)
{
	return m->step(m, 0);
}

/* A switch: its table is no variable. */
NOINLINE void switched(struct machine *m, int op, struct entry *e)
{
	switch (op) {
	case 0:
		m->state = 1;
		break;
	case 1:
		m->current = e;
		break;
	case 2:
		m->flags |= 4;
		break;
	case 3:
		e->hits++;
		break;
	case 4:
		e->misses++;
		break;
	case 5:
		e->link.next = 0;
		break;
	case 6:
		sink(m);
		break;
	case 7:
		sink(e);
		break;
	}
}

/* The stack protector's value, beside an array of the function's. */
NOINLINE GUARDED int guarded(struct machine *m)
{
	char line[48];

	sink(line);
	return line[m->state & 31];
}

/* Numbers in read-only data. */
NOINLINE void weigh(struct entry *e)
{
	e->weight = e->weight * 2.75 + 1.0 / 3;
}

/* Registers saved by moves. */
NOINLINE WITH_MOVS long saved(struct machine *m, struct entry *a, struct entry *b)
{
	sink(a);
	sink(b);
	sink(m);
	return a->key + b->key + m->state;
}

/* A variadic function's registers, and what is taken from them. */
NOINLINE long variadic(struct machine *m, ...)
{
	va_list ap;
	long sum = 0;

	va_start(ap, m);
	for (int i = 0; i < m->state; i++) {
		struct entry *e = va_arg(ap, struct entry *);

		sum += e->key;
	}
	va_end(ap);
	return sum;
}

/* Below the stack pointer, in a function that calls nothing. */
NOINLINE int red_zone(const struct entry *e, unsigned int i)
{
	volatile struct list local = e->link;
	volatile int numbers[8] = { 0 };

	numbers[i & 7] = e->hits;
	return numbers[3] + (local.next == local.prev);
}

/* A stack pointer that is rounded, with memory of a size that is known when it runs. */
NOINLINE AVX2 long realigned(struct machine *m, int n)
{
	struct entry here __attribute__((aligned(64)));
	struct entry *copies = __builtin_alloca((unsigned long)n * sizeof(*copies));

	here.key = m->state;
	here.link.next = 0;
	sink(&here);
	sink(copies);
	for (int i = 0; i < n; i++)
		copies[i].hits = here.misses;
	sink(copies);
	return here.hits;
}

/* What is behind a call that does not return is another path. */
NOINLINE long checked(struct machine *m)
{
	struct entry *e = m->current;

	if (!e)
		give_up(m, 3);
	return e->key;
}

/* Split: what is hardly ever run is a function of its own, for two callers. */
static int lookup(struct index *ix, long key)
{
	if (ix->nr == 0)
		return -1;
	for (int i = 0; i < ix->nr; i++) {
		struct entry *e = &ix->entries[i];

		sink(e);
		if (e->key == key) {
			e->hits++;
			ix->slots[i & 15] = i;
			sink(ix->values);
			return i;
		}
		e->misses++;
	}
	sink(ix);
	ix->nr--;
	return -2;
}

NOINLINE int first_of(struct index *ix)
{
	return lookup(ix, 1) + 1;
}

NOINLINE int both_of(struct index *ix, struct index *other)
{
	return lookup(ix, 2) + lookup(other, 3);
}

/* And what is never to be run lies in a cold part of the same function. */
__attribute__((cold)) void complain(struct entry *e);

NOINLINE long seldom(struct machine *m, struct entry *e)
{
	if (__builtin_expect(m->state < 0, 0)) {
		complain(e);
		e->misses++;
		m->current->misses++;
		complain(m->current);
	}
	return e->key;
}

/* Thread-locals of a program, by their distance from the thread's pointer. */
static __thread struct entry recent;
static __thread int depth[4];

NOINLINE long per_thread(int i)
{
	depth[i & 3]++;
	recent.hits = i;
	return recent.key;
}
