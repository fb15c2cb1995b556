// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lines [MS [speeds]]: pairs of threads that share cache lines in known ways, one pair after the other, each until both
 * have had so many milliseconds of CPU time. Every pair has a type of its own. Prints a line for each: "TYPE HOW", where HOW is same, members,
 * neighbours, other or none; with `speeds`, also how often a thread did its work in a microsecond of CPU time.
 * Compiled with -DMENDED, what false sharing there is has lines of its own.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Functions with the same code stay apart: each has types of its own. */
#if defined(__GNUC__) && !defined(__clang__)
#define NO_ICF __attribute__((no_icf, noinline))
#else
#define NO_ICF __attribute__((noinline))
#endif

#define LINE	__attribute__((aligned(64)))
#define ADD(x)	__atomic_fetch_add(&(x), 1, __ATOMIC_RELAXED)
#define READ(x) (void)__atomic_load_n(&(x), __ATOMIC_RELAXED)

/* What the mended program has on a line of its own. */
#ifdef MENDED
#define APART LINE
#else
#define APART
#endif

static volatile int stop LINE;

/* A thread's loop over an object of the type. The result is how often it went round. */
#define LOOP(function, type, work)                                                                 \
	NO_ICF static long function(void *arg)                                                     \
	{                                                                                          \
		struct type *p = arg;                                                              \
		long rounds = 0;                                                                   \
		for (; !stop; rounds++)                                                            \
			work;                                                                      \
		return rounds;                                                                     \
	}

#define PAIR(type, first, second)                                                                  \
	LOOP(type##_first, type, first)                                                            \
	LOOP(type##_second, type, second)

/* Different members of one object. */
struct counters {
	long hits, misses APART;
};
PAIR(counters, ADD(p->hits), ADD(p->misses))
struct small {
	char tag[8];
	short a, b APART;
};
PAIR(small, ADD(p->a), ADD(p->b))
struct guarded { /* a lock beside its data */
	int lock;
	long data[4] APART;
};
PAIR(
	guarded,
	{
		__atomic_exchange_n(&p->lock, 1, __ATOMIC_ACQUIRE);
		__atomic_store_n(&p->lock, 0, __ATOMIC_RELEASE);
	},
	ADD(p->data[1]))
struct queue {
	unsigned long head, tail APART;
	void *ring[32];
};
PAIR(queue, ADD(p->head), ADD(p->tail))
struct mostly_read { /* a setting that all read beside a counter */
	long setting, used APART;
};
PAIR(mostly_read, READ(p->setting), ADD(p->used))
struct on_stack { /* of the main thread, given to both */
	long one, two APART;
};
PAIR(on_stack, ADD(p->one), ADD(p->two))
struct on_heap {
	long one, two APART;
};
PAIR(on_heap, ADD(p->one), ADD(p->two))
struct outer {
	struct inner {
		long x;
	} left, right APART;
};
PAIR(outer, ADD(p->left.x), ADD(p->right.x))

/* The same bytes. */
struct shared_counter {
	long value;
};
PAIR(shared_counter, ADD(p->value), ADD(p->value))
struct spinlock {
	int word;
};
PAIR(spinlock, __atomic_exchange_n(&p->word, 1, __ATOMIC_ACQUIRE),
     __atomic_store_n(&p->word, 0, __ATOMIC_RELEASE))
struct flagged {
	long flag;
};
PAIR(flagged, ADD(p->flag), READ(p->flag))
struct counted {
	long refs;
	char name[24];
};
PAIR(counted, __atomic_fetch_add(&p->refs, 1, __ATOMIC_ACQ_REL),
     __atomic_fetch_sub(&p->refs, 1, __ATOMIC_ACQ_REL))

/* Elements of an array. */
struct slot {
	long sum APART;
};
PAIR(slot, ADD(p->sum), ADD(p->sum))
struct slot_of_heap {
	int sum APART, max;
};
PAIR(slot_of_heap, ADD(p->sum), ADD(p->sum))

/* Two types on one line. */
struct left_type {
	long n APART;
};
struct right_type {
	long n APART;
};
static struct {
	struct left_type left;
	struct right_type right;
} both LINE;
LOOP(left_type_first, left_type, ADD(p->n))
LOOP(right_type_second, right_type, ADD(p->n))

/* Two processes, which map a file at different addresses. */
struct between {
	long mine, theirs APART;
};
struct mapped {
	struct between between;
	volatile int stop LINE;
};
LOOP(between_first, between, ADD(p->mine))
NO_ICF static void between_second(struct between *p, const volatile int *stop_of_both)
{
	while (!*stop_of_both)
		ADD(p->theirs);
}

/* No sharing. */
struct padded { /* counters, mended */
	long hits LINE, misses LINE;
};
PAIR(padded, ADD(p->hits), ADD(p->misses))
struct padded_slot {
	long sum LINE;
};
PAIR(padded_slot, ADD(p->sum), ADD(p->sum))
struct constant { /* both only read */
	long a, b;
};
PAIR(constant, READ(p->a), READ(p->b))
struct filled { /* written before the threads start */
	long a, b;
};
PAIR(filled, READ(p->a), READ(p->b))
struct by_turns { /* the second thread starts when the first has ended */
	long a, b;
};
PAIR(by_turns, ADD(p->a), ADD(p->b))
struct own_copy { /* each thread has its own */
	long n;
};
static __thread struct own_copy own;
NO_ICF static long own_copy_both(void *unused)
{
	struct own_copy *p = &own;
	long rounds = 0;

	(void)unused;
	for (; !stop; rounds++)
		ADD(p->n);
	return rounds;
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

/* A thread, and how fast it was. */
struct running {
	pthread_t thread;
	long (*work)(void *object);
	void *object;
	long rounds;
	struct timespec ran;
};

static void *work(void *arg)
{
	struct running *r = arg;

	r->rounds = r->work(r->object);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &r->ran);
	return NULL;
}

static void start(struct running *r, long (*function)(void *), void *object)
{
	r->work = function;
	r->object = object;
	if (pthread_create(&r->thread, NULL, work, r))
		exit(1);
}

static void end(struct running *r)
{
	stop = 1;
	pthread_join(r->thread, NULL);
}

static double speed_of(const struct running *r)
{
	return (double)r->rounds / ((double)r->ran.tv_sec * 1e6 + (double)r->ran.tv_nsec / 1e3);
}

static bool says_speeds;

static void say_speed(double speed)
{
	if (says_speeds)
		printf(" %.1f", speed);
	putchar('\n');
}

static void both_at_once(long (*first)(void *), void *a, long (*second)(void *), void *b)
{
	struct running one, two;

	stop = 0;
	start(&one, first, a);
	start(&two, second, b);
	wait_for_thread(one.thread);
	wait_for_thread(two.thread);
	end(&one);
	end(&two);
	say_speed((speed_of(&one) + speed_of(&two)) / 2);
}

static void by_itself(long (*function)(void *), void *object)
{
	struct running one;

	stop = 0;
	start(&one, function, object);
	wait_for_thread(one.thread);
	end(&one);
}

static struct mapped *map(int fd)
{
	void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (memory == MAP_FAILED)
		exit(1);
	return memory;
}

static void between_processes(void)
{
	int fd = memfd_create("between", 0);
	struct mapped *mapped;
	struct running one;
	clockid_t clock;
	pid_t child;

	if (fd < 0 || ftruncate(fd, 4096))
		exit(1);
	mapped = map(fd);
	fflush(stdout);
	child = fork();
	if (child < 0)
		exit(1);
	if (!child) {
		struct mapped *again = map(fd);

		between_second(&again->between, &again->stop);
		_exit(0);
	}
	stop = 0;
	start(&one, between_first, &mapped->between);
	wait_for_thread(one.thread);
	if (!clock_getcpuclockid(child, &clock))
		wait_for(clock);
	mapped->stop = 1;
	end(&one);
	say_speed(speed_of(&one));
	waitpid(child, NULL, 0);
	munmap(mapped, 4096);
	close(fd);
}

#define RUN_TWO(name, how, first, a, second, b)                                                    \
	do {                                                                                       \
		printf("%s %s", name, how);                                                        \
		both_at_once(first, a, second, b);                                                 \
	} while (0)
#define RUN(type, how, object) RUN_TWO(#type, how, type##_first, object, type##_second, object)

static void *heap(size_t size)
{
	void *memory = aligned_alloc(64, (size + 63) / 64 * 64);

	if (!memory)
		exit(1);
	return memset(memory, 0, size);
}

int main(int argc, char **argv)
{
	static struct counters counters LINE;
	static struct small small LINE;
	static struct guarded guarded LINE;
	static struct queue queue LINE;
	static struct mostly_read mostly_read LINE;
	static struct outer outer LINE;
	static struct shared_counter shared_counter LINE;
	static struct spinlock spinlock LINE;
	static struct flagged flagged LINE;
	static struct counted counted LINE;
	static struct slot slots[8] LINE;
	static struct padded padded LINE;
	static struct padded_slot padded_slots[2];
	static struct constant constant LINE;
	static struct filled filled LINE;
	static struct by_turns by_turns LINE;
	struct on_stack on_stack LINE = { 0, 0 };
	struct on_heap *on_heap = heap(sizeof(*on_heap));
	struct slot_of_heap *of_heap = heap(8 * sizeof(*of_heap));

	milliseconds = argc > 1 ? atol(argv[1]) : milliseconds;
	says_speeds = argc > 2 && !strcmp(argv[2], "speeds");
	RUN(counters, "members", &counters);
	RUN(small, "members", &small);
	RUN(guarded, "members", &guarded);
	RUN(queue, "members", &queue);
	RUN(mostly_read, "members", &mostly_read);
	RUN(on_stack, "members", &on_stack);
	RUN(on_heap, "members", on_heap);
	RUN(outer, "members", &outer);
	RUN(shared_counter, "same", &shared_counter);
	RUN(spinlock, "same", &spinlock);
	RUN(flagged, "same", &flagged);
	RUN(counted, "same", &counted);
	RUN_TWO("slot", "neighbours", slot_first, &slots[2], slot_second, &slots[3]);
	RUN_TWO("slot_of_heap", "neighbours", slot_of_heap_first, &of_heap[4], slot_of_heap_second,
		&of_heap[5]);
	RUN_TWO("left_type other\nright_type", "other", left_type_first, &both.left,
		right_type_second, &both.right);
	printf("between members");
	between_processes();
	RUN(padded, "none", &padded);
	RUN_TWO("padded_slot", "none", padded_slot_first, &padded_slots[0], padded_slot_second,
		&padded_slots[1]);
	RUN_TWO("own_copy", "none", own_copy_both, NULL, own_copy_both, NULL);
	RUN(constant, "none", &constant);
	for (long i = 0; i < 20000000; i++)
		ADD(filled.a);
	RUN_TWO("filled", "none", filled_first, &filled, filled_second, &filled);
	printf("by_turns none\n");
	by_itself(by_turns_first, &by_turns);
	by_itself(by_turns_second, &by_turns);
	return 0;
}
