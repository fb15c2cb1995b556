// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK	  (64 << 10)
#define MOST_TEXT (16u << 20)
#define COPY_STEP (64u << 20)

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

static GString *read_text(int fd)
{
	GString *text = g_string_new(NULL);
	char chunk[4096];
	ssize_t n;

	while ((n = read(fd, chunk, sizeof(chunk))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n > 0 && text->len + (size_t)n > MOST_TEXT)
			errno = EFBIG;
		if (n < 0 || text->len + (size_t)n > MOST_TEXT) {
			g_string_free(text, TRUE);
			return NULL;
		}
		g_string_append_len(text, chunk, n);
	}
	return text;
}

char *file_text(const char *fmt, ...)
{
	g_autofree char *path = NULL;
	GString *text;
	va_list ap;
	int fd, saved;

	va_start(ap, fmt);
	path = g_strdup_vprintf(fmt, ap);
	va_end(ap);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	text = read_text(fd);
	saved = errno;
	close(fd);
	errno = saved;
	if (!text)
		return NULL;
	if (text->len && text->str[text->len - 1] == '\n')
		g_string_truncate(text, text->len - 1);
	return g_string_free(text, FALSE);
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

bool file_copy_fd(int from, int to)
{
	g_autofree char *buffer = NULL;
	ssize_t got;

	while ((got = copy_file_range(from, NULL, to, NULL, COPY_STEP, 0)) > 0)
		;
	/* Files of /proc have no size, and some file systems cannot copy. */
	buffer = g_malloc(CHUNK);
	while ((got = read(from, buffer, CHUNK)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 || !file_write_fd(to, buffer, (size_t)got))
			return false;
	}
	return true;
}

bool file_raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur == limit.rlim_max)
		return false;
	limit.rlim_cur = limit.rlim_max;
	return !setrlimit(RLIMIT_NOFILE, &limit);
}

u64 file_limit_for(u64 nr)
{
	struct rlimit limit = { 0 }, more;

	file_raise_limit();
	getrlimit(RLIMIT_NOFILE, &limit);
	more = (struct rlimit){ nr, nr };
	return limit.rlim_cur < nr && !setrlimit(RLIMIT_NOFILE, &more) ? nr : limit.rlim_cur;
}

bool file_is_open_file(const char *path)
{
	static const char *const names[] = { "/dev/stdin", "/dev/stdout", "/dev/stderr" };

	for (u32 i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(path, names[i]))
			return true;
	return g_str_has_prefix(path, "/dev/fd/") || g_str_has_prefix(path, "/proc/");
}

/* Ordinary users cannot make devices. */
static bool is_trusted(const struct stat *st)
{
	if (S_ISCHR(st->st_mode) || S_ISBLK(st->st_mode))
		return true;
	return !S_ISLNK(st->st_mode) && (st->st_uid == geteuid() || !st->st_uid);
}

static bool set_aside(const char *path)
{
	g_autofree char *old = g_strconcat(path, ".old", NULL);

	return !rename(path, old);
}

int file_create(const char *path, int access)
{
	int flags = access | O_CREAT | O_TRUNC | O_CLOEXEC, fd;
	struct stat st;

	if (file_is_open_file(path))
		return open(path, flags, 0600);
	if (!lstat(path, &st) && !S_ISDIR(st.st_mode) && !is_trusted(&st) && !set_aside(path))
		return -1;
	fd = open(path, flags | O_NOFOLLOW, 0600);
	/* Somebody may have put a file there since lstat(). */
	if (fd < 0 || (!fstat(fd, &st) && is_trusted(&st)))
		return fd;
	close(fd);
	errno = EPERM;
	return -1;
}

FILE *file_create_stream(const char *path)
{
	int fd = file_create(path, O_WRONLY);

	return fd < 0 ? NULL : fdopen(fd, "w");
}
