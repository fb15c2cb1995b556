// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two processes with the same pid, one after the other. "first" sleeps in clock_nanosleep, "second" in read of a pipe,
 * each for SECONDS. "second" gets the pid of "first" as soon as it is free.
 *
 *   reuse SECONDS
 *
 * Prints the pid, and how many seconds each process was in its call ("first SECONDS"); or "no reuse: WHY".
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds;

static void nap(void)
{
	struct timespec t = { (time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9) };

	clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
}

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* @number: pid for the new process; 0: any. */
static pid_t start(const char *name, pid_t number, int pipe_end)
{
	struct clone_args args = { .exit_signal = SIGCHLD };
	double since;
	char byte;
	pid_t pid;

	if (number) {
		args.set_tid = (uintptr_t)&number;
		args.set_tid_size = 1;
	}
	pid = (pid_t)syscall(SYS_clone3, &args, sizeof(args));
	if (pid)
		return pid;
	prctl(PR_SET_NAME, name);
	since = now_s();
	if (pipe_end < 0)
		nap();
	else if (read(pipe_end, &byte, 1) != 1)
		perror("read");
	dprintf(STDOUT_FILENO, "%s %.3f\n", name, now_s() - since);
	_exit(0);
}

int main(int argc, char **argv)
{
	pid_t first, second;
	int fds[2];

	seconds = argc > 1 ? atof(argv[1]) : 0.5;
	if (pipe(fds))
		return 1;
	first = start("first", 0, -1);
	if (first < 0 || waitpid(first, NULL, 0) != first) {
		printf("no reuse: %s\n", strerror(errno));
		return 0;
	}
	second = start("second", first, fds[0]);
	if (second < 0) {
		printf("no reuse: %s\n", strerror(errno));
		return 0;
	}
	dprintf(STDOUT_FILENO, "%d\n", second);
	nap();
	if (write(fds[1], "x", 1) != 1)
		return 1;
	waitpid(second, NULL, 0);
	return 0;
}
