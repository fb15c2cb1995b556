/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads whole files, up to a limit. The limit is needed because a path from the user or from a recording can name an
 * endless device, or a file larger than memory.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/error.h"

/*
 * The contents of @path and a NUL after them. Free with g_free(). *@size is without the NUL; @size may be NULL. NULL
 * with @error: PERF_ERROR_SYSTEM, or PERF_ERROR_FORMAT if there are more than @max bytes. Pipes and devices are read
 * like files.
 */
char *file_read(const char *path, size_t max, size_t *size, GError **error);
/* The same for an open descriptor; @path is for messages. */
char *file_read_fd(int fd, const char *path, size_t max, size_t *size, GError **error);

/* Writes all of @bytes. False with errno: a part of them may have been written. */
bool file_write_fd(int fd, const void *bytes, size_t size);

#endif
