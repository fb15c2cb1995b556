// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfevent/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#define MOST_TEXT (16u << 20)

const struct kernel_paths *kernel_paths_host(void)
{
	static const struct kernel_paths host = {
		.proc = "/proc",
		.sys = "/sys",
		.modules = "/lib/modules",
	};

	return &host;
}

static GString *read_all(int fd)
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

static char *file_text(const char *path)
{
	GString *text;
	int fd, saved;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	text = read_all(fd);
	saved = errno;
	close(fd);
	errno = saved;
	if (!text)
		return NULL;
	if (text->len && text->str[text->len - 1] == '\n')
		g_string_truncate(text, text->len - 1);
	return g_string_free(text, FALSE);
}

char *kernel_file_text(const char *fmt, ...)
{
	g_autofree char *path = NULL;
	va_list ap;

	va_start(ap, fmt);
	path = g_strdup_vprintf(fmt, ap);
	va_end(ap);
	return file_text(path);
}

static bool text_number(const char *text, s64 *value)
{
	char *end;

	errno = 0;
	*value = g_ascii_strtoll(text, &end, 0);
	return end != text && !errno && (!*end || g_ascii_isspace(*end));
}

bool kernel_file_number(s64 *value, const char *fmt, ...)
{
	g_autofree char *path = NULL, *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	path = g_strdup_vprintf(fmt, ap);
	va_end(ap);
	text = file_text(path);
	return text && text_number(text, value);
}

s64 kernel_sysctl(const struct kernel_paths *paths, const char *name, s64 otherwise)
{
	s64 value;

	if (!kernel_file_number(&value, "%s/sys/kernel/%s", paths->proc, name))
		return otherwise;
	return value;
}
