// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define CHUNK (64 << 10)

static bool read_up_to(int fd, const char *path, size_t max, GByteArray *bytes, GError **error)
{
	for (;;) {
		guint had = bytes->len;
		ssize_t got;

		g_byte_array_set_size(bytes, had + CHUNK);
		do
			got = read(fd, bytes->data + had, CHUNK);
		while (got < 0 && errno == EINTR);
		if (got < 0)
			return error_set_errno(error, errno, "%s", path);
		g_byte_array_set_size(bytes, had + (guint)got);
		if (got == 0)
			return true;
		if (bytes->len > max)
			return error_set(error, PERF_ERROR_FORMAT, "%s: more than %zu MB", path,
					 max >> 20);
	}
}

char *file_read_fd(int fd, const char *path, size_t max, size_t *size, GError **error)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();

	if (!read_up_to(fd, path, max, bytes, error))
		return NULL;
	if (size)
		*size = bytes->len;
	g_byte_array_append(bytes, (const guint8 *)"", 1);
	return (char *)g_byte_array_free(g_steal_pointer(&bytes), false);
}

char *file_read(const char *path, size_t max, size_t *size, GError **error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *text;

	if (fd < 0) {
		error_set_errno(error, errno, "%s", path);
		return NULL;
	}
	text = file_read_fd(fd, path, max, size, error);
	close(fd);
	return text;
}

bool file_write_fd(int fd, const void *bytes, size_t size)
{
	const char *at = bytes;

	while (size) {
		ssize_t n = write(fd, at, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (!n)
			errno = ENOSPC;
		if (n <= 0)
			return false;
		at += n;
		size -= (size_t)n;
	}
	return true;
}
