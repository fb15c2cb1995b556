// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * headless: a second thread computes in compute_on() for ever. The first thread ends at the end of the standard input, and the
 * process goes on without it.
 */
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

static volatile uint64_t sum;

static __attribute__((noinline)) void *compute_on(void *unused)
{
	for (;;)
		sum += sum / 3 + 1;
	return unused;
}

int main(void)
{
	pthread_t thread;
	char byte;

	if (pthread_create(&thread, NULL, compute_on, NULL))
		return 1;
	while (read(0, &byte, 1) > 0)
		;
	pthread_exit(NULL);
}
