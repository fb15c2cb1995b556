// SPDX-License-Identifier: GPL-2.0-or-later
/* One access to a cold line, of each kind, and behind it other accesses to the same line. */
#include <immintrin.h>

#include "slow.h"

struct leaf {
	long first, second;
};

/* truth load: struct node +0x8 (id) 100 */
TESTED struct node *load(struct node *n, long steps)
{
	for (; steps; steps--) {
		USE(n->id);
		n = n->next;
	}
	return n;
}

/* truth load_only: struct node +0 (next) 100 */
TESTED struct node *load_only(struct node *n, long steps)
{
	for (; steps; steps--) {
		n = n->next;
		KEEP(n);
	}
	return n;
}

/* truth load_before_hot: struct node +0x8 (id) 100 */
TESTED struct node *load_before_hot(struct node *n, long steps)
{
	long sum = 0;

	for (; steps; steps--) {
		sum += n->id;
		KEEP(sum);
		sum += n->value;
		KEEP(sum);
		sum += n->hot;
		KEEP(sum);
		n = n->next;
	}
	return n;
}

/* truth load_byte: struct node +0x28 (kind) 100 */
TESTED struct node *load_byte(struct node *n, long steps)
{
	int last = 0;

	for (; steps; steps--) {
		last = n->kind;
		KEEP(last);
		n->tag[1] = (char)last;
		n = n->next;
	}
	return n;
}

/* truth load_double: struct node +0x30 (weight) 100 */
TESTED struct node *load_double(struct node *n, long steps)
{
	double sum = 0;

	for (; steps; steps--) {
		sum += n->weight;
		asm volatile("" : "+x"(sum) : : "memory");
		USE(n->value);
		n = n->next;
	}
	return n;
}

/* truth rmw: struct node +0x20 (count) 100 */
TESTED struct node *rmw(struct node *n, long steps)
{
	for (; steps; steps--) {
		n->count++;
		asm volatile("" : : : "memory");
		n = n->next;
	}
	return n;
}

/* truth lock_add: struct node +0x20 (count) 100 */
TESTED struct node *lock_add(struct node *n, long steps)
{
	for (; steps; steps--) {
		__atomic_fetch_add(&n->count, 1, __ATOMIC_SEQ_CST);
		n = n->next;
	}
	return n;
}

/* truth refcount: struct node +0x20 (count) 100 */
TESTED struct node *refcount(struct node *n, long steps)
{
	for (; steps; steps--) {
		if (!__atomic_sub_fetch(&n->count, 1, __ATOMIC_ACQ_REL))
			n->count = 1;
		asm volatile("" : : : "memory");
		n = n->next;
	}
	return n;
}

/* truth exchange: struct node +0x10 (value) 100 */
TESTED struct node *exchange(struct node *n, long steps)
{
	long v = steps;

	for (; steps; steps--) {
		v = __atomic_exchange_n(&n->value, v, __ATOMIC_SEQ_CST);
		n->hot = v;
		n = n->next;
	}
	return n;
}

/* A lock that is free: one try. truth spin: struct node +0x24 (flags) 100 */
TESTED struct node *spin(struct node *n, long steps)
{
	for (; steps; steps--) {
		unsigned free_again = 1;

		while (!__atomic_compare_exchange_n(&n->flags, &free_again, 2, 0, __ATOMIC_ACQUIRE,
						    __ATOMIC_RELAXED)) {
			free_again = 1;
			__builtin_ia32_pause();
		}
		n->value++;
		__atomic_store_n(&n->flags, 1, __ATOMIC_RELEASE);
		n = n->next;
	}
	return n;
}

struct cell {
	long used, stored;
	char rest[LINE - 2 * sizeof(long)];
};
static struct cell *cells;
static const unsigned nr_cells = COLD / sizeof(struct cell);

/* Places that follow from numbers: no load waits for the last one. */
static void *numbers(void)
{
	static uint64_t seed = 1;

	cells = cold(COLD);
	return &seed;
}

/* truth store: struct cell +0x8 (stored) 100 */
TESTED uint64_t *store(uint64_t *seed, long steps)
{
	uint64_t x = *seed;

	for (; steps; steps--) {
		x = x * 6364136223846793005ull + 1442695040888963407ull;
		cells[(x >> 33) % nr_cells].stored = (long)x;
		asm volatile("" : : : "memory");
	}
	*seed = x;
	return seed;
}

/* truth random_index: struct cell +0x8 (stored) 100 */
TESTED uint64_t *random_index(uint64_t *seed, long steps)
{
	uint64_t x = *seed;
	struct cell *all = cells;

	for (; steps; steps--) {
		struct cell *c = &all[(x >> 33) % nr_cells];

		x = (x + (uint64_t)c->stored) * 6364136223846793005ull + 1442695040888963407ull;
		KEEP(x);
		USE(c->used);
	}
	*seed = x;
	return seed;
}

/* One line of each page: the lines fit into the cache, the translations do not. */
struct page {
	struct page *next;
	long id, hot;
	char rest[4096 + LINE - 3 * sizeof(long)];
};

static void *pages(void)
{
	uint32_t nr = 12000;
	struct page *all = cold(nr * sizeof(*all));

	link_all(all, nr, sizeof(*all), offsetof(struct page, next));
	return all;
}

/* truth tlb: struct page +0x8 (id) 100 */
TESTED struct page *tlb(struct page *p, long steps)
{
	for (; steps; steps--) {
		USE(p->id);
		USE(p->hot);
		p = p->next;
	}
	return p;
}

/* `across` is in two lines. */
struct split {
	char front[58];
	long across;
	struct split *next;
	long hot;
	char rest[128 - 58 - 24];
} __attribute__((packed));

static void *splits(void)
{
	uint32_t nr = COLD / sizeof(struct split);
	struct split *all = cold(COLD);

	link_all(all, nr, sizeof(*all), offsetof(struct split, next));
	return all;
}

/* truth unaligned: struct split +0x3a (across) 100 */
TESTED struct split *unaligned(struct split *s, long steps)
{
	for (; steps; steps--) {
		USE(s->across);
		USE(s->hot);
		s = s->next;
	}
	return s;
}

/* truth divide: struct node +0x8 (id) 100 */
TESTED struct node *divide(struct node *n, long steps)
{
	unsigned long x = 1ul << 40;

	for (; steps; steps--) {
		x = (1ul << 40) / (unsigned long)n->id + (x >> 8);
		KEEP(x);
		USE(n->value);
		n = n->next;
	}
	return n;
}

static struct node *scattered;

static void *scattered_nodes(void)
{
	static uint64_t seed = 1;

	scattered = cold(COLD);
	return &seed;
}

/* Four cold lines by one instruction. truth gather: struct node +0x8 (id) 100 */
__attribute__((target("avx2"))) TESTED uint64_t *gather(uint64_t *seed, long steps)
{
	uint64_t x = *seed;
	struct node *all = scattered;

	for (; steps > 0; steps -= 4) {
		__m256i at, got;

		at = _mm256_set_epi64x((long)((x >> 10) % nr_cells) * 8,
				       (long)((x >> 20) % nr_cells) * 8,
				       (long)((x >> 30) % nr_cells) * 8,
				       (long)((x >> 40) % nr_cells) * 8);
		got = _mm256_i64gather_epi64((const long long *)&all->id, at, 8);
		x = (x + (uint64_t)_mm256_extract_epi64(got, 0)) * 6364136223846793005ull +
		    1442695040888963407ull;
		KEEP(x);
	}
	*seed = x;
	return seed;
}

/* The size of a struct, by one instruction. */
struct block {
	struct block *next;
	char bytes[88];
	long hot;
	char rest[128 - 88 - 16];
};

static void *blocks(void)
{
	uint32_t nr = COLD / sizeof(struct block);
	struct block *all = cold(COLD);

	link_all(all, nr, sizeof(*all), offsetof(struct block, next));
	return all;
}

static struct block copied;

/* truth copy_short: struct block +0x8 (bytes) 100 */
TESTED struct block *copy_short(struct block *b, long steps)
{
	for (; steps; steps--) {
		void *from = b->bytes, *to = copied.bytes;
		size_t n = sizeof(b->bytes);

		asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
		USE(b->hot);
		b = b->next;
	}
	return b;
}

struct sheet {
	struct sheet *next;
	char bytes[4096 + LINE - sizeof(void *)];
};

static void *sheets(void)
{
	uint32_t nr = COLD / sizeof(struct sheet);
	struct sheet *all = cold(COLD);

	link_all(all, nr, sizeof(*all), offsetof(struct sheet, next));
	return all;
}

static struct sheet filled;

/* truth copy_long: struct sheet +0x8 (bytes) 100 */
TESTED struct sheet *copy_long(struct sheet *s, long steps)
{
	for (steps /= 20; steps; steps--) {
		void *from = s->bytes, *to = filled.bytes;
		size_t n = sizeof(s->bytes);

		asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
		s = s->next;
	}
	return s;
}

/* truth fill_long: struct sheet +0x8 (bytes) 100 */
TESTED struct sheet *fill_long(struct sheet *s, long steps)
{
	for (steps /= 20; steps; steps--) {
		void *to = s->bytes;
		size_t n = sizeof(s->bytes) / 8;

		asm volatile("rep stosq" : "+D"(to), "+c"(n) : "a"(0) : "memory");
		s = s->next;
	}
	return s;
}

static void *sparse(void)
{
	return cold(COLD);
}

/* The pages are given back and come again at the first touch. truth page_fault: struct cell +0x8 (stored) 100 */
TESTED struct cell *page_fault(struct cell *all, long steps)
{
	for (long i = 0; i < steps / 8; i++) {
		struct cell *c = &all[i * (4096 / LINE) % nr_cells];

		c->stored = i;
		asm volatile("" : : : "memory");
		c->used = i;
	}
	madvise(all, COLD, MADV_DONTNEED);
	return all;
}

/* The kernel's way back is short beside eight waits. truth behind_syscall: struct node +0x8 (id) 100 */
TESTED struct node *behind_syscall(struct node *n, long steps)
{
	for (steps /= 8; steps; steps--) {
		long nr = 39;

		asm volatile("syscall" : "+a"(nr) : : "rcx", "r11", "memory");
		for (int i = 0; i < 8; i++) {
			USE(n->id);
			n = n->next;
		}
	}
	return n;
}

#define WALK(name, start)                                                                          \
	{                                                                                          \
#name, (walk_fn *)(void *)name, start                                              \
	}
static const struct idiom idioms[] = {
	WALK(load, nodes),
	WALK(load_only, nodes),
	WALK(load_before_hot, nodes),
	WALK(load_byte, nodes),
	WALK(load_double, nodes),
	WALK(rmw, nodes),
	WALK(lock_add, nodes),
	WALK(refcount, nodes),
	WALK(exchange, nodes),
	WALK(spin, nodes),
	WALK(store, numbers),
	WALK(random_index, numbers),
	WALK(tlb, pages),
	WALK(unaligned, splits),
	WALK(divide, nodes),
	WALK(gather, scattered_nodes),
	WALK(copy_short, blocks),
	WALK(copy_long, sheets),
	WALK(fill_long, sheets),
	WALK(page_fault, sparse),
	WALK(behind_syscall, nodes),
};

int main(int argc, char **argv)
{
	return run_idiom(idioms, sizeof(idioms) / sizeof(*idioms), argc, argv);
}
