// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Publishes facts about the process late:
 *
 *   late WHAT SECONDS
 *
 * The facts change after one third of its CPU time. WHAT is:
 *
 *   activity   by libactivity. First: service "early", attribute route=/b. Then: service "later", and a second
 *              attribute tier=gold with a new key
 *   elastic    Elastic's correlation. The pointer to the process storage (service "later") is set only then
 *
 * The thread's activity is always the same. The program makes some 10,000 system calls per second.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "activity/activity.h"

__thread void *elastic_apm_profiling_correlation_tls_v1;
void *elastic_apm_profiling_correlation_process_storage_v1;

static const uint8_t trace[16] = { 1, 2, 3 }, span[8] = { 4, 5, 6 };

static double cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void work(double until)
{
	while (cpu_seconds() < until) {
		for (volatile int i = 0; i < 200000; i++)
			if (i % 20000 == 0)
				getppid();
	}
}

static void attribute(const char *key, const char *value)
{
	activity_attribute(activity_key(key), value, strlen(value));
}

static void begin(bool elastic)
{
	static uint8_t record[37] = { 1, 0, 1, 1 };

	if (elastic) {
		memcpy(record + 5, trace, sizeof(trace));
		memcpy(record + 21, span, sizeof(span));
		elastic_apm_profiling_correlation_tls_v1 = record;
	} else {
		activity_describe("service.name", "early");
		activity_set(trace, span);
		attribute("route", "/b");
	}
}

static void change(bool elastic)
{
	/* A version, and three texts, each preceded by its length. */
	static uint8_t storage[] = { 1, 0, 5, 0,   0,	0,   'l', 'a', 't', 'e', 'r', 4,
				     0, 0, 0, 't', 'e', 's', 't', 1,   0,   0,	 0,   '/' };

	if (elastic) {
		elastic_apm_profiling_correlation_process_storage_v1 = storage;
	} else {
		activity_describe("service.name", "later");
		attribute("tier", "gold");
	}
}

int main(int argc, char **argv)
{
	double seconds = argc > 2 ? atof(argv[2]) : 0;
	bool elastic = argc > 1 && strcmp(argv[1], "elastic") == 0;

	begin(elastic);
	work(seconds / 3);
	change(elastic);
	work(seconds);
	return 0;
}
