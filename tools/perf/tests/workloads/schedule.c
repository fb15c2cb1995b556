// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Threads that work for activities by a schedule, and tell afterwards what was when:
 *
 *   schedule MODE THREADS SECONDS STEP_US LOG
 *
 * Each thread goes round its classes of activity, each with its share of the work, a new id every
 * time; class 0 is no activity. MODE: busy computes, syscall lets the kernel compute, fork and
 * exec do as busy and have a child process (of the same or another program image) do so too.
 *
 * LOG gets a struct schedule_change per change. Standard output gets "CLASS NANOSECONDS": the
 * CPU time that was spent for each class, children included.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "activity/activity.h"
#include "schedule.h"

static const unsigned int weight[SCHEDULE_CLASSES] = { 1, 6, 3, 8, 2 };

struct worker {
	pthread_t thread;
	bool by_kernel;
	double seconds;
	unsigned long step; /* units of work per weight */
	uint64_t cpu_ns[SCHEDULE_CLASSES];
	struct schedule_change *changes;
	size_t nr, room;
};

static volatile unsigned long sink;
static int zeros, log_fd;

static uint64_t now(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

__attribute__((noinline)) static void compute(unsigned long units)
{
	unsigned long x = 1;

	for (unsigned long i = 0; i < units; i++)
		x = x * 6364136223846793005u + 1442695040888963407u;
	sink = x;
}

__attribute__((noinline)) static void let_kernel_compute(unsigned long units)
{
	char buffer[65536];

	/* Some 3 us each. */
	for (unsigned long i = 0; i < units; i += 4000)
		if (read(zeros, buffer, sizeof(buffer)) < 0)
			abort();
}

static void change(struct worker *w, uint32_t tid, uint32_t class)
{
	struct schedule_trace trace = { tid, class, w->nr + 1 };
	uint64_t span = schedule_span(&trace);
	struct schedule_change *c;

	if (w->nr == w->room) {
		w->room = w->room ? 2 * w->room : 1 << 16;
		w->changes = realloc(w->changes, w->room * sizeof(*w->changes));
		if (!w->changes)
			abort();
	}
	c = &w->changes[w->nr++];
	*c = (struct schedule_change){ (uint32_t)getpid(), tid, class, 0, w->nr, 0, 0 };
	c->before_ns = now(CLOCK_MONOTONIC);
	if (class)
		activity_set((const uint8_t *)&trace, (const uint8_t *)&span);
	else
		activity_clear();
	c->after_ns = now(CLOCK_MONOTONIC);
}

static void *work(void *arg)
{
	struct worker *w = arg;
	uint32_t tid = (uint32_t)syscall(SYS_gettid);
	uint64_t end = now(CLOCK_MONOTONIC) + (uint64_t)(w->seconds * 1e9);
	uint64_t cpu = now(CLOCK_THREAD_CPUTIME_ID), then;

	while (now(CLOCK_MONOTONIC) < end) {
		for (uint32_t class = 0; class < SCHEDULE_CLASSES; class ++) {
			change(w, tid, class);
			if (w->by_kernel)
				let_kernel_compute(w->step * weight[class]);
			else
				compute(w->step * weight[class]);
			then = now(CLOCK_THREAD_CPUTIME_ID);
			w->cpu_ns[class] += then - cpu;
			cpu = then;
		}
	}
	change(w, tid, 0);
	return NULL;
}

/* How many units of work take @us microseconds when nobody else runs. */
static unsigned long calibrate(unsigned long us)
{
	uint64_t best = ~0ull;

	for (int i = 0; i < 5; i++) {
		uint64_t begin = now(CLOCK_THREAD_CPUTIME_ID);

		compute(1000000);
		begin = now(CLOCK_THREAD_CPUTIME_ID) - begin;
		best = begin < best ? begin : best;
	}
	return (unsigned long)(us * 1000 * 1e6 / (double)best) + 1;
}

/* The log takes a worker's changes in one piece: other processes append to it, too. */
static void write_all(const void *bytes, size_t size)
{
	if (size && write(log_fd, bytes, size) != (ssize_t)size)
		abort();
}

static void run(bool by_kernel, unsigned int nr, double seconds, unsigned long step)
{
	struct worker *workers = calloc(nr, sizeof(*workers));
	uint64_t cpu_ns[SCHEDULE_CLASSES] = { 0 };

	for (unsigned int i = 0; i < nr; i++) {
		workers[i] =
			(struct worker){ .by_kernel = by_kernel, .seconds = seconds, .step = step };
		if (i && pthread_create(&workers[i].thread, NULL, work, &workers[i]))
			abort();
	}
	work(&workers[0]);
	for (unsigned int i = 0; i < nr; i++) {
		if (i)
			pthread_join(workers[i].thread, NULL);
		write_all(workers[i].changes, workers[i].nr * sizeof(*workers[i].changes));
		for (unsigned int c = 0; c < SCHEDULE_CLASSES; c++)
			cpu_ns[c] += workers[i].cpu_ns[c];
		free(workers[i].changes);
	}
	free(workers);
	for (unsigned int c = 0; c < SCHEDULE_CLASSES; c++)
		printf("%u %llu\n", c, (unsigned long long)cpu_ns[c]);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	unsigned int threads;
	unsigned long step;
	double seconds;
	pid_t child = -1;

	if (argc != 6) {
		fprintf(stderr,
			"usage: schedule busy|syscall|fork|exec THREADS SECONDS STEP_US LOG\n");
		return 1;
	}
	threads = (unsigned int)atoi(argv[2]);
	seconds = atof(argv[3]);
	step = calibrate(strtoul(argv[4], NULL, 0)) / 20;
	zeros = open("/dev/zero", O_RDONLY);
	log_fd = open(argv[5], O_WRONLY | O_CREAT | O_APPEND, 0666);
	if (zeros < 0 || log_fd < 0) {
		perror(argv[5]);
		return 1;
	}
	if (strcmp(argv[1], "fork") == 0 || strcmp(argv[1], "exec") == 0) {
		child = fork();
		if (child == 0 && argv[1][0] == 'e')
			execl(argv[0], argv[0], "busy", argv[2], argv[3], argv[4], argv[5], NULL);
	}
	run(strcmp(argv[1], "syscall") == 0, threads, seconds, step);
	if (child > 0)
		waitpid(child, NULL, 0);
	return 0;
}
