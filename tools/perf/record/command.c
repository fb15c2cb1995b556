// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A command that is created early and executed late.
 *
 *	parent						child
 *	fork()						waits in read(go)
 *	opens events on the child, with enable_on_exec
 *	write(go, 1 byte)				execvp()
 *	read(failed): 0 bytes				both pipes are closed by the exec (O_CLOEXEC)
 *	or 4 bytes: errno				the exec failed
 *
 * So not an instruction of the command is missed, and nothing of ours is counted. If the recorder
 * gives up or is killed, go is closed: the child reads the end of the file and exits.
 */
#include "record/command.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Runs in the child. It writes errors to @failed_fd; the parent prints them. */
static void run_child(char *const *argv, const sigset_t *mask, bool stdout_to_stderr, int go_fd,
		      int failed_fd)
{
	ssize_t n;
	char go;
	int why;

	prctl(PR_SET_NAME, "perf-exec");
	do {
		n = read(go_fd, &go, 1);
	} while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(0); /* the recorder gave up */
	if (stdout_to_stderr)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(argv[0], argv);
	why = errno;
	n = write(failed_fd, &why, sizeof(why));
	_exit(n == sizeof(why) ? 127 : 126);
}

bool command_fork(struct command_process *cmd, char *const *argv, const sigset_t *mask,
		  bool stdout_to_stderr, GError **error)
{
	int go[2], failed[2];

	*cmd = (struct command_process){
		.pid = -1, .go_fd = -1, .failed_fd = -1, .leave = cmd->leave
	};
	if (pipe2(go, O_CLOEXEC))
		return error_set_errno(error, errno, "pipe");
	if (pipe2(failed, O_CLOEXEC)) {
		error_set_errno(error, errno, "pipe");
		close(go[0]);
		close(go[1]);
		return false;
	}
	cmd->pid = fork();
	if (cmd->pid < 0)
		error_set_errno(error, errno, "fork");
	if (!cmd->pid) {
		close(go[1]);
		run_child(argv, mask, stdout_to_stderr, go[0], failed[1]);
	}
	close(go[0]);
	close(failed[1]);
	cmd->go_fd = go[1];
	cmd->failed_fd = failed[0];
	return cmd->pid > 0;
}

bool command_start(struct command_process *cmd, GError **error)
{
	ssize_t n = write(cmd->go_fd, "", 1);
	int errnum = errno;

	close(cmd->go_fd);
	cmd->go_fd = -1;
	if (n != 1)
		return error_set_errno(error, errnum, "cannot start the command");
	return true;
}

/* A successful exec() closes the pipe, and so does the end of the child: this wait is short. */
static int read_exec_errno(int fd)
{
	int why = 0;
	ssize_t n;

	do {
		n = read(fd, &why, sizeof(why));
	} while (n < 0 && errno == EINTR);
	return n == sizeof(why) ? why : 0;
}

bool command_is_running(struct command_process *cmd)
{
	if (cmd->failed_fd >= 0) {
		cmd->exec_errno = read_exec_errno(cmd->failed_fd);
		close(cmd->failed_fd);
		cmd->failed_fd = -1;
	}
	return !cmd->exec_errno;
}

/*
 * The kernel removes all events of a thread if its memory may not be dumped after an exec: the
 * program has other rights than its user, or the user may not read its file. No record tells it, so
 * the file is looked at.
 */
const char *command_is_hidden(const char *program)
{
	g_autofree char *path = g_find_program_in_path(program);
	struct stat st;

	if (!path || stat(path, &st))
		return NULL;
	if (st.st_mode & S_ISUID && st.st_uid != geteuid())
		return "is set-user-ID";
	if (st.st_mode & S_ISGID && st.st_mode & S_IXGRP && st.st_gid != getegid())
		return "is set-group-ID";
	if (geteuid() && getxattr(path, "security.capability", NULL, 0) > 0)
		return "has file capabilities";
	return faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) ? "is not readable for this user" : NULL;
}

bool command_ended(struct command_process *cmd)
{
	if (cmd->pid > 0 && !cmd->waited)
		cmd->waited = waitpid(cmd->pid, &cmd->status, WNOHANG) == cmd->pid;
	return cmd->waited;
}

/*
 * Three states: not started (closing go ends it), running (SIGTERM, then wait), ended. The error of
 * its exec is read last, when all copies of the pipe's other end are closed.
 */
void command_end(struct command_process *cmd)
{
	if (cmd->go_fd >= 0)
		close(cmd->go_fd);
	cmd->go_fd = -1;
	if (cmd->pid > 0 && !cmd->leave && !command_ended(cmd)) {
		kill(cmd->pid, SIGTERM);
		while (waitpid(cmd->pid, &cmd->status, 0) < 0 && errno == EINTR)
			;
		cmd->waited = true;
	}
	if (cmd->failed_fd < 0)
		return;
	cmd->exec_errno = read_exec_errno(cmd->failed_fd);
	close(cmd->failed_fd);
	cmd->failed_fd = -1;
}
