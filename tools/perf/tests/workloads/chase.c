// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A workload whose costly instruction is known: a linked list in random order, larger than all caches. walk() spends
 * nearly all its time in reading `next`, one load after the other. Its computations in registers finish long before each
 * load.
 *
 *	chase [seconds of CPU time in walk()]
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define NR_LINKS (1u << 21) /* of 64 bytes: 128 MB */

struct link {
	uint64_t key;
	struct link *next;
	uint64_t rest[6];
};

struct tally {
	uint64_t steps;
	uint64_t mixed;
};

static uint64_t random_below(uint64_t *state, uint64_t limit)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state % limit;
}

/* Connects all links to one cycle, in random order (Sattolo's shuffle). */
static void connect(struct link *links)
{
	uint32_t *order = malloc(NR_LINKS * sizeof(*order));
	uint64_t state = 88172645463325252u;

	if (!order)
		exit(1);
	for (uint32_t i = 0; i < NR_LINKS; i++)
		order[i] = i;
	for (uint32_t i = NR_LINKS - 1; i > 0; i--) {
		uint32_t other = (uint32_t)random_below(&state, i), kept = order[i];

		order[i] = order[other];
		order[other] = kept;
	}
	for (uint32_t i = 0; i < NR_LINKS; i++)
		links[order[i]].next = &links[order[(i + 1) % NR_LINKS]];
	free(order);
}

__attribute__((noinline)) struct link *walk(struct link *link, struct tally *tally, uint64_t steps)
{
	uint64_t mixed = steps;

	for (uint64_t i = 0; i < steps; i++) {
		link = link->next;
		mixed = mixed * 5 + i;
		mixed ^= mixed >> 7;
		mixed += (uintptr_t)link >> 6;
		mixed = mixed << 3 | mixed >> 61;
		tally->steps++;
	}
	tally->mixed += mixed;
	return link;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	struct link *links = calloc(NR_LINKS, sizeof(*links)), *link = links;
	struct tally tally = { 0 };
	double end;

	if (!links)
		return 1;
	connect(links);
	end = now() + (argc > 1 ? atof(argv[1]) : 2);
	while (now() < end)
		link = walk(link, &tally, 100000);
	printf("%lu steps, %lu\n", (unsigned long)tally.steps,
	       (unsigned long)(tally.mixed & link->key));
	return 0;
}
