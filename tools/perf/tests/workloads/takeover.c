// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * takeover COMMAND...: a second thread prints its id, sleeps for 0.1 s, and executes COMMAND. The kernel ends the first thread then,
 * and the second one goes on with the id of the first.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *take_over(void *argv)
{
	char *const *command = argv;

	printf("%d\n", (int)gettid());
	fflush(stdout);
	usleep(100000);
	execvp(command[0], command);
	_exit(1);
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc < 2 || pthread_create(&thread, NULL, take_over, argv + 1))
		return 1;
	for (;;)
		pause();
}
