// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Loads publishers (publish.c as libraries) one after the other, and unloads each:
 *
 *   cycle main|thread|cleared MILLISECONDS LOG LIBRARY...
 *
 * While a library is there the first thread, or another one, changes its activity once a
 * millisecond; it is still set when the
 * library goes, but with "cleared". Then it computes for as long without any.
 * LOG gets a struct schedule_change per change (workloads/schedule.h).
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../workloads/schedule.h"

static FILE *log_file;
static char **libraries;
static int clears;
static uint64_t phase_ns, number;

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* On a machine that is busy, too, so much is sampled. */
static void work(uint64_t ns)
{
	uint64_t end = cpu_ns() + ns;

	while (cpu_ns() < end)
		for (volatile int i = 0; i < 10000; i++)
			;
}

static uint32_t thread_id(void)
{
	return (uint32_t)syscall(SYS_gettid);
}

static struct schedule_change begin_change(uint32_t class)
{
	return (struct schedule_change){ .pid = (uint32_t)getpid(),
					 .tid = thread_id(),
					 .class = class,
					 .owner = thread_id(),
					 .number = ++number,
					 .before_ns = now_ns() };
}

static void end_change(struct schedule_change *change)
{
	change->after_ns = now_ns();
	fwrite(change, sizeof(*change), 1, log_file);
}

static void publish_for_a_while(const char *path)
{
	void (*publish)(const void *, const void *), *library = dlopen(path, RTLD_NOW);
	struct schedule_change change;

	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	publish = (void (*)(const void *, const void *))dlsym(library, "publish");
	for (uint64_t end = cpu_ns() + phase_ns; cpu_ns() < end;) {
		struct schedule_trace trace;
		uint64_t span;

		change = begin_change(1 + number % (SCHEDULE_CLASSES - 1));
		trace = (struct schedule_trace){ change.owner, change.class, change.number };
		span = schedule_span(&trace);
		publish(&trace, &span);
		end_change(&change);
		work(1000000);
	}
	change = begin_change(0);
	if (clears)
		publish(NULL, NULL);
	dlclose(library);
	end_change(&change);
}

static void *run(void *arg)
{
	struct schedule_change change = begin_change(0);

	end_change(&change);
	work(phase_ns);
	for (char **path = libraries; *path; path++) {
		publish_for_a_while(*path);
		work(phase_ns);
	}
	change = begin_change(0);
	end_change(&change);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc < 5)
		return 1;
	phase_ns = strtoul(argv[2], NULL, 0) * 1000000u;
	log_file = fopen(argv[3], "wb");
	libraries = argv + 4;
	clears = *argv[1] == 'c';
	if (!log_file)
		return 1;
	if (*argv[1] == 't')
		pthread_create(&thread, NULL, run, NULL), pthread_join(thread, NULL);
	else
		run(NULL);
	return fclose(log_file);
}
