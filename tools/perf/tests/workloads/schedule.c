// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Threads that work for activities by a schedule, and log each change:
 *
 *   schedule MODE THREADS SECONDS STEP_US LOG
 *
 * SECONDS is the run time if all CPUs are free. Each thread works until it has used its share of CPU time. So on a busy
 * machine the program runs longer, but there are as many samples.
 *
 * Each thread cycles through its classes of activity. Each class has a share of the work, and a new id each time. Class 0
 * means no activity. MODE:
 *
 *   busy		computes
 *   syscall, futex, fault	uses CPU time in the kernel: by reads, futexes, page faults
 *   fork, exec		as busy, in this process and in a child process, which forks only or also executes the program
 *   exit		as busy, in threads of 20 ms each
 *   hop		jobs that move between threads: any thread continues them
 *   fibers		several stacks per thread, which it switches between (if libc supports this)
 *   signals		as busy; a signal handler has its own activity, and then restores the interrupted one
 *   half		as busy; the last part of each class runs with an incomplete update
 *   late		as busy, but starts half a second after the process; a library is opened meanwhile
 *
 * Publishes by libactivity. With PUBLISHER defined, by the functions of ../matrix/publish.c: linked into the program, or
 * from the library PUBLISHER_DLOPEN, opened at run time.
 *
 * LOG gets a struct schedule_change per change. Standard output gets "CLASS NANOSECONDS": the
 * CPU time that was spent for each class, children included.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <ucontext.h>
#endif

#ifdef PUBLISHER
#include "../matrix/publish.h"
#else
#include "activity/activity.h"
#endif
#include "schedule.h"

static const unsigned int weight[SCHEDULE_CLASSES] = { 1, 6, 3, 8, 2 };

struct worker {
	pthread_t thread;
	void (*compute)(unsigned long units);
	void (*way)(struct worker *); /* how the thread spends its time, see work() */
	double seconds;
	uint32_t tid;
	unsigned long step; /* units of work per weight */
	uint64_t cpu_ns[SCHEDULE_CLASSES], cpu_then;
	struct schedule_change *changes;
	size_t nr, room;
	volatile bool changing; /* a signal handler must not write to the log */
};

/* A piece of work: its owner and progress. */
struct job {
	uint32_t owner;
	uint64_t number;
	uint32_t class;
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

__attribute__((noinline)) static void wait_and_wake(unsigned long units)
{
	enum { FUTEX_WAIT_PRIVATE = 128, FUTEX_WAKE_PRIVATE = 129 };
	int word = 1;

	for (unsigned long i = 0; i < units; i += 400) {
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL,
			0); /* returns at once: word is not 0 */
		syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	}
}

__attribute__((noinline)) static void fault(unsigned long units)
{
	const size_t size = 64 << 12;

	for (unsigned long i = 0; i < units; i += 40000) {
		char *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				   -1, 0);

		for (size_t at = 0; pages != MAP_FAILED && at < size; at += 4096)
			pages[at] = 1;
		munmap(pages, size);
	}
}

#ifdef PUBLISHER_DLOPEN
static void (*publish)(const void *trace, const void *span);
static void (*publish_half)(const void *trace, const void *span);

static void open_publisher(void)
{
	void *library = dlopen(PUBLISHER_DLOPEN, RTLD_NOW);

	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	publish = (void (*)(const void *, const void *))dlsym(library, "publish");
	publish_half = (void (*)(const void *, const void *))dlsym(library, "publish_half");
}
#else
static void open_publisher(void)
{
}
#ifndef PUBLISHER
static void publish(const void *trace, const void *span)
{
	if (trace)
		activity_set(trace, span);
	else
		activity_clear();
}

/* As far as the mark: the first half of each change. */
static void publish_half(const void *trace, const void *span)
{
	activity_set(trace, span);
	ACTIVITY_MARK;
}
#endif
#endif

/* Publishes after an update that was left incomplete: ends that state first. */
static void publish_anew(const void *trace, const void *span)
{
#ifndef PUBLISHER
	static const struct activity_context none;

	activity_restore(&none);
#endif
	publish(trace, span);
}

static struct schedule_change *begin_change(struct worker *w, const struct job *job, uint32_t class)
{
	struct schedule_change *c;

	if (w->nr == w->room) {
		w->room = w->room ? 2 * w->room : 1 << 12;
		w->changes = realloc(w->changes, w->room * sizeof(*w->changes));
		if (!w->changes)
			abort();
	}
	c = &w->changes[w->nr++];
	*c = (struct schedule_change){ (uint32_t)getpid(), w->tid, class, job->owner,
				       job->number,	   0,	   0 };
	c->before_ns = now(CLOCK_MONOTONIC);
	return c;
}

static void change(struct worker *w, const struct job *job)
{
	struct schedule_trace trace = { job->owner, job->class, job->number };
	uint64_t span = schedule_span(&trace);
	struct schedule_change *c;

	w->changing = true;
	c = begin_change(w, job, job->class);
	publish(job->class ? &trace : NULL, &span);
	c->after_ns = now(CLOCK_MONOTONIC);
	w->changing = false;
}

/* Adds the CPU time since the last call to @class. */
static void account(struct worker *w, uint32_t class)
{
	uint64_t then = now(CLOCK_THREAD_CPUTIME_ID);

	w->cpu_ns[class] += then - w->cpu_then;
	w->cpu_then = then;
}

/* By the thread's own clock. */
static uint64_t end_of(const struct worker *w)
{
	return now(CLOCK_THREAD_CPUTIME_ID) + (uint64_t)(w->seconds * 1e9);
}

static void go_round(struct worker *w)
{
	struct job job = { .owner = w->tid };
	uint64_t end = end_of(w);

	while (now(CLOCK_THREAD_CPUTIME_ID) < end) {
		for (job.class = 0; job.class < SCHEDULE_CLASSES; job.class ++) {
			job.number++;
			change(w, &job);
			w->compute(w->step * weight[job.class]);
			account(w, job.class);
		}
	}
	job.number++;
	job.class = 0;
	change(w, &job);
}

static void leave_half(struct worker *w, struct job *job)
{
	struct schedule_trace trace = { job->owner, job->class, ++job->number };
	uint64_t span = schedule_span(&trace);
	struct schedule_change *c = begin_change(w, job, SCHEDULE_HALF);

	publish_half(&trace, &span);
	c->after_ns = now(CLOCK_MONOTONIC);
	w->compute(w->step);
	c = begin_change(w, job, job->class);
	c->number = trace.number;
	publish_anew(&trace, &span);
	c->after_ns = now(CLOCK_MONOTONIC);
	w->compute(w->step);
}

static void go_half(struct worker *w)
{
	struct job job = { .owner = w->tid };
	uint64_t end = end_of(w);

	while (now(CLOCK_THREAD_CPUTIME_ID) < end) {
		for (job.class = 0; job.class < SCHEDULE_CLASSES; job.class ++) {
			job.number++;
			change(w, &job);
			w->compute(w->step);
			if (job.class)
				leave_half(w, &job);
			account(w, job.class);
		}
	}
	job.number++;
	job.class = 0;
	change(w, &job);
}

/* Jobs that move between the threads. */
static struct {
	pthread_mutex_t lock;
	struct job jobs[64];
	unsigned int nr;
} queue = { .lock = PTHREAD_MUTEX_INITIALIZER };

static struct job take_job(void)
{
	static uint32_t next_owner = 0x10000000;
	struct job job;

	pthread_mutex_lock(&queue.lock);
	if (queue.nr < sizeof(queue.jobs) / sizeof(queue.jobs[0]) / 2) {
		job = (struct job){ .owner = next_owner++ };
	} else {
		job = queue.jobs[0];
		memmove(queue.jobs, queue.jobs + 1, --queue.nr * sizeof(job));
	}
	pthread_mutex_unlock(&queue.lock);
	return job;
}

static void give_job(const struct job *job)
{
	pthread_mutex_lock(&queue.lock);
	if (queue.nr < sizeof(queue.jobs) / sizeof(queue.jobs[0]))
		queue.jobs[queue.nr++] = *job;
	pthread_mutex_unlock(&queue.lock);
}

static void hop(struct worker *w)
{
	struct job none = { .owner = w->tid };
	uint64_t end = end_of(w);

	while (now(CLOCK_THREAD_CPUTIME_ID) < end) {
		struct job job = take_job();

		job.class = (uint32_t)(job.number % (SCHEDULE_CLASSES - 1)) + 1;
		job.number++;
		change(w, &job);
		w->compute(w->step * weight[job.class]);
		account(w, job.class);
		none.number++;
		change(w, &none);
		give_job(&job);
	}
}

#ifdef __GLIBC__
#define FIBERS 4

struct fiber {
	ucontext_t at;
	struct job job;
	char stack[65536];
};

struct fibers {
	struct worker *worker;
	struct fiber *fiber;
	ucontext_t out;
	uint64_t end;
	unsigned int now;
};

/* A pointer: large thread-local data would move a library's record away from the thread pointer. */
static __thread struct fibers *fibers;

/* Switches to the next fiber of the thread. A fiber never changes its thread. */
static void switch_fiber(struct fibers *f)
{
	struct fiber *from = &f->fiber[f->now], *to;

	f->now = (f->now + 1) % FIBERS;
	to = &f->fiber[f->now];
	swapcontext(&from->at, &to->at);
	/* This fiber runs again: restores its activity with the old id. */
	change(f->worker, &from->job);
}

static void run_fiber(void)
{
	struct fibers *f = fibers;
	struct worker *w = f->worker;
	struct job *job = &f->fiber[f->now].job;

	while (now(CLOCK_THREAD_CPUTIME_ID) < f->end) {
		job->class = (uint32_t)(job->number % SCHEDULE_CLASSES);
		job->number++;
		change(w, job);
		w->compute(w->step * weight[job->class]);
		switch_fiber(f);
		w->compute(w->step * weight[job->class]);
		account(w, job->class);
	}
	setcontext(&f->out);
}

static void go_fibers(struct worker *w)
{
	struct fibers *f = calloc(1, sizeof(*f));
	struct job none = { .owner = w->tid };

	fibers = f;
	f->worker = w;
	f->end = end_of(w);
	f->fiber = calloc(FIBERS, sizeof(*f->fiber));
	for (unsigned int i = 0; i < FIBERS; i++) {
		struct fiber *fiber = &f->fiber[i];

		getcontext(&fiber->at);
		fiber->at.uc_stack.ss_sp = fiber->stack;
		fiber->at.uc_stack.ss_size = sizeof(fiber->stack);
		fiber->job.owner = 0x20000000 + w->tid * FIBERS + i;
		makecontext(&fiber->at, run_fiber, 0);
	}
	swapcontext(&f->out, &f->fiber[0].at);
	change(w, &none);
	free(f->fiber);
	free(f);
}
#else
static void go_fibers(struct worker *w)
{
	go_round(w);
}
#endif

static __thread struct worker *signalled;
static __thread struct job handlers_job;

/* The activity of the interrupted thread is the last one in its log. */
static void on_signal(int signal)
{
	struct worker *w = signalled;
	struct schedule_change before;
	struct job back;

	(void)signal;
	/* The log must not be reallocated while the interrupted code writes to it. */
	if (!w || w->changing || w->nr + 2 > w->room || !w->nr)
		return;
	before = w->changes[w->nr - 1];
	handlers_job.class = (uint32_t)(handlers_job.number % (SCHEDULE_CLASSES - 1)) + 1;
	handlers_job.number++;
	change(w, &handlers_job);
	compute(w->step);
	back = (struct job){ before.owner, before.number, before.class };
	change(w, &back);
}

static void go_signals(struct worker *w)
{
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN };
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	struct itimerspec each = { { 0, 313000 }, { 0, 313000 } };
	timer_t timer;

#ifdef sigev_notify_thread_id
	event.sigev_notify_thread_id = (int)w->tid;
#else
	event._sigev_un._tid = (int)w->tid;
#endif
	sigaction(SIGRTMIN, &action, NULL);
	handlers_job.owner = 0x40000000 + w->tid;
	signalled = w;
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) || timer_settime(timer, 0, &each, NULL))
		abort();
	go_round(w);
	timer_delete(timer);
	signalled = NULL;
}

static void *work(void *arg)
{
	struct worker *w = arg;

	w->tid = (uint32_t)syscall(SYS_gettid);
	w->cpu_then = now(CLOCK_THREAD_CPUTIME_ID);
	w->way(w);
	return NULL;
}

/* Number of work units that take @us microseconds on a free CPU. */
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

/* Writes a worker's changes at once: other processes append to the log, too. */
static void write_all(const void *bytes, size_t size)
{
	if (size && write(log_fd, bytes, size) != (ssize_t)size)
		abort();
}

static void log_worker(struct worker *w, uint64_t cpu_ns[SCHEDULE_CLASSES])
{
	write_all(w->changes, w->nr * sizeof(*w->changes));
	for (unsigned int c = 0; c < SCHEDULE_CLASSES; c++)
		cpu_ns[c] += w->cpu_ns[c];
	free(w->changes);
}

static void run_workers(const struct worker *like, unsigned int nr, bool here,
			uint64_t cpu_ns[SCHEDULE_CLASSES])
{
	struct worker *workers = calloc(nr, sizeof(*workers));

	for (unsigned int i = 0; i < nr; i++) {
		workers[i] = *like;
		if ((i || !here) && pthread_create(&workers[i].thread, NULL, work, &workers[i]))
			abort();
	}
	if (here)
		work(&workers[0]);
	for (unsigned int i = 0; i < nr; i++) {
		if (i || !here)
			pthread_join(workers[i].thread, NULL);
		log_worker(&workers[i], cpu_ns);
	}
	free(workers);
}

static void run(const struct worker *like, unsigned int nr, bool exits)
{
	uint64_t cpu_ns[SCHEDULE_CLASSES] = { 0 };
	struct worker brief = *like;

	brief.seconds = 0.02;
	if (!exits)
		run_workers(like, nr, true, cpu_ns);
	for (double done = 0; exits && done < like->seconds; done += brief.seconds)
		run_workers(&brief, nr, false, cpu_ns);
	for (unsigned int c = 0; c < SCHEDULE_CLASSES; c++)
		printf("%u %llu\n", c, (unsigned long long)cpu_ns[c]);
	fflush(stdout);
}

static const struct mode {
	const char *name;
	void (*way)(struct worker *);
	void (*compute)(unsigned long);
} modes[] = {
	{ "busy", go_round, compute },	      { "syscall", go_round, let_kernel_compute },
	{ "futex", go_round, wait_and_wake }, { "fault", go_round, fault },
	{ "fork", go_round, compute },	      { "exec", go_round, compute },
	{ "exit", go_round, compute },	      { "hop", hop, compute },
	{ "fibers", go_fibers, compute },     { "signals", go_signals, compute },
	{ "half", go_half, compute },	      { "late", go_round, compute },
};

static const struct mode *find_mode(const char *name)
{
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (strcmp(modes[i].name, name) == 0)
			return &modes[i];
	}
	fprintf(stderr, "%s is none of the modes\n", name);
	exit(1);
}

/* Share of one CPU for each of @threads threads. */
static double share_of_cpus(double threads)
{
	double cpus = (double)sysconf(_SC_NPROCESSORS_ONLN);

	return threads > cpus ? cpus / threads : 1;
}

int main(int argc, char **argv)
{
	const struct mode *mode;
	struct worker like = { 0 };
	pid_t child = -1;

	if (argc != 6) {
		fprintf(stderr, "usage: schedule MODE THREADS SECONDS STEP_US LOG\n");
		return 1;
	}
	mode = find_mode(argv[1]);
	if (strcmp(argv[1], "late") == 0)
		usleep(500000);
	open_publisher();
	like.way = mode->way;
	like.compute = mode->compute;
	like.seconds = atof(argv[3]) * share_of_cpus(atof(argv[2]));
	like.step = calibrate(strtoul(argv[4], NULL, 0)) / 20;
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
	run(&like, (unsigned int)atoi(argv[2]), strcmp(argv[1], "exit") == 0);
	if (child > 0)
		waitpid(child, NULL, 0);
	return 0;
}
