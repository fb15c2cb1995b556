// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a sample costs, by the time stamp counter. QEMU's -icount shift=0 makes that a counter of
 * the instructions that the machine executed, so that the numbers are the same each time; each
 * round of a repeated string instruction counts as one.
 *
 * Each first read of a page is a fault, each fault a sample, and each sample an entry into the
 * kernel of its own. The cost of a window is what faults take with it, less what they take without.
 */
#define _GNU_SOURCE
#include "two_ways.h"

#include <stdio.h>

#include <sys/mman.h>
#include <x86intrin.h>

#define NR_FAULTS 500u
#define NR_TRIES  7u

/* Ticks of @NR_FAULTS faults; the least of some tries, which no timer's interrupt came into. 0: none. */
static uint64_t ticks_of_faults(volatile uint8_t *pages)
{
	uint64_t least = UINT64_MAX;

	for (unsigned int try = 0; try < NR_TRIES; try++) {
		uint64_t begin, ticks;

		if (madvise((void *)pages, (size_t)NR_FAULTS * PAGE, MADV_DONTNEED))
			return 0;
		begin = __rdtsc();
		for (unsigned int i = 0; i < NR_FAULTS; i++)
			(void)pages[(size_t)i * PAGE];
		ticks = __rdtsc() - begin;
		least = ticks < least ? ticks : least;
	}
	return least;
}

/* Of one fault with its sample. The ring has to take all of them: what it has no room for costs less. */
static double ticks_per_sample(enum way way, uint16_t size, volatile uint8_t *pages)
{
	struct recording *r = recording_open(way, AT_FAULTS, size);
	uint64_t ticks;

	if (!r)
		return -1;
	ticks = ticks_of_faults(pages);
	recording_stop(r);
	recording_free(r);
	return (double)ticks / NR_FAULTS;
}

void print_costs(void)
{
	static const uint16_t sizes[] = { 8, 64, 512, 1024 };
	uint8_t *pages = mmap(NULL, (size_t)NR_FAULTS * PAGE, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	double fault, without, at_sample, at_return;
	bool counted, cheaper = true;

	if (pages == MAP_FAILED)
		return;
	fault = (double)ticks_of_faults(pages) / NR_FAULTS;
	without = ticks_per_sample(NOT_AT_ALL, 0, pages);
	printf("# cost: a page fault %.0f, its sample without a window %.0f more\n", fault,
	       without - fault);
	counted = fault > 100 && without > fault;
	for (unsigned int i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		at_sample = ticks_per_sample(AT_SAMPLE, sizes[i], pages) - without;
		at_return = ticks_per_sample(AT_RETURN, sizes[i], pages) - without;
		printf("# cost: a window of %u bytes: %.0f more at the sample, %.0f more at the "
		       "return\n",
		       sizes[i], at_sample, at_return);
		counted = counted && at_sample > 0;
		cheaper = cheaper && at_sample < at_return;
	}
	printf("%s - cost: each read is a fault, and each fault a sample\n",
	       counted ? "ok" : "not ok");
	printf("%s - cost: a window costs less at the sample than at the return\n",
	       cheaper ? "ok" : "not ok");
}
