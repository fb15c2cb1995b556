// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Threads that wait for locks of each kind, and tell the truth about it:
 *
 *   locks [ROUNDS]
 *
 * Four threads, "worker", go through the locks ROUNDS times. Each holds a lock for some milliseconds, asleep, so the others
 * wait. Before each lock they meet. The activity of worker i is i + 1, as trace and as span. Prints, with times of CLOCK_MONOTONIC in ns:
 *
 *   lock NUMBER NAME (KIND)	the name that a report should have
 *   hold NUMBER TID FROM TO	the thread TID had the lock; "read" behind it: with other readers
 *   wait NUMBER TID FROM TO	the thread called the function that waits
 *   activity TID ID
 *
 * A lock without holders is one that has no owner: a condition, a semaphore, a barrier.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "activity/activity.h"

#define WORKERS	 4
#define MOST	 4096 /* lines of a thread */
#define MIN_HOLD 3000000
#define MAX_HOLD 12000000

struct book {
	long pages;
	pthread_mutex_t lock;
};

struct shard {
	char name[24];
	pthread_mutex_t lock;
};

struct desk {
	long papers;
	pthread_mutex_t lock;
};

struct shelf {
	long books[3];
	pthread_rwlock_t lock;
};

struct line {
	const char *what;
	int lock;
	long long from, to;
	const char *more;
};

struct worker {
	pthread_t thread;
	int number, tid;
	unsigned int seed;
	struct line lines[MOST];
	int nr;
};

static struct book book = { .lock = PTHREAD_MUTEX_INITIALIZER }; /* normal */
static struct shard shards[5];					 /* shards[3]: recursive */
static pthread_mutex_t checked, inherits, robust, adaptive;
static struct desk *desk;   /* its lock: normal, on the heap */
static struct shelf *shelf; /* on the heap */
static pthread_rwlock_t catalogue = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t beside = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn = PTHREAD_COND_INITIALIZER;
static int turns;
static sem_t places;
static pthread_barrier_t gate, start;

enum {
	BOOK,
	SHARD,
	CHECKED,
	INHERITS,
	ROBUST,
	ADAPTIVE,
	DESK,
	SHELF,
	CATALOGUE,
	TIMED,
	TURN,
	PLACES,
	GATE,
	NR_LOCKS
};

static const char *const names[NR_LOCKS] = {
	"book.lock (mutex)",	    "struct shard.lock in shards[3] (mutex)",
	"checked (mutex)",	    "inherits (mutex)",
	"robust (mutex)",	    "adaptive (mutex)",
	"struct desk.lock (mutex)", "struct shelf.lock (rwlock)",
	"catalogue (rwlock)",	    "beside (mutex)",
	"turn (condition)",	    "places (semaphore)",
	"gate (barrier)",
};

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static void say(struct worker *w, const char *what, int lock, long long from, const char *more)
{
	if (w->nr < MOST)
		w->lines[w->nr++] = (struct line){ what, lock, from, now(), more };
}

/* Asleep for some milliseconds. */
static void hold(struct worker *w)
{
	long ns = MIN_HOLD + rand_r(&w->seed) % (MAX_HOLD - MIN_HOLD);
	const struct timespec t = { 0, ns };

	nanosleep(&t, NULL);
}

static void use_mutex(struct worker *w, int lock, pthread_mutex_t *mutex)
{
	long long from = now();

	hold(w);
	say(w, "hold", lock, from, "");
	pthread_mutex_unlock(mutex);
}

/* The call is in the macro's place, so that the code there says what is locked. */
#define USE_MUTEX(w, lock, mutex)                                                                  \
	do {                                                                                       \
		long long from_ = now();                                                           \
		pthread_mutex_lock(mutex);                                                         \
		say(w, "wait", lock, from_, "");                                                   \
		use_mutex(w, lock, mutex);                                                         \
	} while (0)

static void use_timed(struct worker *w)
{
	struct timespec until;
	long long from = now();

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 600;
	if (pthread_mutex_timedlock(&beside, &until))
		abort();
	say(w, "wait", TIMED, from, "");
	use_mutex(w, TIMED, &beside);
}

/* Each fourth use writes. */
static void use_rwlock(struct worker *w, int lock, pthread_rwlock_t *rwlock, int writes)
{
	long long from = now();

	hold(w);
	say(w, "hold", lock, from, writes ? "" : "read");
	pthread_rwlock_unlock(rwlock);
}

static void use_shelf(struct worker *w, struct shelf *of, int writes)
{
	long long from = now();

	if (writes)
		pthread_rwlock_wrlock(&of->lock);
	else
		pthread_rwlock_rdlock(&of->lock);
	say(w, "wait", SHELF, from, "");
	use_rwlock(w, SHELF, &of->lock, writes);
}

static void use_catalogue(struct worker *w, int writes)
{
	long long from = now();

	if (writes)
		pthread_rwlock_wrlock(&catalogue);
	else
		pthread_rwlock_rdlock(&catalogue);
	say(w, "wait", CATALOGUE, from, "");
	use_rwlock(w, CATALOGUE, &catalogue, writes);
}

/* Each worker waits until it is its turn. */
static void take_turn(struct worker *w)
{
	static pthread_mutex_t of_turn = PTHREAD_MUTEX_INITIALIZER;
	long long from;

	pthread_mutex_lock(&of_turn);
	from = now();
	while (turns % WORKERS != w->number)
		pthread_cond_wait(&turn, &of_turn);
	say(w, "wait", TURN, from, "");
	pthread_mutex_unlock(&of_turn);
	hold(w);
	pthread_mutex_lock(&of_turn);
	turns++;
	pthread_cond_broadcast(&turn);
	pthread_mutex_unlock(&of_turn);
}

static void take_place(struct worker *w)
{
	long long from = now();

	while (sem_wait(&places))
		;
	say(w, "wait", PLACES, from, "");
	hold(w);
	sem_post(&places);
}

static void pass_gate(struct worker *w)
{
	long long from;

	hold(w);
	from = now();
	pthread_barrier_wait(&gate);
	say(w, "wait", GATE, from, "");
}

static void one_round(struct worker *w, int round)
{
	USE_MUTEX(w, BOOK, &book.lock);
	pthread_barrier_wait(&start);
	USE_MUTEX(w, SHARD, &shards[3].lock);
	pthread_barrier_wait(&start);
	USE_MUTEX(w, CHECKED, &checked);
	pthread_barrier_wait(&start);
	USE_MUTEX(w, INHERITS, &inherits);
	pthread_barrier_wait(&start);
	USE_MUTEX(w, ROBUST, &robust);
	pthread_barrier_wait(&start);
	USE_MUTEX(w, ADAPTIVE, &adaptive);
	pthread_barrier_wait(&start);
	USE_MUTEX(w, DESK, &desk->lock);
	pthread_barrier_wait(&start);
	use_timed(w);
	pthread_barrier_wait(&start);
	use_shelf(w, shelf, (w->number + round) % 4 == 0);
	pthread_barrier_wait(&start);
	use_catalogue(w, (w->number + round) % 2 == 0);
	pthread_barrier_wait(&start);
	take_turn(w);
	pthread_barrier_wait(&start);
	take_place(w);
	pass_gate(w);
}

static int rounds = 4;

static void *work(void *arg)
{
	struct worker *w = arg;
	uint8_t trace[16] = { 0 }, span[8] = { 0 };

	pthread_setname_np(pthread_self(), "worker");
	w->tid = (int)syscall(SYS_gettid);
	trace[15] = span[7] = (uint8_t)(w->number + 1);
	activity_set(trace, span);
	pthread_barrier_wait(&start);
	for (int i = 0; i < rounds; i++)
		one_round(w, i);
	return NULL;
}

static void make_mutex(pthread_mutex_t *mutex, int type, int protocol, int robustness)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, type);
	pthread_mutexattr_setprotocol(&attr, protocol);
	pthread_mutexattr_setrobust(&attr, robustness);
	if (pthread_mutex_init(mutex, &attr))
		abort();
}

static void make_locks(void)
{
	desk = calloc(1, sizeof(*desk));
	shelf = calloc(1, sizeof(*shelf));
	if (!desk || !shelf)
		abort();
	make_mutex(&shards[3].lock, PTHREAD_MUTEX_RECURSIVE, PTHREAD_PRIO_NONE,
		   PTHREAD_MUTEX_STALLED);
	make_mutex(&checked, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
	make_mutex(&inherits, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT, PTHREAD_MUTEX_STALLED);
	make_mutex(&robust, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_ROBUST);
	make_mutex(&adaptive, PTHREAD_MUTEX_ADAPTIVE_NP, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
	make_mutex(&desk->lock, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
	pthread_rwlock_init(&shelf->lock, NULL);
	sem_init(&places, 0, 1);
	pthread_barrier_init(&gate, NULL, WORKERS);
	pthread_barrier_init(&start, NULL, WORKERS);
}

static void print_lines(const struct worker *w)
{
	printf("activity %d %d\n", w->tid, w->number + 1);
	for (int i = 0; i < w->nr; i++)
		printf("%s %d %d %lld %lld %s\n", w->lines[i].what, w->lines[i].lock, w->tid,
		       w->lines[i].from, w->lines[i].to, w->lines[i].more);
}

int main(int argc, char **argv)
{
	static struct worker workers[WORKERS];

	if (argc > 1)
		rounds = atoi(argv[1]);
	make_locks();
	for (int i = 0; i < WORKERS; i++) {
		workers[i].number = i;
		workers[i].seed = (unsigned int)i + 1;
		pthread_create(&workers[i].thread, NULL, work, &workers[i]);
	}
	for (int i = 0; i < WORKERS; i++)
		pthread_join(workers[i].thread, NULL);
	for (int i = 0; i < NR_LOCKS; i++)
		printf("lock %d %s\n", i, names[i]);
	for (int i = 0; i < WORKERS; i++)
		print_lines(&workers[i]);
	return 0;
}
