// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Eight threads that sleep for 2 ms, 200 times each, and compute a little in between. At the end it prints "waits N" for
 * each: the kernel's count of its voluntary switches since it had its name.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>

#define THREADS 8

static void *run(void *arg)
{
	const struct timespec nap = { .tv_nsec = 2000000 };
	struct rusage *usage = arg, before;

	prctl(PR_SET_NAME, "napper");
	getrusage(RUSAGE_THREAD, &before);
	for (int i = 0; i < 200; i++) {
		nanosleep(&nap, NULL);
		for (volatile int n = 0; n < 20000; n++)
			;
	}
	getrusage(RUSAGE_THREAD, usage);
	usage->ru_nvcsw -= before.ru_nvcsw;
	return NULL;
}

int main(void)
{
	struct rusage usage[THREADS];
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, run, &usage[i]);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		printf("waits %ld\n", usage[i].ru_nvcsw);
	}
	return 0;
}
