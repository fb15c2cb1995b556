// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Many threads that do little, to measure the cost of perf record --wall:
 *
 *   throng SLEEPERS TICKERS HZ BUSY SECONDS
 *
 * Sleepers wait in futex, read, poll, recv and clock_nanosleep, in turns. A ticker runs for 20 us HZ times a second. Busy threads
 * are on a CPU or wait for one. With SECONDS 0 it runs until it is killed. Prints "ready" when all threads run.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int pipe_fds[2], sockets[2];
static long interval_ns;

static void nap_ns(long ns)
{
	struct timespec t = { ns / 1000000000, ns % 1000000000 };

	clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
}

static void *sleeper(void *arg)
{
	static int word;
	struct pollfd p = { pipe_fds[0], POLLIN, 0 };
	char byte;

	for (;;)
		switch ((uintptr_t)arg % 5) {
		case 0:
			syscall(SYS_futex, &word, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 0, NULL, NULL,
				0);
			break;
		case 1:
			if (read(pipe_fds[0], &byte, 1) < 0)
				return NULL;
			break;
		case 2:
			poll(&p, 1, -1);
			break;
		case 3:
			if (recv(sockets[0], &byte, 1, 0) < 0)
				return NULL;
			break;
		default:
			nap_ns(100000L * 1000000000);
		}
	return NULL;
}

static void *ticker(__attribute__((unused)) void *arg)
{
	for (;;) {
		for (volatile int i = 0; i < 10000; i++)
			;
		nap_ns(interval_ns);
	}
	return NULL;
}

static void *busy(__attribute__((unused)) void *arg)
{
	for (;;)
		;
	return NULL;
}

static void start(void *(*fn)(void *), long nr)
{
	pthread_attr_t attr;
	pthread_t t;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 64 << 10);
	for (long i = 0; i < nr; i++)
		if (pthread_create(&t, &attr, fn, (void *)(uintptr_t)i)) {
			fprintf(stderr, "throng: only %ld of %ld threads\n", i, nr);
			exit(1);
		}
	pthread_attr_destroy(&attr);
}

int main(int argc, char **argv)
{
	double seconds = argc > 5 ? atof(argv[5]) : 0;

	if (argc < 5) {
		fprintf(stderr, "usage: throng SLEEPERS TICKERS HZ BUSY [SECONDS]\n");
		return 2;
	}
	if (pipe(pipe_fds) || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets)) {
		perror("throng");
		return 1;
	}
	interval_ns = 1000000000 / (atol(argv[3]) > 0 ? atol(argv[3]) : 1);
	start(sleeper, atol(argv[1]));
	start(ticker, atol(argv[2]));
	start(busy, atol(argv[4]));
	printf("ready\n");
	fflush(stdout);
	nap_ns(seconds > 0 ? (long)(seconds * 1e9) : 1000000L * 1000000000);
	return 0;
}
