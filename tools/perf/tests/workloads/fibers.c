// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An example for libactivity: a user-space scheduler of fibers. When it switches fibers, it also switches the thread's
 * activity and span.
 *
 *   fibers [SECONDS]
 *
 * Two threads run eight fibers each, in turn. A fiber handles requests. Each request is an activity with a route and two
 * spans. The second span waits in its middle, so other fibers run. If a fiber finds the activity of another fiber, the
 * program prints a line and fails.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#include "activity/activity.h"

#define FIBERS 8

struct fiber {
	ucontext_t at;
	struct activity_context activity; /* saved while other fibers run */
	unsigned int number;
	char stack[65536];
};

struct scheduler {
	struct fiber fiber[FIBERS], *now;
	ucontext_t out;
	double end;
};

static __thread struct scheduler *scheduler;
static int route_key;
static volatile unsigned long sink;

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void compute(unsigned long rounds)
{
	while (rounds--)
		sink = sink * 6364136223846793005u + 1;
}

/* Runs the next fiber: switches the stack and the activity. */
static void yield(void)
{
	struct scheduler *s = scheduler;
	struct fiber *from = s->now;

	s->now = &s->fiber[(from->number + 1) % FIBERS];
	activity_swap(&from->activity, &s->now->activity);
	swapcontext(&from->at, &s->now->at);
}

static void expect(const struct activity_ids *mine)
{
	struct activity_ids ids;

	if (!activity_look(&ids) || memcmp(&ids, mine, sizeof(ids)) != 0) {
		printf("a fiber has another one's activity\n");
		exit(1);
	}
}

static void query(void)
{
	struct activity_span before;
	struct activity_ids mine;
	uint8_t span[8];

	activity_new_span_id(span);
	activity_push(&before, span);
	activity_look(&mine);
	compute(2000);
	yield();
	expect(&mine);
	compute(2000);
	activity_pop(&before);
}

static void handle(unsigned int number)
{
	static const char *const routes[] = { "/orders", "/pay", "/search" };
	struct activity_span before;
	struct activity_ids mine;
	uint8_t trace[16], span[8];

	activity_new_trace_id(trace);
	activity_new_span_id(span);
	activity_set(trace, span);
	activity_attribute(route_key, routes[number % 3], strlen(routes[number % 3]));
	activity_look(&mine);
	activity_new_span_id(span);
	activity_push(&before, span);
	compute(1000);
	activity_pop(&before);
	query();
	expect(&mine);
	activity_clear();
}

static void run_fiber(void)
{
	while (seconds() < scheduler->end) {
		handle(scheduler->now->number);
		yield();
	}
	setcontext(&scheduler->out);
}

static void *run_thread(void *end)
{
	struct scheduler *s = calloc(1, sizeof(*s));

	scheduler = s;
	s->end = *(double *)end;
	for (unsigned int i = 0; i < FIBERS; i++) {
		struct fiber *fiber = &s->fiber[i];

		fiber->number = i;
		getcontext(&fiber->at);
		fiber->at.uc_stack.ss_sp = fiber->stack;
		fiber->at.uc_stack.ss_size = sizeof(fiber->stack);
		makecontext(&fiber->at, run_fiber, 0);
	}
	s->now = &s->fiber[0];
	swapcontext(&s->out, &s->now->at);
	activity_clear();
	free(s);
	return NULL;
}

int main(int argc, char **argv)
{
	double end = seconds() + (argc > 1 ? atof(argv[1]) : 1);
	pthread_t other;

	activity_describe("service.name", "fibers");
	route_key = activity_key("http.route");
	if (pthread_create(&other, NULL, run_thread, &end))
		return 1;
	run_thread(&end);
	pthread_join(other, NULL);
	return 0;
}
