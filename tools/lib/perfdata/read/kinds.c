// SPDX-License-Identifier: GPL-2.0-or-later
/* The kinds of inputs that a path can name: rows of input_kinds. open.c reads their contents. */
#include "perfdata/read/kinds.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "perfdata/read/images.h"
#include "perfdata/read/reader_private.h"

static GMappedFile *map_file(struct perfdata *pd, const char *path, int fd, GError **error)
{
	GError *why = NULL;
	GMappedFile *mapped = g_mapped_file_new_from_fd(fd, false, &why);

	if (mapped)
		g_ptr_array_add(pd->mappings, mapped);
	else
		error_set(error, PERF_ERROR_SYSTEM, "%s: %s", path, why->message);
	g_clear_error(&why);
	return mapped;
}

static bool open_mapped(struct perfdata *pd, const char *path, int fd, GError **error)
{
	GMappedFile *mapped = map_file(pd, path, fd, error);

	if (!mapped || !reader_open_whole(pd, g_mapped_file_get_contents(mapped),
					  g_mapped_file_get_length(mapped), error))
		return false;
	input_is_mapped(pd->input);
	return true;
}

/* As in upstream: to read a file of another user, the user (also root) must give an option. */
static bool is_own(const char *path, const struct stat *st, GError **error)
{
	return !st->st_uid || st->st_uid == geteuid() ||
	       error_set(error, PERF_ERROR_SYSTEM,
			 "File %s not owned by current user or root (use -f to override)", path);
}

/* Checks the owner before opening, too, because opening a fifo waits for its writer. */
static int open_own(const struct perfdata *pd, const char *path, GError **error)
{
	struct stat st;
	int fd;

	if (!pd->force && !stat(path, &st) && !is_own(path, &st, error))
		return -1;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		error_set(error, PERF_ERROR_ABSENT, "%s: %s%s", path, g_strerror(ENOENT),
			  strcmp(path, "perf.data") ? "" : "  (try 'perf record' first)");
	else if (fd < 0)
		error_set_errno(error, errno, "%s", path);
	if (fd < 0 || pd->force || (!fstat(fd, &st) && is_own(path, &st, error)))
		return fd;
	close(fd);
	return -1;
}

/* A regular file is mapped. Other files are read sequentially. */
static bool open_fd(struct perfdata *pd, const char *path, int fd, bool close_fd, GError **error)
{
	struct stat st;
	bool good;

	if (fstat(fd, &st) < 0) {
		error_set_errno(error, errno, "%s", path);
		if (close_fd)
			close(fd);
		return false;
	}
	pd->mtime = (u64)st.st_mtime;
	if (!S_ISREG(st.st_mode))
		return reader_open_pipe(pd, fd, close_fd, error);
	good = open_mapped(pd, path, fd, error);
	if (close_fd)
		close(fd);
	return good;
}

static bool is_stdin(const char *path, const struct stat *st)
{
	return strcmp(path, "-") == 0;
}

static bool open_stdin(struct perfdata *pd, const char *path, GError **error)
{
	return open_fd(pd, path, STDIN_FILENO, false, error);
}

static bool is_file(const char *path, const struct stat *st)
{
	return true;
}

/* Checks the descriptor, because the path may name another file by now. */
static bool open_file(struct perfdata *pd, const char *path, GError **error)
{
	int fd = open_own(pd, path, error);

	return fd >= 0 && open_fd(pd, path, fd, true, error);
}

static bool is_directory(const char *path, const struct stat *st)
{
	return st && S_ISDIR(st->st_mode);
}

/* One recording thread's records, without a header: `data.0`, `data.1`, ... in a directory. */
static bool open_thread_files(struct perfdata *pd, GError **error)
{
	for (u32 i = 0;; i++) {
		g_autofree char *path = g_strdup_printf("%s/data.%u", pd->path, i);
		GMappedFile *mapped;
		int fd;

		if (access(path, F_OK))
			return true;
		fd = open_own(pd, path, error);
		if (fd < 0)
			return false;
		mapped = map_file(pd, path, fd, error);
		close(fd);
		if (!mapped)
			return false;
		if (!g_mapped_file_get_length(mapped))
			continue;
		input_add_bytes(pd->input, path, g_mapped_file_get_contents(mapped),
				g_mapped_file_get_length(mapped), 0);
		pd->size += g_mapped_file_get_length(mapped);
	}
}

static bool open_directory(struct perfdata *pd, const char *path, GError **error)
{
	g_autofree char *data = g_build_filename(path, "data", NULL);

	return open_file(pd, data, error) && open_thread_files(pd, error);
}

static bool is_image(const char *path, const struct stat *st)
{
	return st && S_ISREG(st->st_mode) && images_fit(path);
}

static bool open_image(struct perfdata *pd, const char *path, GError **error)
{
	int fd = open_own(pd, path, error);
	GMappedFile *mapped;

	if (fd < 0)
		return false;
	mapped = map_file(pd, path, fd, error);
	close(fd);
	return mapped && images_open(pd, g_mapped_file_get_contents(mapped),
				     g_mapped_file_get_length(mapped), error);
}

const struct input_kind input_kinds[] = {
	{ "standard input", is_stdin, open_stdin },
	{ "directory", is_directory, open_directory },
	{ "detached recording or core dump", is_image, open_image },
	/* Everything else: opening it reports the error. */
	{ "file or fifo", is_file, open_file },
	{ NULL },
};

static bool none_fits(const char *path, const struct input_kind *kinds, GError **error)
{
	g_autoptr(GString) names = g_string_new(NULL);

	for (const struct input_kind *kind = kinds; kind->name; kind++)
		g_string_append_printf(names, "%s%s", names->len ? ", " : "", kind->name);
	return error_set(error, PERF_ERROR_FORMAT, "%s: cannot be read: expected one of: %s", path,
			 names->str);
}

static bool open_kind(struct perfdata *pd, const struct input_kind *kinds, GError **error)
{
	struct stat st;
	bool there = !stat(pd->path, &st);

	for (const struct input_kind *kind = kinds; kind->name; kind++)
		if (kind->fits(pd->path, there ? &st : NULL))
			return kind->open(pd, pd->path, error);
	return none_fits(pd->path, kinds, error);
}

struct perfdata *perfdata_open_kind(const char *path, bool force, const struct input_kind *kinds,
				    GError **error)
{
	struct perfdata *pd = reader_new(path);

	pd->force = force;
	if (!open_kind(pd, kinds, error)) {
		perfdata_close(pd);
		return NULL;
	}
	return pd;
}

struct perfdata *perfdata_open(const char *path, GError **error)
{
	return perfdata_open_kind(path, false, input_kinds, error);
}

struct perfdata *perfdata_open_forced(const char *path, GError **error)
{
	return perfdata_open_kind(path, true, input_kinds, error);
}

const char *perfdata_default_path(void)
{
	struct stat st;

	return !fstat(STDIN_FILENO, &st) && S_ISFIFO(st.st_mode) ? "-" : "perf.data";
}
