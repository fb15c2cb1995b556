// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sharing SECONDS: threads that each add to one counter: two to neighbours in one object of an array, one to the heap, one to
 * its own stack. Another follows a list. Prints where the counters are: "hits ADDRESS", before the threads start.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct stats {
	long pad[16];
	long hits, misses;
};

struct node {
	struct node *next;
	long value;
};

static struct stats table[4];
static long on_stack; /* the address of the counter on the stack */
static volatile int stop;

static void *hits(void *arg)
{
	struct stats *stats = arg;

	while (!stop)
		__atomic_fetch_add(&stats->hits, 1, __ATOMIC_RELAXED);
	return NULL;
}

static void *misses(void *arg)
{
	struct stats *stats = arg;

	while (!stop)
		__atomic_fetch_add(&stats->misses, 1, __ATOMIC_RELAXED);
	return NULL;
}

/* out: @address: of its counter. */
static void *hits_on_stack(void *address)
{
	struct stats mine = { .hits = 0 };

	__atomic_store_n((long *)address, (long)&mine.hits, __ATOMIC_RELEASE);
	return hits(&mine);
}

static void *follow(void *list)
{
	long sum = 0;

	while (!stop)
		for (const struct node *n = list; n; n = n->next)
			sum += n->value;
	return (void *)sum;
}

static void start(void *(*run)(void *), void *arg)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, arg))
		exit(1);
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1;
	struct timespec time = { (time_t)seconds, (long)((seconds - (time_t)seconds) * 1e9) };
	struct stats *heap = calloc(1, sizeof(*heap));
	struct node *list = NULL;

	for (long i = 0; i < 100000; i++) {
		struct node *n = malloc(sizeof(*n));

		*n = (struct node){ list, i };
		list = n;
	}
	start(hits_on_stack, &on_stack);
	while (!__atomic_load_n(&on_stack, __ATOMIC_ACQUIRE))
		usleep(100);
	printf("hits %p\nmisses %p\nheap %p\nstack %#lx\n", (void *)&table[2].hits,
	       (void *)&table[2].misses, (void *)&heap->misses, on_stack);
	fflush(stdout);
	start(hits, &table[2]);
	start(misses, &table[2]);
	start(misses, heap);
	start(follow, list);
	while (nanosleep(&time, &time))
		;
	stop = 1;
	return 0;
}
