// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A busy server: its threads serve requests of three kinds, one after the other. Each kind has an activity, and the time
 * between two requests has none:
 *
 *   busy SECONDS THREADS
 *
 *   1   12 ms on a CPU (of CPU time)
 *   2   2 ms on a CPU, 20 ms asleep, 1 ms on a CPU
 *   3   1 ms on a CPU, 6 ms asleep, 3 ms on a CPU
 *   0   (no activity) 1 ms on a CPU, 3 ms asleep
 *
 * At the end it prints for each kind: "kind N", seconds of all threads on a CPU, and seconds in all.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

#include "activity/activity.h"

#define KINDS 4

static const struct {
	double before, asleep, after; /* ms */
} kinds[KINDS] = { { 1, 3, 0 }, { 12, 0, 0 }, { 2, 20, 1 }, { 1, 6, 3 } };

struct server {
	pthread_t thread;
	double cpu[KINDS], all[KINDS];
};

static double seconds;

static double clock_s(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void burn(double ms)
{
	double end = clock_s(CLOCK_THREAD_CPUTIME_ID) + ms / 1e3;

	while (clock_s(CLOCK_THREAD_CPUTIME_ID) < end)
		;
}

static void serve(struct server *s, unsigned kind)
{
	const struct timespec nap = { .tv_nsec = (long)(kinds[kind].asleep * 1e6) };
	const uint8_t trace[16] = { [15] = (uint8_t)kind }, span[8] = { [7] = (uint8_t)kind };
	double cpu = clock_s(CLOCK_THREAD_CPUTIME_ID), begin = clock_s(CLOCK_MONOTONIC);

	if (kind)
		activity_set(trace, span);
	burn(kinds[kind].before);
	if (nap.tv_nsec)
		nanosleep(&nap, NULL);
	burn(kinds[kind].after);
	activity_clear();
	s->cpu[kind] += clock_s(CLOCK_THREAD_CPUTIME_ID) - cpu;
	s->all[kind] += clock_s(CLOCK_MONOTONIC) - begin;
}

static void *run(void *arg)
{
	struct server *s = arg;
	double end = clock_s(CLOCK_MONOTONIC) + seconds;

	prctl(PR_SET_NAME, "server");
	while (clock_s(CLOCK_MONOTONIC) < end)
		for (unsigned kind = 0; kind < KINDS; kind++)
			serve(s, kind);
	return NULL;
}

int main(int argc, char **argv)
{
	int nr = argc > 2 ? atoi(argv[2]) : 0;
	struct server *servers = calloc((size_t)(nr > 0 ? nr : 1), sizeof(*servers));

	if (nr < 1 || !servers) {
		fprintf(stderr, "busy SECONDS THREADS\n");
		return 1;
	}
	seconds = atof(argv[1]);
	for (int i = 0; i < nr; i++)
		pthread_create(&servers[i].thread, NULL, run, &servers[i]);
	for (int i = 0; i < nr; i++)
		pthread_join(servers[i].thread, NULL);
	for (unsigned kind = 0; kind < KINDS; kind++) {
		double cpu = 0, all = 0;

		for (int i = 0; i < nr; i++) {
			cpu += servers[i].cpu[kind];
			all += servers[i].all[kind];
		}
		printf("kind %u %.4f %.4f\n", kind, cpu, all);
	}
	free(servers);
	return 0;
}
