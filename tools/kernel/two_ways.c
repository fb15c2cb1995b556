// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two ways to read thread-local storage for a sample, under the same workloads:
 *
 *   at sample   PERF_SAMPLE_TLS_USER as the series has it: where the sample is taken, without faults
 *   at return   with attr.defer_tls: the sample has a cookie, and a later record the bytes
 *
 * Each workload knows which number its thread-local variable `id` had at each instant. A sample's
 * id is right, wrong, or missing; missing has three reasons: no window or no cookie (none), a page
 * that is not there (partial), a cookie without a record (lost).
 *
 * Prints "ok - " and "not ok - " lines, and one "# " line per workload and way. `two_ways cost`
 * prints what a sample costs.
 */
#define _GNU_SOURCE
#include "two_ways.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <asm/prctl.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WORK_NS	   600000000ull
#define STEP_NS	   300000ull
#define MAX_STEPS  4000
#define NR_THREADS 2

_Thread_local volatile uint64_t id;

/* When a thread gave its id the value of the index: begun and done. */
struct steps {
	uint32_t tid, nr;
	uint64_t begun[MAX_STEPS], done[MAX_STEPS];
};

static struct steps steps[NR_THREADS];
static volatile unsigned long sink;

uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static void step(struct steps *s)
{
	if (s->nr + 1 >= MAX_STEPS)
		return;
	s->begun[s->nr] = now();
	id = s->nr + 1;
	s->done[s->nr++] = now();
}

/* Is @value what the thread's id was at @time? Either side of a step that was under way is. */
static enum verdict by_steps(const struct sample *sample)
{
	for (unsigned int i = 0; i < NR_THREADS; i++) {
		const struct steps *s = &steps[i];
		uint32_t n = 0;

		if (s->tid != sample->tid)
			continue;
		while (n < s->nr && s->done[n] < sample->time)
			n++;
		if (sample->id == n ||
		    (n < s->nr && s->begun[n] <= sample->time && sample->id == n + 1))
			return sample->id ? RIGHT : UNSET;
		return WRONG;
	}
	return sample->id ? WRONG : UNSET;
}

static void compute(struct steps *s)
{
	for (uint64_t end = now() + WORK_NS, next = 0; now() < end;) {
		if (now() >= next) {
			step(s);
			next = now() + STEP_NS;
		}
		for (unsigned long i = 0; i < 2000; i++)
			sink += i;
	}
}

static void call_kernel(struct steps *s)
{
	static char buffer[1 << 22];
	int fd = open("/dev/zero", O_RDONLY);

	for (uint64_t end = now() + WORK_NS, next = 0; now() < end;) {
		if (now() >= next) {
			step(s);
			next = now() + STEP_NS;
		}
		if (read(fd, buffer, sizeof(buffer)) < 0)
			break;
	}
	close(fd);
}

static void (*thread_work)(struct steps *s);

static void *run_thread(void *arg)
{
	struct steps *s = arg;

	s->nr = 0;
	s->tid = (uint32_t)syscall(SYS_gettid);
	thread_work(s);
	return NULL;
}

static void run_threads(void (*work)(struct steps *s))
{
	pthread_t threads[NR_THREADS];

	thread_work = work;
	for (unsigned int i = 0; i < NR_THREADS; i++)
		pthread_create(&threads[i], NULL, run_thread, &steps[i]);
	for (unsigned int i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void computing_threads(void)
{
	run_threads(compute);
}

static void threads_in_system_calls(void)
{
	run_threads(call_kernel);
}

/* Everything has id 7, or 0 where the variable was not set: in a new program. */
#define CONSTANT 7u

static enum verdict by_constant(const struct sample *sample)
{
	return sample->id == CONSTANT ? RIGHT : sample->id ? WRONG : UNSET;
}

static void children_that_exit(void)
{
	id = CONSTANT;
	for (int i = 0; i < 150; i++) {
		pid_t child = fork();

		if (!child)
			_exit(0);
		waitpid(child, NULL, 0);
	}
	id = 0;
}

static void children_that_execute(void)
{
	id = CONSTANT;
	for (int i = 0; i < 60; i++) {
		pid_t child = fork();

		if (!child) {
			execl("/proc/self/exe", "two_ways", "nothing", NULL);
			_exit(1);
		}
		waitpid(child, NULL, 0);
	}
	id = 0;
}

/* Threads that sleep when the recording ends, sampled as they go to sleep. */
static int pipes[2];

static void *sleep_in_read(void *arg)
{
	char byte;

	(void)arg;
	id = CONSTANT;
	return read(pipes[0], &byte, 1) == 1 ? NULL : arg;
}

/* The kernel writes to the variable before it returns. */
static void *read_into_id(void *arg)
{
	id = CONSTANT;
	return read(pipes[0], (void *)&id, sizeof(id)) > 0 ? NULL : arg;
}

static pthread_t sleepers[8];
static void *(*sleeper)(void *);

static void fall_asleep(void)
{
	for (unsigned int i = 0; i < 8; i++)
		pthread_create(&sleepers[i], NULL, sleeper, NULL);
	usleep(100000);
}

static uint64_t woken; /* when what a sleeper had before begins to be another thing */

static void wake_sleepers(void)
{
	static const uint64_t other[8] = { 8, 8, 8, 8, 8, 8, 8, 8 };

	woken = now();
	if (write(pipes[1], other, sleeper == read_into_id ? 64 : 8) < 0)
		perror("two_ways: write");
	for (unsigned int i = 0; i < 8; i++)
		pthread_join(sleepers[i], NULL);
}

static enum verdict by_time(const struct sample *sample)
{
	if (sample->time >= woken && sample->id == 8)
		return RIGHT;
	return by_constant(sample);
}

static void sleeping_threads(void)
{
	sleeper = sleep_in_read;
	fall_asleep();
}

static void overwritten_variables(void)
{
	sleeper = read_into_id;
	fall_asleep();
	wake_sleepers();
}

/* A system call that leaves libc alone, which has no thread pointer of its own for a while. */
static long raw_call(long number, unsigned long a, unsigned long b, unsigned long c)
{
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c)
			 : "rcx", "r11", "memory");
	return result;
}

static void add_up(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		sink += i;
}

/* How often add_up(2000) can be called in WORK_NS. */
static unsigned long rounds_of_work(void)
{
	unsigned long rounds = 0;

	for (uint64_t end = now() + WORK_NS; now() < end; rounds++)
		add_up(2000);
	return rounds;
}

/*
 * The window is a page of a file in memory, which is mapped by itself: a fault of a page beside it
 * would map this one, too (fault-around). The file has the variable's value; nothing but the
 * kernel ever touches the mapping, and it is thrown out of the page table again and again. The
 * result is 0, or the negative error of a system call.
 */
static long spin_with_window(uintptr_t page, unsigned long rounds)
{
	const uintptr_t own = window_end();
	long error = raw_call(SYS_arch_prctl, ARCH_SET_FS, page + PAGE, 0);

	for (unsigned long i = 0; i < rounds && !error; i++) {
		if (i % 16 == 0)
			error = raw_call(SYS_madvise, page, PAGE, MADV_DONTNEED);
		add_up(2000);
	}
	raw_call(SYS_arch_prctl, ARCH_SET_FS, own, 0);
	return error;
}

static void absent_pages(void)
{
	const off_t place = (off_t)PAGE - (off_t)(window_end() - (uintptr_t)&id);
	const uint64_t value = CONSTANT;
	int fd = memfd_create("window", 0);
	void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	long error = -EIO;

	if (page != MAP_FAILED && ftruncate(fd, PAGE) == 0 &&
	    pwrite(fd, &value, sizeof(value), place) == (ssize_t)sizeof(value))
		error = spin_with_window((uintptr_t)page, rounds_of_work());
	if (error)
		printf("not ok - a page is thrown out: %s\n", strerror((int)-error));
	if (page != MAP_FAILED)
		munmap(page, PAGE);
	close(fd);
}

enum {
	COMPUTE,
	CALLS,
	SLEEP,
	OVERWRITE,
	ABSENT,
	EXIT,
	EXEC,
	NR_WORKLOADS,
};

static const struct workload {
	const char *name;
	void (*run)(void), (*after)(void);
	enum verdict (*judge)(const struct sample *sample);
	enum trigger trigger;
} workloads[NR_WORKLOADS] = {
	[COMPUTE] = { "threads that compute", computing_threads, NULL, by_steps, BY_TIME },
	[CALLS] = { "threads in system calls", threads_in_system_calls, NULL, by_steps, BY_TIME },
	[SLEEP] = { "threads that go to sleep, until after the end", sleeping_threads,
		    wake_sleepers, by_constant, AT_SWITCHES },
	[OVERWRITE] = { "a system call that writes to the variable", overwritten_variables, NULL,
			by_time, AT_SWITCHES },
	[ABSENT] = { "a page that is not in the page table", absent_pages, NULL, by_constant,
		     BY_TIME },
	[EXIT] = { "children that exit", children_that_exit, NULL, by_constant, BY_TIME },
	[EXEC] = { "children that execute a program", children_that_execute, NULL, by_constant,
		   BY_TIME },
};

static struct counts try_way(const struct workload *w, enum way way)
{
	struct counts c = { 0 };
	struct recording *r = recording_open(way, w->trigger, window_size());

	if (!r) {
		printf("not ok - %s, %s: %s\n", w->name, way_names[way], strerror(errno));
		return c;
	}
	w->run();
	recording_stop(r);
	if (w->after)
		w->after();
	recording_count(r, w->judge, &c);
	recording_free(r);
	printf("# %-46s %s: %5u samples (%4u in the kernel): %5u right, %3u wrong, %3u not set, "
	       "%3u none, %3u partial, %3u lost; %5u more records, %7llu bytes\n",
	       w->name, way_names[way], c.samples, c.kernel, c.right, c.wrong, c.unset, c.none,
	       c.partial, c.lost, c.records, (unsigned long long)c.bytes);
	return c;
}

static void expect(bool true_here, const char *name)
{
	printf("%s - %s\n", true_here ? "ok" : "not ok", name);
}

/* The thread that ends the recording can be hit before it has: its record is the one that may be lost. */
static bool have_ids(const struct counts *c)
{
	return c->right > 200 && !c->wrong && !c->partial && c->lost <= 1;
}

/* What the cover letter says of the two ways, held against what came out. */
static void expect_at_sample(const struct counts c[NR_WORKLOADS])
{
	expect(have_ids(&c[COMPUTE]), "at sample: threads that compute have their ids");
	expect(have_ids(&c[CALLS]), "at sample: so have threads in system calls");
	expect(c[SLEEP].right >= 8 && !c[SLEEP].lost,
	       "at sample: threads that sleep at the end have their ids");
	expect(c[OVERWRITE].right >= 8 && !c[OVERWRITE].wrong,
	       "at sample: the id is that before the system call wrote to it");
	expect(c[ABSENT].partial > 200 && !c[ABSENT].right && !c[ABSENT].wrong,
	       "at sample: an absent page has no id");
	expect(!c[EXIT].wrong && !c[EXEC].wrong,
	       "at sample: children that exit or execute have no wrong id");
}

static void expect_at_return(const struct counts c[NR_WORKLOADS])
{
	expect(have_ids(&c[COMPUTE]), "at return: threads that compute have their ids");
	expect(have_ids(&c[CALLS]), "at return: so have threads in system calls");
	expect(c[SLEEP].lost >= 8, "at return: threads that sleep at the end have none");
	expect(c[OVERWRITE].wrong >= 8, "at return: the id is what the system call wrote");
	expect(have_ids(&c[ABSENT]), "at return: an absent page is brought in and has its id");
	expect(!c[EXIT].wrong, "at return: children that exit have no wrong id");
}

static void compare_ways(void)
{
	struct counts c[2][NR_WORKLOADS];

	for (unsigned int i = 0; i < NR_WORKLOADS; i++)
		for (enum way way = AT_SAMPLE; way <= AT_RETURN; way++)
			c[way][i] = try_way(&workloads[i], way);
	expect_at_sample(c[AT_SAMPLE]);
	expect_at_return(c[AT_RETURN]);
}

static void *count_costs(void *arg)
{
	print_costs();
	return arg;
}

/* In a thread of its own: below its variables lies its stack, which the greatest window needs. */
static void costs(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, count_costs, NULL) == 0)
		pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "compare";

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!strcmp(what, "nothing"))
		return 0;
	if (pipe(pipes))
		return 1;
	if (!strcmp(what, "cost"))
		costs();
	else
		compare_ways();
	return 0;
}
