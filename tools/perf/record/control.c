// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lines from a pipe, without blocking and without a limit on how they arrive.
 *
 *	read 1	"enable\ndisab"	more is false: "disab" is a whole command, as nothing follows (control.h)
 *	read 2	512 bytes without an end	too_long: told as one wrong command; the rest of the line is skipped
 *
 * A read() may end in the middle of a line only if the buffer was full; then more is true, and the
 * rest is waited for.
 */
#include "record/control.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file descriptor of the caller; -1 with @error. */
static int given_fd(const char *number, GError **error)
{
	char *end;
	u64 fd = g_ascii_strtoull(number, &end, 10);

	if (!g_ascii_isdigit(*number) || *end || fd > G_MAXINT) {
		error_set(error, PERF_ERROR_USAGE,
			  "--control: '%s' is not the number of a file descriptor", number);
		return -1;
	}
	if (fcntl((int)fd, F_GETFD) >= 0)
		return (int)fd;
	error_set_errno(error, errno, "--control: file descriptor %s", number);
	return -1;
}

/* Read and write: with a reader only, the pipe would be at its end whenever a writer closes it. */
static int open_fifo(const char *path, GError **error)
{
	int fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd >= 0 && !fstat(fd, &st) && S_ISFIFO(st.st_mode))
		return fd;
	if (fd < 0) {
		error_set_errno(error, errno, "--control: %s", path);
		return -1;
	}
	close(fd);
	error_set(error, PERF_ERROR_USAGE, "--control: %s is no fifo", path);
	return -1;
}

bool control_open(struct control *c, const char *text, GError **error)
{
	const char *colon = strchr(text, ':');
	g_auto(GStrv) names = g_strsplit(colon ? colon + 1 : "", ",", 2);
	int (*open_one)(const char *, GError **) = given_fd;

	*c = (struct control){ .fd = -1, .ack_fd = -1 };
	c->is_ours = g_str_has_prefix(text, "fifo:");
	if (c->is_ours)
		open_one = open_fifo;
	else if (!g_str_has_prefix(text, "fd:"))
		return error_set(error, PERF_ERROR_USAGE,
				 "--control: expected fd:CTL[,ACK] or fifo:CTL[,ACK], not '%s'",
				 text);
	c->fd = open_one(names[0] ?: "", error);
	if (c->fd >= 0 && names[0] && names[1])
		c->ack_fd = open_one(names[1], error);
	return c->fd >= 0 && (c->ack_fd >= 0 || !names[1]);
}

void control_close(struct control *c)
{
	if (c->is_ours && c->fd >= 0)
		close(c->fd);
	if (c->is_ours && c->ack_fd >= 0)
		close(c->ack_fd);
	c->fd = c->ack_fd = -1;
}

static void give_up(struct control *c)
{
	if (c->is_ours)
		close(c->fd);
	c->fd = -1;
}

static bool is_ready(int fd, short events)
{
	struct pollfd pfd = { .fd = fd, .events = events };

	return poll(&pfd, 1, 0) > 0 && pfd.revents & events;
}

void control_fill(struct control *c)
{
	ssize_t size = read(c->fd, c->text + c->used, sizeof(c->text) - c->used);

	if (size > 0)
		c->used += (size_t)size;
	else if (!size || (errno != EAGAIN && errno != EINTR))
		give_up(c);
	c->more = size > 0 && c->used == sizeof(c->text) && is_ready(c->fd, POLLIN);
}

/* The length of the first line without its end; c->used if it has no end. */
static size_t line_length(const struct control *c)
{
	size_t at = 0;

	while (at < c->used && c->text[at] != '\n' && c->text[at])
		at++;
	return at;
}

static void drop(struct control *c, size_t size)
{
	size = MIN(size, c->used);
	c->used -= size;
	memmove(c->text, c->text + size, c->used);
}

/*
 * A line ends with a newline, a NUL, or where the input ends. The buffer is as long as the longest
 * command: if it is full and has no end, its text is told once as a command, which is unknown, and
 * the rest of that line is dropped (too_long).
 */
char *control_take(struct control *c)
{
	size_t length = line_length(c);
	bool has_end = length < c->used, skipped = c->too_long;
	char *line;

	if (!c->used)
		return NULL;
	if (!has_end && length == sizeof(c->text)) {
		c->too_long = true;
		line = skipped ? NULL : g_strndup(c->text, length);
		drop(c, length);
		return line;
	}
	if (!has_end && c->more)
		return NULL;
	line = g_strndup(c->text, length);
	drop(c, length + 1);
	c->too_long = false;
	if (!skipped)
		return line;
	g_free(line);
	return control_take(c);
}

/*
 * Whoever does not read acknowledgements must not stop the recording: a full pipe gets none. The
 * result of write() does not matter.
 */
void control_ack(const struct control *c)
{
	if (c->ack_fd >= 0 && is_ready(c->ack_fd, POLLOUT) && write(c->ack_fd, "ack\n", 4) < 0)
		return;
}
