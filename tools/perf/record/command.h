/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorded command. command_fork() makes its process, which waits before its exec(), so events can be opened on it.
 * command_start() lets it execute.
 */
#ifndef RECORD_COMMAND_H
#define RECORD_COMMAND_H

#include <signal.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/types.h"

struct command_process {
	pid_t pid;	/* -1: none */
	int go_fd;	/* a write starts the command; if it is closed, the process ends */
	int failed_fd;	/* the errno of a failed exec can be read here */
	bool waited;	/* status is valid */
	int status;	/* as of waitpid() */
	bool leave;	/* command_end() does not end it */
	int exec_errno; /* errno of its exec(), 0: success; known when it has ended */
};

/* @mask: signal mask of the command. */
bool command_fork(struct command_process *cmd, char *const *argv, const sigset_t *mask,
		  bool stdout_to_stderr, GError **error);
bool command_start(struct command_process *cmd, GError **error);

/* After command_start(): waits for the exec(). True: it succeeded. */
bool command_is_running(struct command_process *cmd);

/* True if it has ended. Does not wait. */
bool command_ended(struct command_process *cmd);

/*
 * The kernel ends the events of a thread that executes a program with more rights than its user, or one that its user may
 * not read. Is @program (as argv[0]) such a one, by its file? Returns what it is, for a sentence: "is set-user-ID"; NULL:
 * no. This process must have the user and groups of the command.
 */
const char *command_is_hidden(const char *program);

/* Ends it if it still runs: by SIGTERM, or by closing go_fd if it was never started. */
void command_end(struct command_process *cmd);

#endif
