/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command that is recorded: it exists, held back before its exec(), from command_fork() on,
 * so that events can be opened on it; command_start() lets it go.
 */
#ifndef RECORD_COMMAND_H
#define RECORD_COMMAND_H

#include <signal.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/types.h"

struct command_process {
	pid_t pid;	/* -1: none */
	int go_fd;	/* written to let it go; closed: it ends */
	int failed_fd;	/* errno of a failed exec comes from here */
	bool waited;	/* status is good */
	int status;	/* as of waitpid() */
	bool leave;	/* command_end() lets it go on */
	int exec_errno; /* of its exec(), 0 when that went well; known once it has ended */
};

/* @mask: the signal mask that the command shall have. */
bool command_fork(struct command_process *cmd, char *const *argv, const sigset_t *mask,
		  bool stdout_to_stderr, GError **error);
bool command_start(struct command_process *cmd, GError **error);

/* After command_start(): did its exec() go well? Waits for it. */
bool command_is_running(struct command_process *cmd);

/* Did it end? Does not wait. */
bool command_ended(struct command_process *cmd);

/* Ends it if it has not ended: SIGTERM, or nothing more to wait for when it never started. */
void command_end(struct command_process *cmd);

#endif
