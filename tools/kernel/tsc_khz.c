// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints the frequency of this machine's time stamp counter in kHz. A virtual machine of QEMU's TCG
 * has the same counter, and its kernel finds a frequency that is wrong by a factor where the host
 * is busy while it measures.
 */
#include <stdint.h>
#include <stdio.h>

#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

/* The clock and, by the middle of two reads around it, the counter. */
struct instant {
	uint64_t ns, ticks, width;
};

static struct instant read_once(void)
{
	struct timespec ts;
	uint64_t before = __rdtsc(), after;

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	after = __rdtsc();
	return (struct instant){ (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec,
				 before + (after - before) / 2, after - before };
}

/* The narrowest of some reads: this program was not preempted in it. */
static struct instant read_both(void)
{
	struct instant best = read_once();

	for (int i = 0; i < 100; i++) {
		struct instant next = read_once();

		best = next.width < best.width ? next : best;
	}
	return best;
}

int main(void)
{
	struct instant from = read_both(), to;

	usleep(100000);
	to = read_both();
	printf("%llu\n",
	       (unsigned long long)((to.ticks - from.ticks) * 1000000 / (to.ns - from.ns)));
	return 0;
}
