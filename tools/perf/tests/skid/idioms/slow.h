/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs that know which of their memory accesses waits. The arrays are larger than the caches, and are walked in a
 * random order, so the first access to a line waits for memory and the others to the same line do not.
 *
 *	PROGRAM IDIOM [SECONDS]		runs that idiom for so much CPU time (1)
 *
 * The truth is in a comment before the idiom:
 *
 *	truth IDIOM [FUNCTION...]: TYPE +0xOFFSET (FIELD) SHARE[, TYPE +0xOFFSET (FIELD) SHARE]...
 *
 * FUNCTIONs are those whose samples count. The default is the one called IDIOM. SHARE is in per cent.
 *
 * USE and KEEP are empty for the processor. The compiler must have the value before, and must not move an
 * access of memory across, so the order of accesses is that of the source.
 */
#ifndef SKID_SLOW_H
#define SKID_SLOW_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define TESTED	__attribute__((noinline))
#define USE(v)	asm volatile("" : : "r"(v) : "memory")
#define KEEP(v) asm volatile("" : "+r"(v) : : "memory")
#define LINE	64
#define COLD	(128ul << 20) /* bytes: several times the last level of cache */

/* One line. Each idiom decides which field it touches first. */
struct node {
	struct node *next;
	long id;
	long value;
	struct leaf *leaf;
	int count;
	unsigned flags;
	char kind, tag[7];
	double weight;
	long hot;
};

/* Walks @steps steps from @at, and returns where it is then. */
typedef void *walk_fn(void *at, long steps);

struct idiom {
	const char *name;
	walk_fn *walk;
	void *(*start)(void);
};

static inline uint64_t draw(void)
{
	static uint64_t state = 88172645463325252ull;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* @size bytes of pages of the usual size, zeroed, at a line's start. */
static inline void *cold(size_t size)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED) {
		perror("mmap");
		exit(1);
	}
	madvise(at, size, MADV_NOHUGEPAGE);
	memset(at, 0, size);
	return at;
}

/* 0 to @nr - 1 in one cycle of random order: order[i] comes after i. */
static inline uint32_t *cycle(uint32_t nr)
{
	uint32_t *order = (uint32_t *)malloc(nr * sizeof(*order));

	for (uint32_t i = 0; i < nr; i++)
		order[i] = i;
	for (uint32_t i = nr - 1; i; i--) {
		uint32_t j = (uint32_t)(draw() % i), t = order[i];

		order[i] = order[j];
		order[j] = t;
	}
	return order;
}

/* Links @nr objects of @size bytes at @all by the pointer @next bytes into each. */
static inline void link_all(void *all, uint32_t nr, size_t size, size_t next)
{
	uint32_t *order = cycle(nr);

	for (uint32_t i = 0; i < nr; i++) {
		char *to = (char *)all + order[i] * size;

		memcpy((char *)all + i * size + next, &to, sizeof(to));
	}
	free(order);
}

/* A circle of nodes. */
static inline void *nodes(void)
{
	uint32_t nr = COLD / sizeof(struct node);
	struct node *all = (struct node *)cold(COLD);

	link_all(all, nr, sizeof(*all), offsetof(struct node, next));
	for (uint32_t i = 0; i < nr; i++) {
		all[i].id = 2 * i + 1;
		all[i].value = i;
		all[i].count = 1;
		all[i].flags = 1;
		all[i].kind = 1;
	}
	return all;
}

static inline double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static inline int run_idiom(const struct idiom *idioms, size_t nr, int argc, char **argv)
{
	for (size_t i = 0; i < nr; i++) {
		volatile long steps = 20000;
		void *at;
		double end;

		if (argc < 2 || strcmp(idioms[i].name, argv[1]))
			continue;
		at = idioms[i].start();
		end = cpu_seconds() + (argc > 2 ? atof(argv[2]) : 1);
		while (cpu_seconds() < end)
			at = idioms[i].walk(at, steps);
		return 0;
	}
	fprintf(stderr, "usage: %s IDIOM [SECONDS]\n", argv[0]);
	return 2;
}

#endif
