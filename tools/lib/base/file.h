/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads whole files, up to a limit. The limit is needed because a path from the user or from a recording can name an
 * endless device, or a file larger than memory. Creates the files that the user names as outputs.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdio.h>

#include "base/error.h"
#include "base/types.h"

/*
 * The contents of @path and a NUL after them. Free with g_free(). *@size is without the NUL; @size may be NULL. NULL
 * with @error: PERF_ERROR_SYSTEM, or PERF_ERROR_FORMAT if there are more than @max bytes. Pipes and devices are read
 * like files.
 */
char *file_read(const char *path, size_t max, size_t *size, GError **error);
/* The same for an open descriptor; @path is for messages. */
char *file_read_fd(int fd, const char *path, size_t max, size_t *size, GError **error);

/*
 * The text of the file that printf's @fmt names, without its last newline: small files of /proc and /sys. NULL if it
 * cannot be read (errno tells why), or is larger than 16 MiB. The caller frees it.
 */
char *file_text(const char *fmt, ...) G_GNUC_PRINTF(1, 2);

/* Writes all of @bytes. False with errno: a part of them may have been written. */
bool file_write_fd(int fd, const void *bytes, size_t size);
/* Copies @from to @to, each from where it stands, up to the end of @from. False with errno. */
bool file_copy_fd(int from, int to);

/*
 * Opens @path, an output that the user named, with @access (O_WRONLY or O_RDWR); an existing file is emptied, a new one
 * has mode 0600 less the umask. If there is a link, or a file or pipe that belongs neither to this user nor to root, somebody
 * else may have put it there: it is renamed to "@path.old". Devices, and open files by name (/dev/stdout,
 * /proc/self/fd/1), are opened as they are. Returns a descriptor that exec() closes, or -1 with errno.
 */
int file_create(const char *path, int access);
/* The same for writing, as a stream; NULL with errno. */
FILE *file_create_stream(const char *path);
/*
 * Raises the soft limit of open files to the hard one, for a caller that opens many. False: there is nothing to raise. Programs
 * that the caller starts inherit it.
 */
bool file_raise_limit(void);
/* The same. Raises both limits to @nr if they are less, and this process may do that. Returns the soft limit then. */
u64 file_limit_for(u64 nr);
/* True if @path is a link of the kernel to an open file (/dev/stdout, /dev/fd/3, /proc/self/fd/3). */
bool file_is_open_file(const char *path);

#endif
