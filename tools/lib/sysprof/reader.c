// SPDX-License-Identifier: GPL-2.0-or-later
#include "sysprof/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_SIZE (256u << 10) /* several frames of the largest size */

struct sysprof_reader {
	char *name;
	int fd;
	bool close_fd;
	volatile sig_atomic_t stopped;
	struct sysprof_header header;
	u8 header_bytes[SYSPROF_HEADER];
	u64 position; /* of the next frame */
	u32 from, to; /* the unread bytes of the buffer */
	u64 buffer[BUFFER_SIZE / 8];
	u64 turned[65536 / 8]; /* a foreign frame, converted to host order */
};

static u8 *next_bytes(struct sysprof_reader *r)
{
	return (u8 *)r->buffer + r->from;
}

/*
 * Waits for more bytes. False: reading was stopped, and the buffer has no part of a frame. A stop does not interrupt
 * the wait, so the flag is checked several times a second.
 */
static bool wait_for_bytes(struct sysprof_reader *r)
{
	struct pollfd input = { .fd = r->fd, .events = POLLIN };

	do {
		if (r->stopped && !r->to)
			return false;
	} while (poll(&input, 1, 100) == 0);
	return !r->stopped || r->to;
}

/* Buffers at least @size contiguous bytes, 8-aligned: 1. 0: the input ends before, or was stopped. -1 with @error. */
static int fill(struct sysprof_reader *r, u32 size, GError **error)
{
	u8 *buffer = (u8 *)r->buffer;

	if (r->to - r->from >= size)
		return 1;
	memmove(buffer, buffer + r->from, r->to - r->from);
	r->to -= r->from;
	r->from = 0;
	while (r->to < size) {
		ssize_t n;

		if (!wait_for_bytes(r))
			return 0;
		n = read(r->fd, buffer + r->to, sizeof(r->buffer) - r->to);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			error_set_errno(error, errno, "%s: read", r->name);
			return -1;
		}
		if (!n)
			return 0;
		r->to += (u32)n;
	}
	return 1;
}

static bool fail_at(const struct sysprof_reader *r, GError **error, const char *expected)
{
	return error_set(error, PERF_ERROR_FORMAT, "%s: at offset 0x%" PRIx64 ": expected %s",
			 r->name, r->position, expected);
}

static bool read_header(struct sysprof_reader *r, GError **error)
{
	const char *part;
	int got = fill(r, SYSPROF_HEADER, error);

	if (got < 0)
		return false;
	if (!got)
		return fail_at(r, error, "the header of a sysprof capture, of 256 bytes");
	memcpy(r->header_bytes, next_bytes(r), SYSPROF_HEADER);
	if (!sysprof_header_decode(r->header_bytes, &r->header, &part))
		return fail_at(r, error, part);
	r->from += SYSPROF_HEADER;
	r->position += SYSPROF_HEADER;
	return true;
}

static struct sysprof_reader *open_on(int fd, bool close_fd, const char *name, GError **error)
{
	struct sysprof_reader *r = g_new0(struct sysprof_reader, 1);

	r->name = g_strdup(name);
	r->fd = fd;
	r->close_fd = close_fd;
	if (read_header(r, error))
		return r;
	sysprof_close(r);
	return NULL;
}

struct sysprof_reader *sysprof_open_fd(int fd, const char *name, GError **error)
{
	return open_on(fd, false, name, error);
}

struct sysprof_reader *sysprof_open(const char *path, GError **error)
{
	int fd;

	if (strcmp(path, "-") == 0)
		return open_on(STDIN_FILENO, false, path, error);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		error_set_errno(error, errno, "%s", path);
		return NULL;
	}
	return open_on(fd, true, path, error);
}

void sysprof_close(struct sysprof_reader *r)
{
	if (!r)
		return;
	if (r->close_fd)
		close(r->fd);
	g_free(r->name);
	g_free(r);
}

const struct sysprof_header *sysprof_header_of(const struct sysprof_reader *r)
{
	return &r->header;
}

u64 sysprof_position(const struct sysprof_reader *r)
{
	return r->position;
}

bool sysprof_may_wait(const struct sysprof_reader *r)
{
	return r->to - r->from < SYSPROF_FRAME_MAX;
}

void sysprof_stop(struct sysprof_reader *r)
{
	r->stopped = true;
}

/* Reads the next frame into the buffer and returns its size; 0 at the end; -1 with @error. */
static int next_size(struct sysprof_reader *r, GError **error)
{
	const char *part;
	u32 size;
	int got;

	if (r->stopped && r->from == r->to)
		return 0;
	got = fill(r, SYSPROF_FRAME_HEAD, error);
	if (got > 0) {
		size = sysprof_frame_size(next_bytes(r), r->header.foreign, &part);
		if (!size)
			return fail_at(r, error, part), -1;
		got = fill(r, size, error);
		if (got > 0)
			return (int)size;
	}
	if (got == 0 && r->from != r->to)
		return fail_at(r, error, "a whole frame: it is cut off"), -1;
	return got;
}

int sysprof_next(struct sysprof_reader *r, struct sysprof_frame *out, GError **error)
{
	const char *part;
	int size = next_size(r, error);
	u8 *bytes = next_bytes(r);

	if (size <= 0)
		return size;
	if (r->header.foreign)
		bytes = memcpy(r->turned, bytes, (size_t)size);
	if (!sysprof_frame_decode(bytes, (u32)size, r->header.foreign, out, &part)) {
		fail_at(r, error, part);
		return -1;
	}
	out->raw = next_bytes(r);
	r->from += (u32)size;
	r->position += (u32)size;
	return 1;
}
