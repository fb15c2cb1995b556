// SPDX-License-Identifier: GPL-2.0-or-later
#include "detached/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "detached/keeper_wire.h"

/* Time that the keeper waits for its first call. */
#define FIRST_MS 10000

struct keeper {
	int socket_fd, signal_fd;
	struct sockaddr_un address;
	sigset_t old_mask;
	GArray *workers; /* pid_t */
	bool any;	 /* a worker was started before */
	bool ending;
};

/* A call as received. */
struct call {
	int fd;
	int streams[WIRE_STREAMS];
	struct wire_call head;
	char *texts; /* head.size - sizeof(head) bytes, and a NUL */
};

static bool take_streams(struct call *call)
{
	union {
		struct cmsghdr header;
		u8 room[CMSG_SPACE(sizeof(call->streams))];
	} control;
	struct iovec first = { &call->head, 1 };
	struct msghdr message = { .msg_iov = &first,
				  .msg_iovlen = 1,
				  .msg_control = &control,
				  .msg_controllen = sizeof(control) };
	const struct cmsghdr *header;

	if (recvmsg(call->fd, &message, MSG_CMSG_CLOEXEC) != 1)
		return false;
	header = CMSG_FIRSTHDR(&message);
	if (!header || header->cmsg_type != SCM_RIGHTS ||
	    header->cmsg_len != CMSG_LEN(sizeof(call->streams)))
		return false;
	memcpy(call->streams, CMSG_DATA(header), sizeof(call->streams));
	return true;
}

/* The next string; NULL: no more. */
static char *next_text(const struct call *call, size_t *at)
{
	size_t size = call->head.size - sizeof(call->head);
	char *text = call->texts + *at;

	if (*at >= size)
		return NULL;
	*at += strlen(text) + 1;
	return text;
}

static bool read_call(struct call *call)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	if (getsockopt(call->fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) ||
	    (peer.uid != geteuid() && peer.uid))
		return false;
	if (!take_streams(call) ||
	    !wire_read(call->fd, (u8 *)&call->head + 1, sizeof(call->head) - 1))
		return false;
	if (call->head.size < sizeof(call->head) || call->head.size > WIRE_MAX ||
	    !call->head.nr_words || call->head.nr_words > WIRE_MAX)
		return false;
	call->texts = g_malloc0(call->head.size - sizeof(call->head) + 1);
	return wire_read(call->fd, call->texts, call->head.size - sizeof(call->head));
}

/* In the child: takes over the caller's words, environment, directory, limits and streams. */
static void become_worker(const struct keeper *k, const struct call *call)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new(), variables = g_ptr_array_new();
	size_t at = 0;
	const char *dir = next_text(call, &at);
	int report = fcntl(call->fd, F_DUPFD, 10);
	char *text;

	for (u32 i = 0; i < call->head.nr_words && (text = next_text(call, &at)); i++)
		g_ptr_array_add(words, text);
	while ((text = next_text(call, &at)))
		g_ptr_array_add(variables, text);
	g_ptr_array_add(variables, g_strdup_printf("%s=%d", KEEPER_WORKER_VARIABLE, report));
	g_ptr_array_add(words, NULL);
	g_ptr_array_add(variables, NULL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	setsid();
	umask((mode_t)call->head.umask);
	for (int i = 0; i < (int)RLIM_NLIMITS; i++)
		setrlimit(i, &call->head.limits[i]);
	for (int i = 0; i < WIRE_STREAMS; i++)
		dup2(call->streams[i], i);
	sigprocmask(SIG_SETMASK, &k->old_mask, NULL);
	if (!dir || chdir(dir))
		keeper_report(report, 1, "perf: cannot change to the caller's directory");
	else if (execve("/proc/self/exe", (char **)words->pdata, (char **)variables->pdata))
		keeper_report(report, 1, "perf: cannot start the recording");
	_exit(1);
}

static void serve(struct keeper *k, int fd)
{
	struct call call = { .fd = fd, .streams = { -1, -1, -1 } };
	struct timeval limit = { .tv_sec = 5 };
	pid_t worker;

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	if (read_call(&call)) {
		worker = fork();
		if (!worker)
			become_worker(k, &call);
		if (worker > 0) {
			g_array_append_val(k->workers, worker);
			k->any = true;
		}
	}
	for (int i = 0; i < WIRE_STREAMS; i++)
		if (call.streams[i] >= 0)
			close(call.streams[i]);
	g_free(call.texts);
	close(fd);
}

static bool accept_call(struct keeper *k)
{
	int fd = accept4(k->socket_fd, NULL, NULL, SOCK_CLOEXEC);

	if (fd >= 0)
		serve(k, fd);
	return fd >= 0;
}

static void forget(struct keeper *k, pid_t pid)
{
	for (u32 i = 0; i < k->workers->len; i++)
		if (g_array_index(k->workers, pid_t, i) == pid)
			g_array_remove_index_fast(k->workers, i--);
}

static void take_signals(struct keeper *k)
{
	struct signalfd_siginfo info;
	pid_t pid;

	while (read(k->signal_fd, &info, sizeof(info)) == sizeof(info))
		k->ending |= info.ssi_signo != SIGCHLD;
	while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
		forget(k, pid);
	for (u32 i = 0; k->ending && i < k->workers->len; i++)
		kill(g_array_index(k->workers, pid_t, i), SIGTERM);
}

/* Takes the socket as systemd passes sockets. */
static bool take_socket(struct keeper *k, GError **error)
{
	const char *pid = getenv("LISTEN_PID"), *nr = getenv("LISTEN_FDS");

	if (!wire_address(&k->address, error))
		return false;
	if (pid && nr && atoi(pid) == getpid() && atoi(nr) == 1) {
		k->socket_fd = 3;
		fcntl(k->socket_fd, F_SETFD, FD_CLOEXEC);
	} else {
		k->socket_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
		if (!connect(k->socket_fd, (struct sockaddr *)&k->address, sizeof(k->address)))
			return error_set(error, PERF_ERROR_USAGE, "a keeper already runs at %s",
					 k->address.sun_path);
		close(k->socket_fd);
		k->socket_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
		unlink(k->address.sun_path);
		if (bind(k->socket_fd, (struct sockaddr *)&k->address, sizeof(k->address)) ||
		    listen(k->socket_fd, 16))
			return error_set_errno(error, errno, "%s", k->address.sun_path);
	}
	fcntl(k->socket_fd, F_SETFL, O_NONBLOCK);
	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
	return true;
}

static void keep(struct keeper *k)
{
	struct pollfd fds[] = { { k->socket_fd, POLLIN }, { k->signal_fd, POLLIN } };

	while (!k->ending || k->workers->len) {
		bool idle = !k->workers->len;
		int n = poll(fds, ARRAY_SIZE(fds), idle ? k->any ? 0 : FIRST_MS : -1);

		take_signals(k);
		while (!k->ending && accept_call(k))
			;
		if (n == 0 && idle && !k->workers->len)
			return;
	}
}

bool keeper_run(GError **error)
{
	struct keeper k = { .socket_fd = -1 };
	sigset_t mask;

	if (!take_socket(&k, error))
		return false;
	sigemptyset(&mask);
	sigaddset(&mask, SIGCHLD);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGHUP);
	sigprocmask(SIG_BLOCK, &mask, &k.old_mask);
	k.signal_fd = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	k.workers = g_array_new(false, false, sizeof(pid_t));
	keep(&k);
	/*
	 * If a call arrives between the last check and this point, it gets no answer, and starts
	 * another keeper.
	 */
	unlink(k.address.sun_path);
	while (!k.ending && accept_call(&k))
		;
	keep(&k);
	g_array_unref(k.workers);
	close(k.signal_fd);
	close(k.socket_fd);
	return true;
}
