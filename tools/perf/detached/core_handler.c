// SPDX-License-Identifier: GPL-2.0-or-later
#include "detached/core_handler.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "detached/core_words.h"

#define KEPT_NAME   "core_pattern"
#define PATTERN_MAX 127
#define SPLITS	    " \t\n%"

char *core_pattern_read(GError **error)
{
	char *text = NULL;
	GError *why = NULL;

	if (!g_file_get_contents(CORE_PATTERN_PATH, &text, NULL, &why))
		error_set(error, PERF_ERROR_SYSTEM, "%s", why->message);
	g_clear_error(&why);
	return text ? g_strchomp(text) : NULL;
}

enum core_pattern core_pattern_kind(const char *pattern)
{
	if (*pattern == '@')
		return CORE_PATTERN_SOCKET;
	if (*pattern != '|')
		return CORE_PATTERN_FILE;
	return strstr(pattern, " core-handler run ") ? CORE_PATTERN_OURS : CORE_PATTERN_PIPE;
}

char *core_pattern_before(const char *dir)
{
	g_autofree char *path = g_build_filename(dir, KEPT_NAME, NULL);
	char *text = NULL;

	return g_file_get_contents(path, &text, NULL, NULL) ? g_strchomp(text) : NULL;
}

static bool write_pattern(const char *pattern, GError **error)
{
	int fd = open(CORE_PATTERN_PATH, O_WRONLY | O_CLOEXEC);
	size_t size = strlen(pattern);
	int why = 0;

	if (fd < 0 || write(fd, pattern, size) != (ssize_t)size)
		why = errno;
	if (fd >= 0)
		close(fd);
	return !why || error_set_errno(error, why, CORE_PATTERN_PATH " (root may change it)");
}

/* Only root may write the directory: the program named in it runs as root at the next crash. */
static bool keep(const char *dir, const char *pattern, GError **error)
{
	g_autofree char *path = g_build_filename(dir, KEPT_NAME, NULL);
	GError *why = NULL;
	struct stat st;

	if (g_mkdir_with_parents(dir, 0755) || lstat(dir, &st))
		return error_set_errno(error, errno, "%s (root may make it)", dir);
	if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid() || st.st_mode & 022)
		return error_set(error, PERF_ERROR_PERMISSION,
				 "%s must belong to root, and only root may have write permission",
				 dir);
	if (g_file_set_contents(path, pattern, -1, &why))
		return true;
	error_set(error, PERF_ERROR_SYSTEM, "%s", why->message);
	g_clear_error(&why);
	return false;
}

bool core_handler_install(const char *dir, GError **error)
{
	g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *present = core_pattern_read(error), *ours = NULL;

	if (!present)
		return false;
	if (core_pattern_kind(present) == CORE_PATTERN_OURS)
		return true;
	if (core_pattern_kind(present) == CORE_PATTERN_SOCKET)
		return error_set(error, PERF_ERROR_UNSUPPORTED,
				 "%s: the kernel sends core dumps to the socket of a server; a "
				 "handler cannot be added before it",
				 present);
	if ((self && strpbrk(self, SPLITS)) || strpbrk(dir, SPLITS))
		return error_set(
			error, PERF_ERROR_UNSUPPORTED,
			"%s, %s: the kernel takes blanks and %% in core_pattern for its own "
			"signs: use paths without them",
			self, dir);
	ours = g_strdup_printf("|%s core-handler run %s %s", self ? self : "/usr/bin/perf", dir,
			       CORE_WORDS);
	if (strlen(ours) > PATTERN_MAX)
		return error_set(error, PERF_ERROR_UNSUPPORTED,
				 "%s: longer than the %d bytes that the kernel accepts: install "
				 "perf under a shorter path",
				 ours, PATTERN_MAX);
	return keep(dir, present, error) && write_pattern(ours, error);
}

bool core_handler_remove(const char *dir, GError **error)
{
	g_autofree char *present = core_pattern_read(error), *before = core_pattern_before(dir);
	g_autofree char *path = g_build_filename(dir, KEPT_NAME, NULL);

	if (!present)
		return false;
	if (core_pattern_kind(present) != CORE_PATTERN_OURS)
		return error_set(error, PERF_ERROR_USAGE, "perf core-handler is not installed");
	if (!before)
		return error_set(error, PERF_ERROR_ABSENT,
				 "%s does not contain the previous core_pattern: write that one "
				 "into " CORE_PATTERN_PATH,
				 path);
	if (!write_pattern(before, error))
		return false;
	unlink(path);
	return true;
}
