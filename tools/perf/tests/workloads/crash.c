// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A server that handles some requests and then crashes. The first argument is the kind of crash, the second one the CPU
 * time before it in milliseconds.
 *
 *   crash segv|abort|thread|handler|exit|oom|none [MS [FILE]]      one process; with FILE, crashes when FILE exists
 *   crash calm [MS]                                         no crash; works for a quarter of the time, and sleeps for the rest
 *   crash overflow|signalstack [MS]                         a thread's stack overflows; then its handler, which has a
 *                                                           stack of its own, aborts
 *   crash child [MS]                                        a child crashes, and the parent exits with 0
 *   crash forks N [MS]                                      N children one after the other; each works and ends
 *   crash herd N [MS]                                       N children at the same time
 *   crash threads N                                         N threads one after the other
 *   crash exec MS PROGRAM...                                works, then executes it
 *   crash library FILE MS                                   loads the library, and works in its function plugin_work(long)
 *
 * The request that crashes has trace id 4bf92f3577b34da6a3ce929d0e0e4736 and span id 00f067aa0ba902b7.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "activity/activity.h"

static const unsigned char trace_id[16] = { 0x4b, 0xf9, 0x2f, 0x35, 0x77, 0xb3, 0x4d, 0xa6,
					    0xa3, 0xce, 0x92, 0x9d, 0x0e, 0x0e, 0x47, 0x36 };
static const unsigned char fine_span[8] = { 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11 };
static const unsigned char bad_span[8] = { 0x00, 0xf0, 0x67, 0xaa, 0x0b, 0xa9, 0x02, 0xb7 };

/* CPU time of the thread: so it gets the same number of samples on a busy machine. */
static long milliseconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static volatile unsigned long sum;
static int *volatile nowhere;

/* Uses CPU time. All callers have frame pointers. */
static __attribute__((noinline, noclone, optimize("no-omit-frame-pointer"))) void work(long ms)
{
	long end = milliseconds() + ms;

	while (milliseconds() < end)
		for (int i = 0; i < 10000; i++)
			sum += (unsigned long)i * sum + 1;
}

static __attribute__((noinline, noclone, optimize("no-omit-frame-pointer"))) void parse_order(void)
{
	*nowhere = (int)sum;
	sum++;
}

static __attribute__((noinline, noclone, optimize("no-omit-frame-pointer"))) void
serve_order(long ms)
{
	activity_set(trace_id, bad_span);
	work(ms);
	parse_order();
	activity_clear();
}

static void *serve_in_thread(void *arg)
{
	serve_order(*(long *)arg);
	return NULL;
}

static void on_signal(int number __attribute__((unused)))
{
	parse_order();
}

static volatile long depth;

/* No frame pointer: only call-frame information leads to its callers. Its frame reaches into the guard page. */
static __attribute__((noinline, noclone, optimize("omit-frame-pointer"))) long descend(long n)
{
	volatile char room[1500];

	room[n % 1000] = (char)n;
	if (n < 1000000)
		depth = descend(n + 1) + room[n % 1000];
	return depth;
}

static void *overflow(void *handles)
{
	static char own[65536];
	stack_t stack = { .ss_sp = own, .ss_size = sizeof(own) };

	if (handles)
		sigaltstack(&stack, NULL);
	descend(0);
	return NULL;
}

static void give_up(int number __attribute__((unused)))
{
	abort();
}

static void overflow_in_thread(bool handles)
{
	const struct sigaction action = { .sa_handler = give_up, .sa_flags = SA_ONSTACK };
	pthread_attr_t attr;
	pthread_t thread;

	if (handles)
		sigaction(SIGSEGV, &action, NULL);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 16384);
	if (!pthread_create(&thread, &attr, overflow, handles ? &thread : NULL))
		pthread_join(thread, NULL);
}

static void crash_in_child(long ms)
{
	pid_t child = fork();

	if (!child) {
		serve_order(ms);
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

static void eat(void)
{
	for (;;) {
		char *more = mmap(NULL, 16 << 20, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (more != MAP_FAILED)
			memset(more, 1, 16 << 20);
	}
}

static int forks(int n, long ms)
{
	for (int i = 0; i < n; i++) {
		pid_t child = fork();

		if (!child) {
			work(ms);
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
	return 0;
}

static int herd(int n, long ms)
{
	int all_there[2];
	char none;

	if (pipe(all_there))
		return 1;
	for (int i = 0; i < n; i++) {
		if (fork())
			continue;
		close(all_there[1]);
		work(1);
		if (read(all_there[0], &none, 1)) /* waits until the parent closes its end */
			_exit(1);
		work(1);
		_exit(0);
	}
	usleep((useconds_t)ms * 1000);
	close(all_there[1]);
	while (wait(NULL) > 0)
		;
	return 0;
}

static void *do_nothing(void *arg)
{
	return arg;
}

static int threads(int n)
{
	pthread_t thread;

	for (int i = 0; i < n; i++)
		if (!pthread_create(&thread, NULL, do_nothing, NULL))
			pthread_join(thread, NULL);
	return 0;
}

static int use_library(const char *file, long ms)
{
	void *library = dlopen(file, RTLD_NOW);
	void (*plugin_work)(long) = library ? dlsym(library, "plugin_work") : NULL; /* NOLINT */

	if (!plugin_work)
		return 127;
	plugin_work(ms);
	work(ms);
	return 0;
}

/* For tests that need a program that goes on while they look: it leaves the CPU to others. */
static int calmly(long ms)
{
	long end = milliseconds() + ms;

	while (milliseconds() < end) {
		work(2);
		usleep(6000);
	}
	return 0;
}

static int end_badly(const char *how, long ms)
{
	pthread_t thread;

	activity_set(trace_id, fine_span);
	work(ms);
	activity_clear();
	if (!strcmp(how, "segv"))
		serve_order(ms);
	if (!strcmp(how, "thread") && !pthread_create(&thread, NULL, serve_in_thread, &ms))
		pthread_join(thread, NULL);
	if (!strcmp(how, "handler")) {
		signal(SIGUSR1, on_signal);
		raise(SIGUSR1);
	}
	if (!strcmp(how, "overflow") || !strcmp(how, "signalstack"))
		overflow_in_thread(!strcmp(how, "signalstack"));
	if (!strcmp(how, "child"))
		crash_in_child(ms);
	if (!strcmp(how, "abort"))
		abort();
	if (!strcmp(how, "oom"))
		eat();
	return strcmp(how, "exit") ? 0 : 3;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "segv";
	long ms = argc > 2 ? atol(argv[2]) : 300;
	const char *file = argc > 3 ? argv[3] : NULL;

	if (!strcmp(how, "forks"))
		return forks((int)ms, argc > 3 ? atol(argv[3]) : 1);
	if (!strcmp(how, "herd"))
		return herd((int)ms, argc > 3 ? atol(argv[3]) : 300);
	if (!strcmp(how, "threads"))
		return threads((int)ms);
	if (!strcmp(how, "library") && argc > 3)
		return use_library(argv[2], atol(argv[3]));
	if (!strcmp(how, "exec") && argc > 3) {
		work(ms);
		execvp(argv[3], argv + 3);
		return 127;
	}
	if (!strcmp(how, "calm"))
		return calmly(ms);
	while (file && access(file, F_OK) != 0)
		work(5);
	return end_badly(how, ms);
}
