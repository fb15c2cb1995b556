// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "detached/keeper.h"
#include "detached/keeper_wire.h"
#include "detached/shelf.h"

#define TRIES 5

extern char **environ;

bool wire_address(struct sockaddr_un *address, GError **error)
{
	g_autofree char *dir = shelf_dir_made(error), *path = NULL;

	if (!dir)
		return false;
	path = g_build_filename(dir, ".keep", NULL);
	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	if (strlen(path) >= sizeof(address->sun_path))
		return error_set(error, PERF_ERROR_UNSUPPORTED,
				 "%s: too long for the name of a socket: set PERF_DETACHED_DIR",
				 path);
	strcpy(address->sun_path, path);
	return true;
}

bool wire_read(int fd, void *to, size_t size)
{
	for (size_t at = 0; at < size;) {
		ssize_t n = read(fd, (u8 *)to + at, size - at);

		if (n <= 0 && !(n < 0 && errno == EINTR))
			return false;
		at += n > 0 ? (size_t)n : 0;
	}
	return true;
}

bool wire_write(int fd, const void *from, size_t size)
{
	for (size_t at = 0; at < size;) {
		ssize_t n = send(fd, (const u8 *)from + at, size - at, MSG_NOSIGNAL);

		if (n < 0 && errno != EINTR)
			return false;
		at += n > 0 ? (size_t)n : 0;
	}
	return true;
}

static bool bind_socket(int fd, const struct sockaddr_un *address)
{
	unlink(address->sun_path);
	return !bind(fd, (const struct sockaddr *)address, sizeof(*address)) && !listen(fd, 16);
}

/* The grandchild becomes the keeper, so no process has to wait for it. */
static void become_keeper(int socket_fd)
{
	g_autofree char *pid = NULL;
	int null = open("/dev/null", O_RDWR);

	setsid();
	if (fork())
		_exit(0);
	pid = g_strdup_printf("%d", getpid());
	setenv("LISTEN_PID", pid, 1);
	setenv("LISTEN_FDS", "1", 1);
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	dup2(socket_fd, 3); /* socket_fd is not 3: it was created earlier */
	close_range(4, ~0u, 0);
	if (chdir("/"))
		_exit(1);
	execl("/proc/self/exe", "perf", "keep", NULL);
	_exit(1);
}

static bool start_keeper(const struct sockaddr_un *address, GError **error)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), high;
	bool fine = fd >= 0 && bind_socket(fd, address);
	pid_t child = -1;

	if (fine) {
		high = fcntl(fd, F_DUPFD_CLOEXEC, 4);
		child = fork();
		if (!child)
			become_keeper(high);
		close(high);
	}
	if (child < 0)
		error_set_errno(error, errno, "cannot start the keeper at %s", address->sun_path);
	else
		while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
			;
	if (fd >= 0)
		close(fd);
	return child > 0;
}

static int try_connect(const struct sockaddr_un *address)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd >= 0 && !connect(fd, (const struct sockaddr *)address, sizeof(*address)))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Only one call at a time searches for the keeper and starts it. -1 with @error. */
static int reach_keeper(GError **error)
{
	g_autofree char *lock_path = NULL;
	struct sockaddr_un address;
	int lock, fd;

	if (!wire_address(&address, error))
		return -1;
	lock_path = g_strconcat(address.sun_path, ".lock", NULL);
	lock = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (lock < 0 || flock(lock, LOCK_EX)) {
		error_set_errno(error, errno, "%s", lock_path);
		return -1;
	}
	fd = try_connect(&address);
	if (fd < 0 && start_keeper(&address, error)) {
		fd = try_connect(&address);
		if (fd < 0)
			error_set_errno(error, errno, "%s", address.sun_path);
	}
	close(lock);
	return fd;
}

static void append_text(GByteArray *to, const char *text)
{
	g_byte_array_append(to, (const u8 *)text, (guint)strlen(text) + 1);
}

static GByteArray *make_call(int argc, char *const *argv)
{
	GByteArray *bytes = g_byte_array_new();
	struct wire_call call = { .nr_words = (u32)argc };
	g_autofree char *cwd = g_get_current_dir();

	call.umask = umask(0);
	umask(call.umask);
	for (int i = 0; i < (int)RLIM_NLIMITS; i++)
		getrlimit(i, &call.limits[i]);
	g_byte_array_append(bytes, (const u8 *)&call, sizeof(call));
	append_text(bytes, cwd);
	for (int i = 0; i < argc; i++)
		append_text(bytes, argv[i]);
	for (char **variable = environ; *variable; variable++, call.nr_variables++)
		append_text(bytes, *variable);
	call.size = bytes->len;
	memcpy(bytes->data, &call, sizeof(call));
	return bytes;
}

static bool send_call(int fd, const GByteArray *bytes)
{
	int streams[WIRE_STREAMS] = { 0, 1, 2 };
	union {
		struct cmsghdr header;
		u8 room[CMSG_SPACE(sizeof(streams))];
	} control = { .header = { .cmsg_len = CMSG_LEN(sizeof(streams)),
				  .cmsg_level = SOL_SOCKET,
				  .cmsg_type = SCM_RIGHTS } };
	struct iovec first = { bytes->data, 1 };
	struct msghdr message = { .msg_iov = &first,
				  .msg_iovlen = 1,
				  .msg_control = &control,
				  .msg_controllen = sizeof(control.room) };

	memcpy(CMSG_DATA(&control.header), streams, sizeof(streams));
	return sendmsg(fd, &message, MSG_NOSIGNAL) == 1 &&
	       wire_write(fd, bytes->data + 1, bytes->len - 1);
}

/* False: the keeper has ended meanwhile; try again. */
static bool take_answer(int fd, int *status)
{
	struct wire_answer answer;
	g_autofree char *text = NULL;

	if (!wire_read(fd, &answer, sizeof(answer)) || answer.size > WIRE_MAX)
		return false;
	text = g_malloc0((gsize)answer.size + 1);
	if (!wire_read(fd, text, answer.size))
		return false;
	if (*text)
		fprintf(stderr, "%s\n", text);
	*status = answer.status;
	return true;
}

bool keeper_call(int argc, char *const *argv, int *status, GError **error)
{
	g_autoptr(GByteArray) call = make_call(argc, argv);

	if (call->len > WIRE_MAX)
		return error_set(error, PERF_ERROR_UNSUPPORTED,
				 "arguments and environment are too long");
	for (int tries = 0; tries < TRIES; tries++) {
		int fd = reach_keeper(error);
		bool answered = fd >= 0 && send_call(fd, call) && take_answer(fd, status);

		if (fd < 0)
			return false;
		close(fd);
		if (answered)
			return true;
	}
	return error_set(error, PERF_ERROR_SYSTEM, "the keeper does not answer");
}

void keeper_report(int fd, int status, const char *message)
{
	struct wire_answer answer = { status, (u32)strlen(message ? message : "") };

	if (wire_write(fd, &answer, sizeof(answer)) && message)
		wire_write(fd, message, answer.size);
}
