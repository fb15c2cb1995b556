/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whole files as text, up to a bound: a path that a user or a recording names can lead to a
 * device that never ends, or to a file that fills the memory.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/error.h"

/*
 * The contents of @path, with a NUL behind them that *@size (may be NULL) does not count;
 * g_free(). NULL with @error (PERF_ERROR_SYSTEM; PERF_ERROR_FORMAT past @max bytes) if not.
 * Pipes and devices are read like files.
 */
char *file_read(const char *path, size_t max, size_t *size, GError **error);
/* The same of what is open already; @path is for messages. */
char *file_read_fd(int fd, const char *path, size_t max, size_t *size, GError **error);

#endif
