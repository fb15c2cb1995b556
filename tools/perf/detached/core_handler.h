/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program for core_pattern, put before the previous pattern. It adds the recording of the crashed
 * process to its core, and passes the core on to the previous handler.
 *
 *	before:  core_pattern = "|/usr/lib/systemd/systemd-coredump %P ..."
 *	after:   core_pattern = "|PERF ..."; the previous pattern is kept in CORE_HANDLER_DIR
 */
#ifndef DETACHED_CORE_HANDLER_H
#define DETACHED_CORE_HANDLER_H

#include "base/error.h"
#include "base/types.h"

#define CORE_PATTERN_PATH "/proc/sys/kernel/core_pattern"
#define CORE_HANDLER_DIR  "/var/lib/perf" /* where the previous pattern is kept */

/* The kind of a core_pattern. */
enum core_pattern {
	CORE_PATTERN_FILE,   /* the name of a file */
	CORE_PATTERN_PIPE,   /* another program */
	CORE_PATTERN_SOCKET, /* a server's address */
	CORE_PATTERN_OURS,
};

/* The present pattern, without the newline; g_free(). NULL with @error. */
char *core_pattern_read(GError **error);
enum core_pattern core_pattern_kind(const char *pattern);
/* The previous pattern; NULL: ours is not installed, or @dir does not have it. */
char *core_pattern_before(const char *dir);

/*
 * Stores the present pattern in @dir and installs ours. Does nothing if ours is installed. False
 * with @error: no permission, the pattern is longer than 127 bytes, or the present pattern is a
 * socket, which cannot be chained.
 */
bool core_handler_install(const char *dir, GError **error);
/* Restores the previous pattern. False with @error: ours is not installed. */
bool core_handler_remove(const char *dir, GError **error);

/*
 * Handles one core from standard input. @words: the kernel's values for our pattern. Returns the
 * exit status.
 */
int core_handler_run(int nr, char *const *words);

#endif
