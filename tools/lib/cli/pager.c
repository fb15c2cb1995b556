// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/pager.h"

#include <glib.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *pager_command(void)
{
	const char *command = getenv("PERF_PAGER"), *terminal = getenv("TERM");

	if (!command)
		command = getenv("PAGER");
	if (!command && terminal && !strcmp(terminal, "dumb"))
		return ""; /* less would ask whether it may */
	if (!command) {
		g_autofree char *less = g_find_program_in_path("less");

		command = less ? "less" : "cat";
	}
	return strcmp(command, "cat") ? command : "";
}

/*
 * The shell's statuses 126 and 127: there is no such program, or it cannot run. It has read nothing then, so the output is
 * printed without a pager, below the shell's message. ^C is for the pager alone: this shell waits for its end.
 */
static const char run_command[] = "trap : INT QUIT\n"
				  "sh -c \"$1\"\n"
				  "case $? in 126 | 127) exec cat ;; esac\n";

/* In the child: waits for the first bytes, so that no pager starts if there is no output. */
static void run_pager(const char *command, int in)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };

	dup2(in, STDIN_FILENO);
	close(in);
	poll(&input, 1, -1);
	setenv("LESS", "FRSX", 0);
	execl("/bin/sh", "sh", "-c", run_command, "sh", command, NULL);
	_exit(127);
}

void pager_start(struct pager *pager)
{
	const char *command = pager_command();
	int ends[2];

	pager->pid = 0;
	if (!isatty(STDOUT_FILENO) || !*command || pipe(ends))
		return;
	fflush(stdout);
	pager->pid = fork();
	if (!pager->pid) {
		close(ends[1]);
		run_pager(command, ends[0]);
	}
	close(ends[0]);
	if (pager->pid < 0)
		pager->pid = 0;
	else
		dup2(ends[1], STDOUT_FILENO);
	close(ends[1]);
}

void pager_finish(struct pager *pager)
{
	if (!pager->pid)
		return;
	fflush(stdout);
	close(STDOUT_FILENO);
	waitpid(pager->pid, NULL, 0);
	pager->pid = 0;
}
