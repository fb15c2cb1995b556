// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mended [MS] broken|fixed|rates: pairs of threads that share cache lines, each also in a form in which they do not. Pairs run one after
 * the other, each until both threads have had so many milliseconds of CPU time. `broken` and `fixed` run one form, and print a line for each pair: "TYPE HOW", where
 * HOW is same, members, neighbours or other, and none for the fixed form, whose types end in _fixed. `rates` runs both forms by turns,
 * and prints "TYPE MILLIONS MILLIONS RATIO": steps of both threads in a second of the clock, before and after.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Functions with the same code stay apart: each has types of its own. */
#if defined(__GNUC__) && !defined(__clang__)
#define NO_ICF __attribute__((no_icf, noinline))
#else
#define NO_ICF __attribute__((noinline))
#endif

#define LINE	__attribute__((aligned(64)))
#define ADD(x)	__atomic_fetch_add(&(x), 1, __ATOMIC_RELAXED)
#define READ(x) (__atomic_load_n(&(x), __ATOMIC_RELAXED))

static volatile int stop LINE;

/* Returns the number of steps. */
#define LOOP(name, type, step)                                                                     \
	NO_ICF static void *name(void *arg)                                                        \
	{                                                                                          \
		struct type *p = arg;                                                              \
		long steps = 0;                                                                    \
		while (!stop) {                                                                    \
			step;                                                                      \
			steps++;                                                                   \
		}                                                                                  \
		return (void *)steps;                                                              \
	}

/* The same steps on both forms of a type. */
#define LOOPS(type, first, second)                                                                 \
	LOOP(type##_first, type, first)                                                            \
	LOOP(type##_second, type, second)                                                          \
	LOOP(type##_fixed_first, type##_fixed, first)                                              \
	LOOP(type##_fixed_second, type##_fixed, second)

/* Members of an object: a line for each. */
struct counters {
	long hits, misses;
};
struct counters_fixed {
	long hits, misses LINE;
};
LOOPS(counters, ADD(p->hits), ADD(p->misses))

struct small {
	short a, b;
};
struct small_fixed {
	short a, b LINE;
};
LOOPS(small, ADD(p->a), ADD(p->b))

struct guarded { /* a lock beside its data */
	int lock;
	long data[4];
};
struct guarded_fixed {
	int lock;
	long data[4] LINE;
};
LOOPS(
	guarded,
	{
		__atomic_exchange_n(&p->lock, 1, __ATOMIC_ACQUIRE);
		__atomic_store_n(&p->lock, 0, __ATOMIC_RELEASE);
	},
	ADD(p->data[1]))

struct queue {
	unsigned long head, tail;
	void *ring[16];
};
struct queue_fixed {
	unsigned long head, tail LINE;
	void *ring[16];
};
LOOPS(queue, ADD(p->head), ADD(p->tail))

struct mostly_read { /* a setting that all read beside a counter */
	long setting, used;
};
struct mostly_read_fixed {
	long setting, used LINE;
};
LOOPS(mostly_read, (void)READ(p->setting), ADD(p->used))

struct outer {
	struct inner {
		long x;
	} left, right;
};
struct outer_fixed {
	struct inner left, right LINE;
};
LOOPS(outer, ADD(p->left.x), ADD(p->right.x))

/* Elements of an array: each has a line. */
struct slot {
	long sum;
};
struct slot_fixed {
	long sum LINE;
};
LOOPS(slot, ADD(p->sum), ADD(p->sum))

/* Two types: each has a line. */
struct left_type {
	long n;
};
struct left_type_fixed {
	long n LINE;
};
struct right_type {
	long n;
};
struct right_type_fixed {
	long n LINE;
};
LOOP(left_type_first, left_type, ADD(p->n))
LOOP(right_type_second, right_type, ADD(p->n))
LOOP(left_type_fixed_first, left_type_fixed, ADD(p->n))
LOOP(right_type_fixed_second, right_type_fixed, ADD(p->n))

/* The same bytes: a part for each thread. */
struct total {
	long value;
};
struct total_fixed {
	struct total_part {
		long value LINE;
	} parts[2];
};
LOOP(total_first, total, ADD(p->value))
LOOP(total_second, total, ADD(p->value))
LOOP(total_fixed_first, total_fixed, ADD(p->parts[0].value))
LOOP(total_fixed_second, total_fixed, ADD(p->parts[1].value))

/* The same bytes: written only if they change. */
struct flagged {
	long flag;
};
struct flagged_fixed {
	long flag;
};
LOOP(flagged_first, flagged, __atomic_exchange_n(&p->flag, 1, __ATOMIC_RELAXED))
LOOP(flagged_second, flagged, (void)READ(p->flag))
LOOP(flagged_fixed_first, flagged_fixed,
     if (READ(p->flag) != 1) __atomic_exchange_n(&p->flag, 1, __ATOMIC_RELAXED))
LOOP(flagged_fixed_second, flagged_fixed, (void)READ(p->flag))

typedef void *loop_fn(void *);

/* Two threads with an object each, which may be the same. */
struct form {
	loop_fn *first, *second;
	void *a, *b;
};

struct pair {
	const char *name, *how;
	struct form broken, fixed;
};

static struct counters counters LINE;
static struct counters_fixed counters_fixed;
static struct small small LINE;
static struct small_fixed small_fixed;
static struct guarded guarded LINE;
static struct guarded_fixed guarded_fixed;
static struct queue queue LINE;
static struct queue_fixed queue_fixed;
static struct mostly_read mostly_read LINE;
static struct mostly_read_fixed mostly_read_fixed;
static struct outer outer LINE;
static struct outer_fixed outer_fixed;
static struct slot slots[8] LINE;
static struct slot_fixed slots_fixed[2];
static struct {
	struct left_type left;
	struct right_type right;
} both LINE;
static struct {
	struct left_type_fixed left;
	struct right_type_fixed right;
} both_fixed;
static struct total total LINE;
static struct total_fixed total_fixed;
static struct flagged flagged LINE;
static struct flagged_fixed flagged_fixed LINE;

#define OF(type)                                                                                   \
	{                                                                                          \
		type##_first, type##_second, &type, &type                                          \
	}
static const struct pair pairs[] = {
	{ "counters", "members", OF(counters), OF(counters_fixed) },
	{ "small", "members", OF(small), OF(small_fixed) },
	{ "guarded", "members", OF(guarded), OF(guarded_fixed) },
	{ "queue", "members", OF(queue), OF(queue_fixed) },
	{ "mostly_read", "members", OF(mostly_read), OF(mostly_read_fixed) },
	{ "outer", "members", OF(outer), OF(outer_fixed) },
	{ "slot",
	  "neighbours",
	  { slot_first, slot_second, &slots[2], &slots[3] },
	  { slot_fixed_first, slot_fixed_second, &slots_fixed[0], &slots_fixed[1] } },
	{ "left_type",
	  "other",
	  { left_type_first, right_type_second, &both.left, &both.right },
	  { left_type_fixed_first, right_type_fixed_second, &both_fixed.left, &both_fixed.right } },
	{ "total", "same", OF(total), OF(total_fixed) },
	{ "flagged", "same", OF(flagged), OF(flagged_fixed) },
};
#define NR_PAIRS (sizeof(pairs) / sizeof(*pairs))

static pthread_t start(loop_fn *run, void *arg)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, arg))
		exit(1);
	return thread;
}

static long milliseconds = 60;

/* Until the clock of a thread or process says that it ran for so long. On a busy machine, that is later. */
static void wait_for(clockid_t clock)
{
	const struct timespec nap = { 0, 2000000 };
	struct timespec ran;

	while (!clock_gettime(clock, &ran) &&
	       ran.tv_sec * 1000 + ran.tv_nsec / 1000000 < milliseconds)
		nanosleep(&nap, NULL);
}

static void wait_for_thread(pthread_t thread)
{
	clockid_t clock;

	if (!pthread_getcpuclockid(thread, &clock))
		wait_for(clock);
}

static void nap(void)
{
	struct timespec left = { milliseconds / 1000, milliseconds % 1000 * 1000000 };

	while (nanosleep(&left, &left))
		;
}

/* Returns the steps of both threads, in so many milliseconds of the clock, or else of the CPU time of each. */
static double run(const struct form *form, bool by_clock)
{
	pthread_t one, two;
	void *a, *b;

	stop = 0;
	one = start(form->first, form->a);
	two = start(form->second, form->b);
	if (by_clock) {
		nap();
	} else {
		wait_for_thread(one);
		wait_for_thread(two);
	}
	stop = 1;
	pthread_join(one, &a);
	pthread_join(two, &b);
	return (double)((long)a + (long)b);
}

#define TURNS 5

static void print_rates(void)
{
	for (size_t i = 0; i < NR_PAIRS; i++) {
		double broken = 0, fixed = 0;

		for (int turn = 0; turn < TURNS; turn++) {
			broken += run(&pairs[i].broken, true);
			fixed += run(&pairs[i].fixed, true);
		}
		printf("%-12s %8.1f %8.1f %6.2f\n", pairs[i].name,
		       broken / 1e3 / (double)(TURNS * milliseconds),
		       fixed / 1e3 / (double)(TURNS * milliseconds), fixed / broken);
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[argc - 1] : "rates";
	int fixed = !strcmp(what, "fixed");

	if (argc > 2)
		milliseconds = atol(argv[1]);
	if (!strcmp(what, "rates")) {
		print_rates();
		return 0;
	}
	for (size_t i = 0; i < NR_PAIRS; i++) {
		printf("%s%s %s\n", pairs[i].name, fixed ? "_fixed" : "",
		       fixed ? "none" : pairs[i].how);
		run(fixed ? &pairs[i].fixed : &pairs[i].broken, false);
	}
	return 0;
}
