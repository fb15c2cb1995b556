// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * crowd THREADS SECONDS [TICKERS]: THREADS threads sleep in a futex all the time, and TICKERS threads sleep for 100 ms
 * repeatedly. Prints "ready" when all threads run.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void *sleeps(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&lock);
	for (;;)
		pthread_cond_wait(&never, &lock);
	return NULL;
}

static void *ticks(void *unused)
{
	const struct timespec tick = { .tv_nsec = 100000000 };

	(void)unused;
	for (;;)
		nanosleep(&tick, NULL);
	return NULL;
}

int main(int argc, char **argv)
{
	int nr = argc > 1 ? atoi(argv[1]) : 1000, nr_tickers = argc > 3 ? atoi(argv[3]) : 0;
	unsigned int seconds = argc > 2 ? (unsigned int)atoi(argv[2]) : 10;
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 64 << 10);
	for (int i = 0; i < nr; i++) {
		if (pthread_create(&thread, &attr, i < nr_tickers ? ticks : sleeps, NULL)) {
			fprintf(stderr, "crowd: only %d threads\n", i);
			return 1;
		}
	}
	puts("ready");
	fflush(stdout);
	sleep(seconds);
	return 0;
}
